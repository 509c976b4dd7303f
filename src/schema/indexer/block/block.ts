import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { checkHeight } from '../../../engine/graphql/scalars.ts'
import { badInput, GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { readValue } from '../../../engine/upstream/upstreamError.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { Coin, coinsOf, gasOf } from '../coin.ts'
import { keepValidatorName } from './validatorNames.ts'
import { type BlockRecord, findInList, loadBlock, type ProposerRecord } from './wire.ts'

/** A block by its height. The record is loaded when a field needs it. */
export interface BlockShape extends ChainNodeShape<'Block'> {
  readonly height: bigint
  readonly record?: BlockRecord
}

/** The graph's value for the block at a height that another record refers to, and its record if that is known. */
export const blockAt = (chain: ServedChain, height: bigint, record?: BlockRecord | undefined): BlockShape =>
  record ? blockShape(chain, record) : { __typename: 'Block', chain, height }

/** The graph's value for a block record that was read just now. Keeps the name of its proposer. */
export function readBlock(context: Pick<Context, 'scope'>, chain: ServedChain, record: BlockRecord): BlockShape {
  keepValidatorName(context, chain, record.proposer)
  return blockShape(chain, record)
}

/** The graph's value for a block record. */
const blockShape = (chain: ServedChain, record: BlockRecord): BlockShape => ({
  __typename: 'Block',
  chain,
  height: record.height,
  record,
})

/** The block at a height. Null if not indexed. */
export async function findBlock(context: Context, chain: ServedChain, height: bigint): Promise<BlockShape | null> {
  const record = await loadBlock(context, chain, height)
  return record && readBlock(context, chain, record)
}

async function loadRecord({ chain, height }: BlockShape, context: Context): Promise<BlockRecord> {
  const record = await loadBlock(context, chain, height)
  if (record) keepValidatorName(context, chain, record.proposer)
  if (record) return record
  // Another record refers to the block, so it exists. One replica may list it before others have it.
  const listed = await findInList(context, chain, height)
  if (listed) return listed
  throw new GatewayError(
    'UPSTREAM_INVALID_RESPONSE',
    `The indexer of ${chain.chainId} has no block ${height}, but another of its records refers to it.`,
    { service: chain.chainId },
  )
}

/** The time of a block that another record refers to, as RFC 3339. Several blocks asked for together share requests. */
export const timeOf = (block: BlockShape, context: Context): string | Promise<string> =>
  block.record ? block.record.timestamp : loadRecord(block, context).then(({ timestamp }) => timestamp)

/** A resolver that reads the record of a block. It is synchronous unless the record must be loaded. */
const read =
  <T>(pick: (record: BlockRecord, chain: ServedChain) => T) =>
  (shape: BlockShape, _args: object, context: Context): T | Promise<T> =>
    shape.record
      ? pick(shape.record, shape.chain)
      : loadRecord(shape, context).then((record) => pick(record, shape.chain))

const Proposer = builder.objectRef<ProposerRecord>('Proposer').implement({
  description: 'The validator that proposed a block.',
  fields: (t) => ({
    moniker: t.ifKnown('String', 'Display name, of at most 128 characters.', ({ moniker }) => moniker),
    identity: t.nullable(
      'String',
      'Keybase identity. Null if the validator has none.',
      ({ identity }) => identity || null,
    ),
    operatorAddress: t.ifKnown(
      'Address',
      'Operator address in bech32.',
      ({ operator_address }) => operator_address || null,
    ),
  }),
})

export const Block = chainNode<BlockShape>('Block', {
  description: 'A block. It is final.',
  keyOf: ({ height }) => String(height),
  load: (chain, key, context) => {
    if (!/^\d{1,19}$/.test(key)) throw badInput('Invalid block ID.', 'INVALID_ID')
    return findBlock(context, chain, checkHeight(BigInt(key)))
  },
  fields: (t) => {
    const record = t.through(read)
    return {
      height: t.value('UInt53', 'Block height, from 1.', ({ height }) => height),
      hash: record.value('Hash', 'Block hash: 64 upper-case hex digits.', ({ hash }) => hash),
      timestamp: record.nullable('DateTime', 'Time of the proposal, in whole seconds.', ({ timestamp }) => timestamp),
      blockTimeSeconds: record.nullable(
        'Float',
        'Seconds since the previous block. Null for the first block that the indexer has: it says 0.',
        ({ block_time }, { chainId }) => {
          const time = readValue(chainId, block_time)
          return time ? Number(time) / 1_000 : null
        },
      ),
      gasUsed: record.nullable('BigInt', 'Total gas used by its transactions.', (block, chain) =>
        gasOf(chain, block.gas_used),
      ),
      gasWanted: record.value('BigInt', 'Total of the gas limits of its transactions.', (block, chain) =>
        gasOf(chain, block.gas_wanted),
      ),
      transactionCount: record.value('UInt53', 'Number of Cosmos transactions.', ({ tx_count }) => tx_count),
      totalFee: record.nullable([Coin], 'Fees of its transactions.', (block, chain) => coinsOf(chain, block.total_fee)),
      proposer: record.ifKnown(Proposer, 'The proposer.', ({ proposer }) => proposer ?? null),
    }
  },
})

/** The argument of a block. */
export const heightArg = builder.args((t) => ({
  height: t.field({ type: 'UInt53', required: true, description: 'Block height, from 1.' }),
}))

builder.objectFields(Block, (t) => ({
  previous: t.field({
    type: Block,
    nullable: true,
    description: 'The block before this one. Null if not indexed. Nearby blocks share one upstream request.',
    complexity: callCost,
    resolve: ({ chain, height }, _args, context) => (height > 1n ? findBlock(context, chain, height - 1n) : null),
  }),
  next: t.field({
    type: Block,
    nullable: true,
    description: 'The block after this one. Null for the newest block. Nearby blocks share one upstream request.',
    complexity: callCost,
    resolve: ({ chain, height }, _args, context) => findBlock(context, chain, height + 1n),
  }),
}))
