import type { z } from 'zod'
import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { connectionType } from '../../../graphql/connection.ts'
import { pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { resolveConnection } from '../../../graphql/resolveConnection.ts'
import { checkHeight } from '../../../graphql/scalars.ts'
import { badInput, GatewayError } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get } from '../../../upstream/request.ts'
import { Chain } from '../chain.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { Coin, coinsOf } from '../coin.ts'
import {
  type BlockRecord,
  blocksPage,
  blocksPath,
  findListed,
  loadBlock,
  type proposer,
} from './wire.ts'

/** A block by its height; its record is loaded when a field needs it. */
export interface BlockShape extends ChainNodeShape<'Block'> {
  readonly height: bigint
  readonly record?: BlockRecord
}

/** The graph's value for the block of a height that something else on the chain has named. */
export const blockAt = (chain: ServedChain, height: bigint): BlockShape => ({
  __typename: 'Block',
  chain,
  height,
})

async function findBlock(context: Context, chain: ServedChain, height: bigint) {
  const found = await loadBlock(context, chain, height)
  return found && { ...blockAt(chain, found.height), record: found }
}

async function contents(shape: BlockShape, context: Context): Promise<BlockRecord> {
  const { chain, height } = shape
  const found = shape.record ?? (await loadBlock(context, chain, height))
  if (found) return found
  // A record names the block, so it exists: a replica that lags by route may still list it.
  const listed = await findListed(context, chain, height)
  if (listed) return listed
  throw new GatewayError(
    'UPSTREAM_INVALID_RESPONSE',
    `The indexer of ${chain.chainId} does not have block ${height}, which one of its records names.`,
    { service: chain.chainId },
  )
}

/** A resolver that reads the block's record, loading it first where needed. */
const read =
  <T>(pick: (record: BlockRecord, chain: ServedChain) => T) =>
  async (shape: BlockShape, _args: object, context: Context): Promise<T> =>
    pick(await contents(shape, context), shape.chain)

const Proposer = builder.objectRef<z.output<typeof proposer>>('Proposer').implement({
  description: 'The validator that proposed a block. Some indexers leave all of it empty.',
  fields: (t) => ({
    moniker: t.exposeString('moniker', { description: 'The name it goes by; may be empty.' }),
    identity: t.exposeString('identity', { description: 'Its Keybase identity; mostly empty.' }),
    operatorAddress: t.exposeString('operator_address', {
      description: 'Its bech32 operator address; may be empty.',
    }),
  }),
})

export const Block = chainNode<BlockShape>('Block', {
  description: 'A committed block. It is final: no later block replaces it.',
  keyOf: ({ height }) => String(height),
  load: (chain, key, context) => {
    if (!/^\d{1,19}$/.test(key)) throw badInput('The id names no block.')
    return findBlock(context, chain, checkHeight(BigInt(key)))
  },
  fields: (t) => ({
    height: t.expose('height', { type: 'BigInt', description: 'Its number, from 1 up.' }),
    hash: t.field({
      type: 'Hash',
      description: 'Its hash: 64 upper-case hex digits.',
      resolve: read((one) => one.hash),
    }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'When it was proposed; indexers keep whole seconds.',
      resolve: read((one) => one.timestamp),
    }),
    blockTime: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Milliseconds since the block before; null where the indexer began.',
      resolve: read((one) => one.block_time || null),
    }),
    gasUsed: t.field({
      type: 'BigInt',
      description: 'Gas its transactions used.',
      resolve: read((one) => one.gas_used),
    }),
    gasWanted: t.field({
      type: 'BigInt',
      description: 'Gas its transactions asked for.',
      resolve: read((one) => one.gas_wanted),
    }),
    transactionCount: t.field({
      type: 'BigInt',
      description: 'Chain-native transactions in it.',
      resolve: read((one) => one.tx_count),
    }),
    totalFee: t.field({
      type: [Coin],
      description: 'Fees its transactions paid, one coin a denom.',
      resolve: read((one, chain) => coinsOf(chain, one.total_fee)),
    }),
    proposer: t.field({
      type: Proposer,
      nullable: true,
      description: 'The validator that proposed it; null when the indexer does not say.',
      resolve: read((one) => one.proposer ?? null),
    }),
  }),
})

builder.objectFields(Block, (t) => ({
  previous: t.field({
    type: Block,
    nullable: true,
    description: 'The block before; null at the first one indexed.',
    complexity: callCost,
    resolve: ({ chain, height }, _args, context) =>
      height > 1n ? findBlock(context, chain, height - 1n) : null,
  }),
  next: t.field({
    type: Block,
    nullable: true,
    description: 'The block after; null at the newest.',
    complexity: callCost,
    resolve: ({ chain, height }, _args, context) => findBlock(context, chain, height + 1n),
  }),
}))

const BlockConnection = connectionType(Block, 'blocks')

builder.objectFields(Chain, (t) => ({
  block: t.field({
    type: Block,
    nullable: true,
    description:
      'The block of a height; null when it is not indexed. Heights asked together that lie together cost one request.',
    args: { height: t.arg({ type: 'BigInt', required: true, description: 'From 1 up.' }) },
    complexity: callCost,
    resolve: ({ served }, { height }, context) => findBlock(context, served, checkHeight(height)),
  }),
  blocks: t.field({
    type: BlockConnection,
    nullable: true,
    description: 'Blocks by height.',
    args: pageArgs(),
    complexity: pageCost,
    resolve: ({ served }, args, context) =>
      resolveConnection(
        context,
        served.indexer,
        {
          path: blocksPath,
          page: blocksPage,
          strategy: { kind: 'keyset', field: 'height' },
          keyOf: (one) => one.height,
          total: () => countBlocks(context, served),
        },
        args,
        (one) => ({ ...blockAt(served, one.height), record: one }),
      ),
  }),
}))

// The `total` of this list is the newest height, which counts blocks only on an indexer that began at 1.
async function countBlocks(context: Context, chain: ServedChain): Promise<bigint | null> {
  const end = async (isReverse: boolean) => {
    const query = { 'pagination.limit': 1, 'pagination.reverse': isReverse }
    const page = await context.scope.fetch(chain.indexer, get(blocksPath, blocksPage, { query }))
    return page?.items[0]?.height
  }
  const [newest, oldest] = await Promise.all([end(true), end(false)])
  return newest === undefined || oldest === undefined ? 0n : newest - oldest + 1n
}
