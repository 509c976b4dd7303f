import { builder, callCost, type LiveContext } from '../../../engine/graphql/builder.ts'
import { inScopeOfItsOwn, liveOf } from '../../../engine/graphql/live.ts'
import { checkHash, nativeHash } from '../../../engine/graphql/scalars.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { Chain } from '../../chain/chain.ts'
import { chainShape } from '../../chain/knownChain.ts'
import type { ChainNodeShape } from '../chainNode.ts'
import { loadIndexed } from '../evm/loadIndexed.ts'
import { IndexedTransaction } from '../indexedTransaction.ts'
import { blockFeed } from './blockFeed.ts'
import { followChain } from './watchedChain.ts'

/** A transaction that is awaited. */
interface Sighting {
  readonly chain: ServedChain
  readonly hash: string
  readonly node: ChainNodeShape | null
}

const LiveTransaction = builder.objectRef<Sighting>('LiveTransaction').implement({
  description: 'A transaction that is awaited.',
  fields: (t) => ({
    chain: t.value(Chain, 'The chain.', ({ chain }) => chainShape(chain)),
    hash: t.expose('hash', { type: 'Hash', description: 'Hash of the transaction, as given.' }),
    node: t.expose('node', {
      type: IndexedTransaction,
      nullable: true,
      description: 'The transaction. Null while it is not indexed.',
    }),
  }),
})

/** Looks a transaction up, which may come after it was missing. */
const fetchRecord =
  (context: LiveContext, chain: ServedChain, hash: string) => async (signal: LiveContext['scope']['signal']) => {
    const watched = { ...chain, indexer: context.peers.over(chain.indexer) }
    const node = await inScopeOfItsOwn(context, signal, (own) => loadIndexed(own, watched, hash))
    // The fields of the transaction are queries like all others.
    return node && { ...node, chain }
  }

builder.subscriptionField('transaction', (t) =>
  t.field({
    type: LiveTransaction,
    description:
      'Waits for a transaction to be indexed. The first event has a null `node` if it is not yet. Completes with the transaction. Ends with an error after ten minutes, or if the chain is removed.',
    args: {
      chainId: t.arg({ type: 'ChainId', required: true, description: 'A chain of `chains`.' }),
      hash: t.arg({
        type: 'Hash',
        required: true,
        description: 'Hash of a Cosmos or EVM transaction, in any case, with or without 0x.',
      }),
    },
    complexity: callCost,
    subscribe(_root, { chainId, hash: text }, subscription) {
      const context = liveOf(subscription)
      const { network, feeds, poller, scope } = context
      const hash = checkHash(text)
      const key = `transaction ${chainId} ${nativeHash(hash)}`
      const open = (chain: ServedChain) =>
        feeds.awaitRecord(blockFeed(chain, context), {
          key: `${key} of ${chain.indexer.source}`,
          fetch: fetchRecord(context, chain, hash),
          mayContain: ({ tx_count }) => tx_count > 0n,
          reserve: () => poller.quota.acquire(scope.requester.client, key),
          messages: {
            timeout: `The indexer of ${chainId} did not respond in time.`,
            notFound: `The transaction was not indexed on ${chainId} within ten minutes.`,
          },
        })
      return followChain(network, chainId, open, (node, chain): Sighting => ({ chain, hash, node }))
    },
    resolve: (sighting) => sighting,
  }),
)
