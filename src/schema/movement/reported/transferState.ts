import { builder } from '../../../engine/graphql/builder.ts'

export type TransferStateName =
  | 'SUBMITTED'
  | 'UNTRACKED'
  | 'PENDING'
  | 'PENDING_ERROR'
  | 'COMPLETED_SUCCESS'
  | 'COMPLETED_ERROR'
  | 'ABANDONED'
  | 'UNKNOWN'

/** The outcome of a transfer. */
export type Outcome = 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'ABANDONED'

const stateByWord: ReadonlyMap<string, TransferStateName> = new Map(
  Object.entries<TransferStateName>({
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

/** The state that a router's word means. `UNKNOWN` for a word not listed. */
export const stateOf = (word: string): TransferStateName => stateByWord.get(word) ?? 'UNKNOWN'

/** What routers say of a transfer that they know nothing of, now or at all. It may still arrive. */
export const unknownToRouter = 'STATE_UNKNOWN'

/** The state in which older routers report any completed transfer, successful or failed. */
export const genericCompleted = 'STATE_COMPLETED'

const outcomes: Readonly<Record<TransferStateName, Outcome>> = {
  SUBMITTED: 'PENDING',
  UNTRACKED: 'PENDING',
  PENDING: 'PENDING',
  PENDING_ERROR: 'PENDING',
  COMPLETED_SUCCESS: 'SUCCEEDED',
  COMPLETED_ERROR: 'FAILED',
  ABANDONED: 'ABANDONED',
  UNKNOWN: 'PENDING',
}

/** The outcome of a state. An unknown state is neither a failure nor an end: `PENDING`. */
export const outcomeOf = (state: TransferStateName): Outcome => outcomes[state]

/** Whether a transfer in this state has ended. */
export const isTerminal = (state: TransferStateName): boolean => outcomeOf(state) !== 'PENDING'

/** The progress that a state means: 0 to 2 before the end, 3 for every terminal state. */
export function rankOf(state: TransferStateName): number {
  if (isTerminal(state)) return 3
  if (state === 'SUBMITTED' || state === 'UNTRACKED') return 0
  return state === 'PENDING_ERROR' ? 2 : 1
}

// A transfer has the first state of this list that any of its legs has. So it ends when all legs have ended,
// and it succeeds when all legs have succeeded.
const precedence: readonly TransferStateName[] = [
  'PENDING_ERROR',
  'PENDING',
  'UNKNOWN',
  'SUBMITTED',
  'UNTRACKED',
  'COMPLETED_ERROR',
  'ABANDONED',
  'COMPLETED_SUCCESS',
]

/** The state of a transfer with several legs. */
export const combineStates = (states: readonly TransferStateName[]): TransferStateName =>
  precedence.find((state) => states.includes(state)) ?? 'UNKNOWN'

export const TransferState = builder.enumType('TransferState', {
  description: 'State of a transfer.',
  values: {
    SUBMITTED: { description: 'The first transaction is not on chain yet. See `search`.' },
    UNTRACKED: {
      description:
        'The first transaction is on its chain: see `transaction`. The router does not track it: too new, or perhaps no transfer.',
    },
    PENDING: { description: 'In progress.' },
    PENDING_ERROR: { description: 'Failed, but the funds are not released yet.' },
    COMPLETED_SUCCESS: { description: 'Completed. The asset was delivered.' },
    COMPLETED_ERROR: {
      description:
        'Failed. `assetRelease` says where the funds are. Without hops, the first transaction failed: it sent nothing.',
    },
    ABANDONED: {
      description: 'The router has stopped tracking. Funds need not be lost: `trackTransfer` resumes.',
    },
    UNKNOWN: {
      description: 'A state unknown to this gateway: treat it as pending. See `rawState`.',
    },
  },
})

export const TransferOutcome = builder.enumType('TransferOutcome', {
  description: 'Outcome of a transfer.',
  values: {
    PENDING: { description: 'Not completed yet.' },
    SUCCEEDED: { description: 'The asset was delivered.' },
    FAILED: {
      description: 'The asset was not delivered. It was refunded, or released on another chain.',
    },
    ABANDONED: { description: 'Tracking ended before the transfer completed.' },
  },
})
