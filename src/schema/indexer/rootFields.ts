import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { checkHash, checkHeight, nativeHash } from '../../engine/graphql/scalars.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import { checkAddress } from '../account/address.ts'
import { checkChainId } from '../chain/chainId.ts'
import { withinShare } from './accounts/chainShare.ts'
import { Block, findBlock, heightArg } from './block/block.ts'
import type { EvmTransactionShape } from './evm/evmTransaction.ts'
import { loadIndexed } from './evm/loadIndexed.ts'
import { IndexedTransaction } from './indexedTransaction.ts'
import { loadNft, Nft, nftArgs } from './nft/nft.ts'
import { collectionArgs, loadCollection, NftCollection } from './nft/nftCollection.ts'
import type { TransactionShape } from './transaction/transaction.ts'

// Frequent records at the root, without their chain as a step in between.

type FoundTransaction = TransactionShape | EvmTransactionShape

/** By hash: the chains on which transactions were found. */
const foundChains: CacheRegion<string> = { name: 'chains by hash', maxEntries: 10_000 }

/**
 * The transaction with a hash on the chain that has it, as soon as one does. Null if all chains say that they do
 * not. Rejects if none has it and one could not be asked.
 */
async function findAnywhere(context: Context, hash: string): Promise<FoundTransaction | null> {
  const { network, scope } = context
  const chains = scope.cache.hints.open(foundChains)
  const name = nativeHash(hash)
  const known = network.chains.get(chains.get(name) ?? '')
  const again = known && (await loadIndexed(context, known, hash).catch(() => null))
  if (again) return again
  const asked = [...network.chains.values()].map((chain) =>
    withinShare(context, chain.chainId, () => loadIndexed(context, chain, hash)),
  )
  const found = await firstFound(asked)
  if (found) chains.set(name, found.chain.chainId)
  return found
}

/** The first value that is not null. Null if all are. Rejects if the others are null and one rejects. */
async function firstFound<T>(promises: readonly Promise<T | null>[]): Promise<T | null> {
  const nothing = new Error('not found')
  const values = promises.map(async (promise) => {
    const value = await promise
    if (value === null) throw nothing
    return value
  })
  return Promise.any(values).catch((error: unknown) => {
    const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error]
    const fault = reasons.find((reason) => reason !== nothing)
    if (fault === undefined) return null
    throw fault
  })
}

/** The value read from a chain. Null if no indexer serves it. Throws `BAD_USER_INPUT` for an invalid chain id. */
function onChain<R>({ network }: Context, chainId: string, read: (chain: ServedChain) => R): R | null {
  const chain = network.chains.get(checkChainId(chainId))
  return chain ? read(chain) : null
}

const chainArg = 'Chain ID. The result is null without its indexer.'

builder.queryFields((t) => ({
  transaction: t.field({
    type: IndexedTransaction,
    nullable: true,
    description:
      'The transaction with this hash, of either kind, on any chain. Null if no chain has it; an error if a chain could not be asked. Costs up to two upstream requests a chain, once a hash.',
    args: {
      hash: t.arg({
        type: 'Hash',
        required: true,
        description: 'Hash of a Cosmos or EVM transaction, in any case, with or without 0x.',
      }),
      chainId: t.arg({
        type: 'ChainId',
        description: `${chainArg} All chains if omitted.`,
      }),
    },
    complexity: ({ chainId }, { network }) => 2 * callCost * (chainId == null ? network.chains.size : 1),
    resolve: (_root, args, context): Promise<FoundTransaction | null> | null => {
      const hash = checkHash(args.hash)
      return args.chainId == null
        ? findAnywhere(context, hash)
        : onChain(context, args.chainId, (chain) => loadIndexed(context, chain, hash))
    },
  }),
  block: t.field({
    type: Block,
    nullable: true,
    description: 'The block of a chain at this height. Null if not indexed.',
    args: {
      chainId: t.arg({ type: 'ChainId', required: true, description: chainArg }),
      ...heightArg,
    },
    complexity: callCost,
    resolve: (_root, args, context) => {
      const height = checkHeight(args.height)
      return onChain(context, args.chainId, (chain) => findBlock(context, chain, height))
    },
  }),
  nft: t.field({
    type: Nft,
    nullable: true,
    description: 'The NFT with this token id. Null if not indexed, or burned. Costs one upstream request.',
    args: {
      chainId: t.arg({ type: 'ChainId', required: true, description: chainArg }),
      ...nftArgs,
    },
    complexity: callCost,
    resolve: (_root, { chainId, collection, tokenId }, context) =>
      onChain(context, chainId, (chain) => loadNft(context, chain, checkAddress(chain, collection), tokenId)),
  }),
  nftCollection: t.field({
    type: NftCollection,
    nullable: true,
    description: 'The NFT collection at this address. Null if not indexed. Costs one upstream request.',
    args: {
      chainId: t.arg({ type: 'ChainId', required: true, description: chainArg }),
      ...collectionArgs,
    },
    complexity: callCost,
    resolve: (_root, { chainId, address }, context) =>
      onChain(context, chainId, (chain) => loadCollection(context, chain, checkAddress(chain, address))),
  }),
}))
