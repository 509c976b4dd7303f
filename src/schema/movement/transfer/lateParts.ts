import type { GraphQLResolveInfo } from 'graphql'
import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { isSelectedBelow } from '../../../engine/graphql/selection.ts'
import { RequestScope } from '../../../engine/upstream/requestScope.ts'
import type { LatePart, LatePartsSource } from '../../../engine/watch/stateSource.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import type { Signal } from '../../../kit/clock/signal.ts'
import { loadFromChain } from './hopTransaction.ts'
import { bridgeByHopKey, type HopBody } from './readHop.ts'
import type { TransferStatus } from './readStatus.ts'
import { outcomeOf } from './state.ts'
import type { TransferRef } from './transferRef.ts'
import { hashKey } from './txHash.ts'

/** The longest wait for the first transaction, in milliseconds. An indexer that lacks it then never gets it. */
const youngMs = 60_000

/** Kinds of parts of a transfer that can come after its state, with the fields that they are shown in. */
const fieldsOfKind = {
  transaction: [
    ...['transaction', 'sender', 'recipient'],
    ...['amountIn', 'formattedAmountIn', 'denomIn', 'assetIn'],
    ...['amountOut', 'formattedAmountOut', 'denomOut', 'assetOut'],
  ],
  assetRelease: ['assetRelease'],
  error: ['error'],
  guidance: ['guidance'],
}

/**
 * The parts of a transfer that come after its state and that an operation selects. An indexer can have a transaction later
 * than the router. A router says that a transfer has failed before it knows where the funds are. Undefined if none is selected.
 */
export function lateParts(
  context: LiveContext,
  ref: TransferRef,
  info: GraphQLResolveInfo,
): LatePartsSource<TransferStatus> | undefined {
  const selected = Object.entries(fieldsOfKind).filter(([, fields]) =>
    fields.some((name) => isSelectedBelow(info, name)),
  )
  if (selected.length === 0) return undefined
  return {
    kinds: new Set(selected.map(([kind]) => kind)),
    async missing(status, kinds, ageMs, signal) {
      const guiding = guidingTransactions(status)
      const named = kinds.has('transaction') ? transactionsIn(status, ref, ageMs) : new Map<string, TransactionRef>()
      const awaited = new Map([...(kinds.has('guidance') ? guiding : []), ...named])
      const keys = awaited.size > 0 ? await missingTransactions(context, awaited, signal) : []
      return [
        ...keys.map((key) => ({ kind: 'transaction', key, isPolled: false })),
        ...keys.filter((key) => guiding.has(key)).map((key) => ({ kind: 'guidance', key, isPolled: false })),
        ...unreported(status),
      ].filter(({ kind }) => kinds.has(kind))
    },
  }
}

/** What the router has not reported of a failure: the release of the funds, and the reason. */
const unreported = ({ legs }: TransferStatus): LatePart[] =>
  legs.flatMap((leg, index) => {
    const outcome = outcomeOf(leg.state)
    const isFailure = outcome === 'FAILED'
    const isReleaseDue = isFailure || outcome === 'ABANDONED'
    const parts = [
      { kind: 'assetRelease', key: `release ${index}`, isDue: isReleaseDue && leg.release === null },
      { kind: 'assetRelease', key: `released ${index}`, isDue: isReleaseDue && !ifReadable(leg.release)?.released },
      { kind: 'error', key: `error ${index}`, isDue: isFailure && leg.error === null },
    ]
    return parts.filter(({ isDue }) => isDue).map(({ kind, key }) => ({ kind, key, isPolled: true }))
  })

interface TransactionRef {
  readonly chainId: string
  readonly hash: string
}

/** The transactions of hops, each once, by its key. */
const transactionsOfHops = (hops: readonly HopBody[]): Map<string, TransactionRef> =>
  new Map(
    hops
      .flatMap(({ transactions }) => transactions)
      .flatMap(({ chain_id, tx_hash }) => {
        const [chainId, hash] = [ifReadable(chain_id), ifReadable(tx_hash)]
        return chainId !== null && hash !== null ? [[`${chainId} ${hashKey(hash)}`, { chainId, hash }] as const] : []
      }),
  )

/** The transactions that a status names, and the first one. Polls look for that until the router knows it. */
function transactionsIn(
  { legs, search }: TransferStatus,
  first: TransferRef,
  ageMs: number,
): Map<string, TransactionRef> {
  const firstKey = `${first.chainId} ${hashKey(first.txHash)}`
  const named = transactionsOfHops(legs.flatMap(({ hops }) => hops))
  if (search || ageMs >= youngMs) named.delete(firstKey)
  else named.set(firstKey, { chainId: first.chainId, hash: first.txHash })
  return named
}

/** The transactions that say which way a hop goes, where the guidance depends on it. */
const guidingTransactions = ({ legs }: TransferStatus): Map<string, TransactionRef> =>
  transactionsOfHops(legs.flatMap(({ hops }) => hops).filter(({ kind }) => bridgeByHopKey.get(kind)?.hop.hasDirections))

/** The keys of the transactions that the indexers of this gateway do not have yet. Transactions of other chains do not count. */
async function missingTransactions(
  context: LiveContext,
  transactions: ReadonlyMap<string, TransactionRef>,
  signal: Signal,
): Promise<string[]> {
  const served = [...transactions].filter(([, { chainId }]) => context.network.chains.has(chainId))
  // The responses of an operation are shared for as long as it lives, and these are to change.
  const scope = new RequestScope(signal, context, { client: context.scope.requester.client })
  try {
    const isMissing = await Promise.all(
      served.map(([, { chainId, hash }]) =>
        loadFromChain({ ...context, scope }, chainId, hash).then(
          (found) => found === null,
          () => true,
        ),
      ),
    )
    return served.filter((_, index) => isMissing[index]).map(([key]) => key)
  } finally {
    scope.close()
  }
}
