import { builder } from '../../../engine/graphql/builder.ts'
import { bridges } from '../../router/bridges/bridges.ts'
import type { HopDefinition } from '../../router/bridges/defineBridge.ts'
import { stateOf, type TransferStateName } from './transferState.ts'

export type HopStateName = 'PENDING' | 'COMPLETED' | 'FAILED' | 'UNKNOWN'

const stateByWord: ReadonlyMap<string, HopStateName> = new Map(
  bridges.flatMap(({ hop }) => Object.entries(hop.states).map(([word, state]) => [word, state.is] as const)),
)

// Some routers report hops in the states of transfers.
const stateByTransferState: Readonly<Record<TransferStateName, HopStateName>> = {
  SUBMITTED: 'PENDING',
  UNTRACKED: 'PENDING',
  PENDING: 'PENDING',
  PENDING_ERROR: 'PENDING',
  COMPLETED_SUCCESS: 'COMPLETED',
  COMPLETED_ERROR: 'FAILED',
  ABANDONED: 'UNKNOWN',
  UNKNOWN: 'UNKNOWN',
}

/**
 * The state that a router's word means: by the table of the hop's bridge, else by the table of any
 * bridge, else as the state of a transfer.
 */
export const toHopState = (word: string, hop?: HopDefinition): HopStateName =>
  (hop && Object.hasOwn(hop.states, word) ? hop.states[word]?.is : undefined) ??
  stateByWord.get(word) ??
  stateByTransferState[stateOf(word)]

export const HopState = builder.enumType('HopState', {
  description: 'State of one hop of a transfer.',
  values: {
    PENDING: { description: 'Not started, or in progress.' },
    COMPLETED: { description: 'The asset arrived.' },
    FAILED: { description: 'The asset did not arrive, or its next step failed. See `rawState`.' },
    UNKNOWN: { description: 'No state, or one unknown to this gateway. See `rawState`.' },
  },
})
