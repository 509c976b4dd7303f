import { isDeepStrictEqual } from 'node:util'
import { defineTopic } from '../../../watch/model.ts'
import type { StateRules } from '../../../watch/stateSource.ts'
import { ifReadable, type Optional } from '../../../wire/optional.ts'
import { isSettled, isStale, type TransferStatus } from './readStatus.ts'
import { isTerminal } from './state.ts'

/** The meaning of statuses that polls share. A key is `keyOf` a transfer. */
export const transferRules: StateRules<TransferStatus> = {
  topic: defineTopic<TransferStatus>('transfers'),
  equals: isDeepStrictEqual,
  isStale,
  isFinal: ({ state }) => isTerminal(state),
  isIrreversible: ({ state }) => isTerminal(state) && state !== 'ABANDONED',
  isSettled,
  startOf,
}

/** When the first transaction of a transfer was included in a block. */
function startOf({ legs }: TransferStatus): number | undefined {
  const times = legs.flatMap(({ hops }) =>
    hops.flatMap(({ transactions }) => transactions.map(({ on_chain_at }) => timeOf(on_chain_at))),
  )
  const known = times.filter((time) => !Number.isNaN(time))
  return known.length > 0 ? Math.min(...known) : undefined
}

const timeOf = (timestamp: Optional<string>): number => Date.parse(ifReadable(timestamp) ?? '')
