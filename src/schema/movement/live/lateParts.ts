import type { GraphQLResolveInfo } from 'graphql'
import type { Context, LiveContext } from '../../../engine/graphql/builder.ts'
import { inScopeOfItsOwn } from '../../../engine/graphql/live.ts'
import { extensionsBelow } from '../../../engine/graphql/selection.ts'
import type { LatePart, LatePartsSource } from '../../../engine/watch/stateSource.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { loadFromChain } from '../joined/loadFromChain.ts'
import type { TransferStatus } from '../reported/readStatus.ts'
import type { TransferRef } from '../reported/transferRef.ts'
import { outcomeOf } from '../reported/transferState.ts'
import { hashKey } from '../reported/txHash.ts'

/** The longest wait for the first transaction, in milliseconds. An indexer that lacks it then never gets it. */
const youngMs = 60_000

/**
 * What an operation waits for below a field, by `extensions.late` of the fields that it selects: `transaction` if they read
 * records of chains, `release` and `error` if the router reports them after a failure, and `time` if they change without a
 * new state.
 */
export const lateKinds = (info: GraphQLResolveInfo): ReadonlySet<string> =>
  new Set([...extensionsBelow(info, 'late')].flat().filter((kind) => typeof kind === 'string'))

/**
 * The parts of a transfer that can come after its state. An indexer can have a transaction later than the router. A router
 * says that a transfer has failed before it knows where the funds are.
 */
export const lateParts = (
  context: LiveContext,
  ref: TransferRef,
  kinds: ReadonlySet<string>,
): LatePartsSource<TransferStatus> => ({
  kinds,
  async missing(status, awaited, ageMs, signal) {
    const named = awaited.has('transaction') ? transactionsIn(status, ref, ageMs) : new Map<string, TransactionRef>()
    const transactions = await inScopeOfItsOwn(context, signal, (own) => missingTransactions(own, named))
    return [...transactions, ...unreported(status)].filter(({ kind }) => awaited.has(kind))
  },
})

/** What the router has not reported of a failure: the release of the funds, and the reason. */
const unreported = ({ legs }: TransferStatus): LatePart[] =>
  legs.flatMap((leg, index) => {
    const outcome = outcomeOf(leg.state)
    const isFailure = outcome === 'FAILED'
    const isReleaseDue = isFailure || outcome === 'ABANDONED'
    const parts = [
      { kind: 'release', key: `release ${index}`, isDue: isReleaseDue && leg.release === null },
      { kind: 'release', key: `released ${index}`, isDue: isReleaseDue && !ifReadable(leg.release)?.released },
      { kind: 'error', key: `error ${index}`, isDue: isFailure && leg.error === null },
    ]
    return parts.filter(({ isDue }) => isDue).map(({ kind, key }) => ({ kind, key, isPolled: true }))
  })

interface TransactionRef {
  readonly chainId: string
  readonly hash: string
}

/** The transactions that a status names, and the first one, each once, by its key. Polls look for the first until the router knows it. */
function transactionsIn(
  { legs, search }: TransferStatus,
  first: TransferRef,
  ageMs: number,
): Map<string, TransactionRef> {
  const firstKey = `${first.chainId} ${hashKey(first.txHash)}`
  const hops = legs.flatMap(({ hops }) => hops)
  const named = new Map<string, TransactionRef>(
    hops
      .flatMap(({ transactions }) => transactions)
      .flatMap(({ chain_id, tx_hash }) => {
        const [chainId, hash] = [ifReadable(chain_id), ifReadable(tx_hash)]
        return chainId !== null && hash !== null ? [[`${chainId} ${hashKey(hash)}`, { chainId, hash }] as const] : []
      }),
  )
  if (search || ageMs >= youngMs) named.delete(firstKey)
  else named.set(firstKey, { chainId: first.chainId, hash: first.txHash })
  return named
}

/** The transactions that the indexers of this gateway do not have yet. Those of other chains do not count. */
async function missingTransactions(
  context: Context,
  transactions: ReadonlyMap<string, TransactionRef>,
): Promise<LatePart[]> {
  const served = [...transactions].filter(([, { chainId }]) => context.network.chains.has(chainId))
  const isMissing = await Promise.all(
    served.map(([, { chainId, hash }]) =>
      loadFromChain(context, chainId, hash).then(
        (found) => found === null,
        () => true,
      ),
    ),
  )
  return served.filter((_, index) => isMissing[index]).map(([key]) => ({ kind: 'transaction', key, isPolled: false }))
}
