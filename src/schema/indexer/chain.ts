import { z } from 'zod'
import { builder, type Context, callCost } from '../../graphql/builder.ts'
import { type NodeShape, nodeType } from '../../graphql/node.ts'
import { integer, pageOf, stringOrEmpty } from '../../upstream/decode.ts'
import type { ServedChain } from '../../upstream/network.ts'
import { get } from '../../upstream/request.ts'

// Upstream

/** A height that indexers leave out while they have none. */
const optionalHeight = integer.nullish().transform((height) => height || null)

const status = z.object({
  version: stringOrEmpty,
  commit_hash: stringOrEmpty,
  chain_id: stringOrEmpty,
  height: integer,
  internal_tx_height: optionalHeight,
  rich_list_height: optionalHeight,
})
type Status = z.output<typeof status>

/** Seconds as a number or its text. */
const seconds = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number),
])

/** The contract does not show this answer: a number, bare or in an object under a name of any spelling. */
const averageBlockTime = z.union([
  seconds,
  z
    .looseObject({})
    .transform((body) => Object.values(body).find((value) => seconds.safeParse(value).success))
    .pipe(seconds),
])

const statusCall = get('/status', status)
const averageBlockTimeCall = get('/indexer/block/v1/avg_blocktime', averageBlockTime)

// The indexer does not name its VM; the EVM routes of a chain without one answer 404. Of those routes
// this one is in the published contract, and an account nobody owns has the shortest answer.
const evmProbePath = `/indexer/tx/v1/evm-txs/by_account/0x${'0'.repeat(40)}`
const evmProbe = get(evmProbePath, pageOf('txs', z.unknown()), {
  query: { 'pagination.limit': 1, 'pagination.count_total': false },
})

/** By chain id: whether the chain has an EVM, as its indexer showed. */
const evmSupport = { name: 'evmSupport', maxEntries: 10_000 }

/** Whether the chain has an EVM: as configured, or else as one request to its indexer shows. */
export async function runsEvm(
  { scope, cache }: Pick<Context, 'scope' | 'cache'>,
  chain: ServedChain,
): Promise<boolean> {
  if (chain.vm) return chain.vm === 'EVM'
  const support = cache.open<boolean>(evmSupport)
  const known = support.get(chain.chainId)
  if (known !== undefined) return known
  const hasEvm = (await scope.fetch(chain.indexer, evmProbe)) !== null
  support.set(chain.chainId, hasEvm)
  return hasEvm
}

// Graph

/** A chain as the graph passes it around. */
export interface ChainShape extends NodeShape<'Chain'> {
  readonly served: ServedChain
}

/** The graph's value for a served chain. */
export const chainShape = (served: ServedChain): ChainShape => ({ __typename: 'Chain', served })

const VmKind = builder.enumType('VmKind', {
  description: 'The virtual machine a chain runs its contracts on.',
  values: {
    EVM: { description: 'The Ethereum virtual machine.' },
    MOVE: { description: 'The Move virtual machine.' },
    WASM: { description: 'CosmWasm.' },
  },
})

const ChainStatus = builder.objectRef<Status>('ChainStatus').implement({
  description: 'How far the indexer of a chain has come. The three heights move apart for seconds.',
  fields: (t) => ({
    chainId: t.exposeString('chain_id', { description: 'The chain id the indexer itself names.' }),
    version: t.exposeString('version', { description: 'Version of the indexer service.' }),
    commit: t.exposeString('commit_hash', { description: 'Commit the indexer was built from.' }),
    height: t.expose('height', {
      type: 'BigInt',
      description: 'Height of the newest block indexed.',
    }),
    internalTransactionHeight: t.expose('internal_tx_height', {
      type: 'BigInt',
      nullable: true,
      description:
        'Newest height with its EVM internal transactions indexed; null when they are not indexed at all, or not yet.',
    }),
    richListHeight: t.expose('rich_list_height', {
      type: 'BigInt',
      nullable: true,
      description: 'Height the rich lists stand at; null when none are kept.',
    }),
  }),
})

const ChainExplorer = builder
  .objectRef<ServedChain['explorers'][number]>('ChainExplorer')
  .implement({
    description: 'A block explorer of a chain, as the chain registry lists it.',
    fields: (t) => ({
      name: t.exposeString('name', { nullable: true, description: 'Name of the explorer.' }),
      transactionPage: t.exposeString('transactionPage', {
        nullable: true,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the registry's own placeholder
        description: 'Address of a transaction, with `${txHash}` in the place of the hash.',
      }),
      accountPage: t.exposeString('accountPage', {
        nullable: true,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the registry's own placeholder
        description: 'Address of an account, with `${accountAddress}` in the place of the address.',
      }),
    }),
  })

export const Chain = nodeType<ChainShape>('Chain', {
  description: 'A chain whose indexer this gateway asks. All on-chain records hang on one.',
  keyOf: ({ served }) => served.chainId,
  load: (chainId, { network }) => {
    const served = network.chains.get(chainId)
    return served ? chainShape(served) : null
  },
  fields: (t) => ({
    chainId: t.string({
      description: 'The id transactions are signed for, such as `interwoven-1`.',
      resolve: ({ served }) => served.chainId,
    }),
    name: t.string({
      description: 'The name people call it by; the chain id where none is configured.',
      resolve: ({ served }) => served.name,
    }),
    isDefault: t.boolean({
      description: 'Whether `chain` without an argument gives this chain.',
      resolve: ({ served }, _args, { network }) => network.defaultChain === served,
    }),
    vm: t.field({
      type: VmKind,
      nullable: true,
      description:
        'Its virtual machine. Asked of the indexer when not configured; null when that tells only that it is no EVM.',
      complexity: callCost,
      resolve: async ({ served }, _args, context) =>
        served.vm ?? ((await runsEvm(context, served)) ? 'EVM' : null),
    }),
    bech32Prefix: t.string({
      nullable: true,
      description: 'What its bech32 addresses begin with; null when not configured.',
      resolve: ({ served }) => served.bech32Prefix ?? null,
    }),
    logoUrl: t.string({
      nullable: true,
      description: 'A picture of the chain, from the chain registry.',
      resolve: ({ served }) => served.logoUrl ?? null,
    }),
    explorers: t.field({
      type: [ChainExplorer],
      description: 'Its block explorers, from the chain registry.',
      resolve: ({ served }) => [...served.explorers],
    }),
    feeDenoms: t.stringList({
      description: 'Base denoms that pay its fees, from the chain registry.',
      resolve: ({ served }) => [...served.feeDenoms],
    }),
    status: t.field({
      type: ChainStatus,
      nullable: true,
      description: 'How far its indexer has come. One upstream request.',
      complexity: callCost,
      resolve: ({ served }, _args, { scope }) => scope.fetch(served.indexer, statusCall),
    }),
    averageBlockTime: t.float({
      nullable: true,
      description:
        'Mean seconds between its newest 100 blocks; 0 before the second block. One upstream request.',
      complexity: callCost,
      resolve: ({ served }, _args, { scope }) => scope.fetch(served.indexer, averageBlockTimeCall),
    }),
  }),
})

builder.queryField('chain', (t) =>
  t.field({
    type: Chain,
    nullable: true,
    description: 'A chain served here; null when it is not.',
    args: {
      chainId: t.arg.string({ description: 'Its chain id; the default chain when left out.' }),
    },
    resolve: (_root, { chainId }, { network }) => {
      const served = chainId == null ? network.defaultChain : network.chains.get(chainId)
      return served ? chainShape(served) : null
    },
  }),
)

builder.queryField('chains', (t) =>
  t.field({
    type: [Chain],
    description: 'All chains served here, in the order they are configured.',
    complexity: (_args, { network }) => ({ field: 1, multiplier: network.chains.size }),
    resolve: (_root, _args, { network }) => [...network.chains.values()].map(chainShape),
  }),
)
