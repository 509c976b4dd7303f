import { builder } from '../../../graphql/builder.ts'

/** The state of a transfer. */
export type State =
  | 'SUBMITTED'
  | 'PENDING'
  | 'PENDING_ERROR'
  | 'COMPLETED_SUCCESS'
  | 'COMPLETED_ERROR'
  | 'ABANDONED'
  | 'UNKNOWN'

/** What became of it. */
export type Outcome = 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'ABANDONED'

const stateByWord: ReadonlyMap<string, State> = new Map(
  Object.entries<State>({
    STATE_SUBMITTED: 'SUBMITTED',
    STATE_PENDING: 'PENDING',
    STATE_RECEIVED: 'PENDING',
    STATE_PENDING_ERROR: 'PENDING_ERROR',
    STATE_COMPLETED_SUCCESS: 'COMPLETED_SUCCESS',
    STATE_COMPLETED: 'COMPLETED_SUCCESS',
    STATE_COMPLETED_ERROR: 'COMPLETED_ERROR',
    STATE_FAILED: 'COMPLETED_ERROR',
    STATE_ABANDONED: 'ABANDONED',
  }),
)

/** The state a router's word stands for; `UNKNOWN` for a word nobody has seen. */
export const stateOf = (word: string): State => stateByWord.get(word) ?? 'UNKNOWN'

/** The coarse word older routers send, which does not tell success from failure. */
export const genericCompleted = 'STATE_COMPLETED'

const outcomes: Readonly<Record<State, Outcome>> = {
  SUBMITTED: 'PENDING',
  PENDING: 'PENDING',
  PENDING_ERROR: 'PENDING',
  COMPLETED_SUCCESS: 'SUCCEEDED',
  COMPLETED_ERROR: 'FAILED',
  ABANDONED: 'ABANDONED',
  UNKNOWN: 'PENDING',
}

/** A state nobody has seen is no failure and no end: `PENDING`. */
export const outcomeOf = (state: State): Outcome => outcomes[state]

export const isTerminal = (state: State): boolean => outcomeOf(state) !== 'PENDING'

/** How much of the way a state stands for; terminal states are past all others. */
export function rankOf(state: State): number {
  if (isTerminal(state)) return 3
  return state === 'SUBMITTED' ? 0 : state === 'PENDING_ERROR' ? 2 : 1
}

// The first of these that a part is in is the state of the whole: it ends when all parts have ended,
// and it succeeds when all have.
const precedence: readonly State[] = [
  'PENDING_ERROR',
  'PENDING',
  'UNKNOWN',
  'SUBMITTED',
  'COMPLETED_ERROR',
  'ABANDONED',
  'COMPLETED_SUCCESS',
]

/** The state of several transfers taken together. */
export const combineStates = (states: readonly State[]): State =>
  precedence.find((state) => states.includes(state)) ?? 'UNKNOWN'

export const TransferState = builder.enumType('TransferState', {
  description: 'How far a transfer is.',
  values: {
    SUBMITTED: { description: 'Tracked; its first transaction has not been seen on chain yet.' },
    PENDING: { description: 'On its way.' },
    PENDING_ERROR: {
      description: 'Bound to fail: the failure is known, the funds are not released yet.',
    },
    COMPLETED_SUCCESS: { description: 'Delivered.' },
    COMPLETED_ERROR: { description: 'Failed; `assetRelease` says where the funds are.' },
    ABANDONED: {
      description:
        'No longer tracked, which is no proof of loss; `trackTransfer` takes it up again.',
    },
    UNKNOWN: {
      description: 'A state newer than this gateway, neither an end nor a failure; see `rawState`.',
    },
  },
})

export const TransferOutcome = builder.enumType('TransferOutcome', {
  description: 'What became of a transfer.',
  values: {
    PENDING: { description: 'Not ended yet.' },
    SUCCEEDED: { description: 'The asset was delivered.' },
    FAILED: { description: 'The asset was not delivered; it is released elsewhere, or refunded.' },
    ABANDONED: { description: 'Tracking ended before the transfer did.' },
  },
})
