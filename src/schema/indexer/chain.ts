import { z } from 'zod'
import { builder, callCost } from '../../engine/graphql/builder.ts'
import type { Upstream } from '../../engine/upstream/client.ts'
import { get } from '../../engine/upstream/request.ts'
import type { RequestScope } from '../../engine/upstream/requestScope.ts'
import { readValue } from '../../engine/upstream/upstreamError.ts'
import { count, number, optionalCount, stringOrNull } from '../../engine/wire/decode.ts'
import { Chain } from '../chain/chain.ts'
import { runsEvm } from '../chain/evmSupport.ts'

// Upstream

/** A height that indexers omit or set to 0 while they have none. */
const optionalHeight = optionalCount.transform((height) => height || null)

const status = z.object({
  version: stringOrNull,
  commit_hash: stringOrNull,
  chain_id: stringOrNull,
  height: count,
  internal_tx_height: optionalHeight,
  rich_list_height: optionalHeight,
})

/** The status of the indexer of the chain `service`. */
type Status = z.output<typeof status> & { readonly service: string }

/** Seconds, as a number or as text. */
const seconds = z.union([
  number.refine((value) => value >= 0),
  z
    .string()
    .regex(/^\d{1,78}(\.\d{1,78})?$/)
    .transform(Number),
])

/** The field with an average comes first, then any field with a time. */
const averageNames = [/avg|average|mean/i, /time(?!stamp)|sec/i]

/** The seconds in an object: its only field, or the one whose name says so. Others can be a height, or the code of an error. */
function secondsIn(body: Record<string, unknown>): unknown {
  const numbers = Object.entries(body).filter(([, value]) => seconds.safeParse(value).success)
  if (Object.keys(body).length === 1) return numbers[0]?.[1]
  const named = averageNames.map((names) => numbers.find(([name]) => names.test(name)))
  return named.find((entry) => entry !== undefined)?.[1]
}

/** The contract leaves this response open: a number, or an object with the number. */
const averageBlockTime = z.union([seconds, z.looseObject({}).transform(secondsIn).pipe(seconds)])

export const statusRequest = get('/status', status)

/** Asks an indexer for its height. Null if it has no status. Shares the response with equal requests. */
export const fetchStatus = (
  indexer: Upstream,
  signal: RequestScope['signal'],
): Promise<{ readonly height: bigint } | null> => indexer.send(statusRequest, signal)

const averageBlockTimeRequest = get('/indexer/block/v1/avg_blocktime', averageBlockTime)

// Graph

const VmKind = builder.enumType('VmKind', {
  description: 'The virtual machine that runs the contracts of a chain.',
  values: {
    EVM: { description: 'Ethereum Virtual Machine.' },
    MOVE: { description: 'Move virtual machine.' },
    WASM: { description: 'CosmWasm.' },
  },
})

const ChainStatus = builder.objectRef<Status>('ChainStatus').implement({
  description: 'Progress of an indexer. The three heights can differ.',
  fields: (t) => ({
    chainId: t.ifKnown('ChainId', 'Chain id that the indexer reports.', ({ chain_id }) => chain_id),
    version: t.ifKnown('String', 'Version of the indexer.', ({ version }) => version),
    commit: t.ifKnown('String', 'Commit that the indexer was built from.', ({ commit_hash }) => commit_hash),
    height: t.value('UInt53', 'Height of the newest indexed block.', ({ height }) => height),
    internalTransactionHeight: t.nullable(
      'UInt53',
      'EVM calls are indexed up to this height. Null if none are.',
      ({ service, internal_tx_height }) => readValue(service, internal_tx_height),
    ),
    richListHeight: t.nullable(
      'UInt53',
      'Height of the rich lists. Null if the indexer keeps none.',
      ({ service, rich_list_height }) => readValue(service, rich_list_height),
    ),
  }),
})

builder.objectFields(Chain, (t) => ({
  vm: t.field({
    type: VmKind,
    nullable: true,
    description: 'Virtual machine. Null if unknown, or without an indexer.',
    complexity: callCost,
    resolve: ({ listed, served }, _args, context) => {
      if (listed?.vm || !served) return listed?.vm ?? null
      return Promise.resolve(runsEvm(context, served)).then((hasEvm) => (hasEvm ? 'EVM' : null))
    },
  }),
  status: t.field({
    type: ChainStatus,
    nullable: true,
    description: 'Progress of its indexer. Null without an indexer. Costs one upstream request.',
    complexity: callCost,
    resolve: async ({ served }, _args, { scope }) => {
      const found = served && (await scope.fetch(served.indexer, statusRequest))
      return found && { ...found, service: served.chainId }
    },
  }),
  averageBlockTimeSeconds: t.float({
    nullable: true,
    description: 'Average seconds between the newest 100 blocks. Null without an indexer. Costs one upstream request.',
    complexity: callCost,
    resolve: ({ served }, _args, { scope }) => served && scope.fetch(served.indexer, averageBlockTimeRequest),
  }),
}))
