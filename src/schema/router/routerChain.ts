import { builder, type Context, callCost } from '../../graphql/builder.ts'
import { connectionType } from '../../graphql/connection.ts'
import { connectionFromArray } from '../../graphql/connectionFromArray.ts'
import { type NodeShape, nodeType } from '../../graphql/node.ts'
import { cursorArgs, pageCost } from '../../graphql/pageArgs.ts'
import { Chain } from '../indexer/chain.ts'
import { catalogOf, type RouterChainBody } from './catalog.ts'
import { checkChainId, servedChain } from './routerInput.ts'

/** The graph's value for a chain that the router reaches. */
interface RouterChainShape extends NodeShape<'RouterChain'> {
  readonly body: RouterChainBody
}

const routerChainShape = (body: RouterChainBody): RouterChainShape => ({
  __typename: 'RouterChain',
  body,
})

/** The router's record of a chain. Null if it has none, or if no router is configured. */
export async function routerChainOf(
  context: Context,
  chainId: string | null,
): Promise<RouterChainShape | null> {
  if (chainId === null || !context.network.router) return null
  const chain = (await catalogOf(context).chains()).find(chainId)
  return chain && routerChainShape(chain)
}

const chainKinds = { cosmos: 'COSMOS', evm: 'EVM', svm: 'SVM' } as const

const ChainKind = builder.enumType('ChainKind', {
  description: 'The family of a chain. It decides the form of its transactions and addresses.',
  values: {
    COSMOS: { description: 'Cosmos SDK chains: bech32 addresses and transactions of messages.' },
    EVM: { description: 'EVM chains: hex addresses and Ethereum transactions.' },
    SVM: { description: 'Solana: base58 addresses and Solana transactions.' },
    UNKNOWN: { description: 'A family that this gateway does not know.' },
  },
})

const kindOf = ({ body }: RouterChainShape) =>
  Object.entries(chainKinds).find(([type]) => type === body.chain_type)?.[1] ?? 'UNKNOWN'

export const RouterChain = nodeType<RouterChainShape>('RouterChain', {
  description: 'A chain that the router reaches. This gateway may not serve it.',
  keyOf: ({ body }) => body.chain_id,
  load: async (chainId, context) => {
    const chain = (await catalogOf(context).chains()).find(chainId)
    return chain && routerChainShape(chain)
  },
  fields: (t) => ({
    chainId: t.string({
      description:
        'The chain id: a name such as `osmosis-1`, or a decimal number for an EVM chain.',
      resolve: ({ body }) => body.chain_id,
    }),
    name: t.string({
      description: 'Display name. The chain id if the router does not report a name.',
      resolve: ({ body }) => body.pretty_name ?? body.chain_name ?? body.chain_id,
    }),
    kind: t.field({
      type: ChainKind,
      description: 'The family of the chain.',
      resolve: kindOf,
    }),
    logoUrl: t.string({
      nullable: true,
      description: 'URL of the logo. Null if the router does not report it.',
      resolve: ({ body }) => body.logo_uri,
    }),
    bech32Prefix: t.string({
      nullable: true,
      description: 'Prefix of its bech32 addresses. Null if the chain does not use bech32.',
      resolve: ({ body }) => body.bech32_prefix,
    }),
    feeDenoms: t.stringList({
      description: 'Base denoms accepted for fees, the preferred one first.',
      resolve: ({ body }) => body.fee_assets.map(({ denom }) => denom),
    }),
    supportsMemo: t.boolean({
      description: 'Whether its transactions can carry a memo.',
      resolve: ({ body }) => body.supports_memo,
    }),
    isTestnet: t.boolean({
      description: 'Whether the chain is a testnet.',
      resolve: ({ body }) => body.is_testnet,
    }),
    isHidden: t.boolean({
      description: 'Whether the router asks frontends to hide it.',
      resolve: ({ body }) => body.hidden,
    }),
    chain: t.field({
      type: Chain,
      nullable: true,
      description: 'The same chain with its indexed data. Null if this gateway does not serve it.',
      resolve: ({ body }, _args, context) => servedChain(context, body.chain_id),
    }),
  }),
})

const RouterChainConnection = connectionType(RouterChain, 'chains that the router reaches')

builder.objectField(Chain, 'routerChain', (t) =>
  t.field({
    type: RouterChain,
    nullable: true,
    description: "The router's record of this chain. Null if the router does not reach it.",
    resolve: ({ served }, _args, context) => routerChainOf(context, served.chainId),
  }),
)

builder.queryField('routerChain', (t) =>
  t.field({
    type: RouterChain,
    nullable: true,
    description: 'A chain that the router reaches. Null if the router does not reach it.',
    args: { chainId: t.arg.string({ required: true, description: 'The chain id.' }) },
    complexity: callCost,
    resolve: async (_root, { chainId }, context) => {
      const chain = (await catalogOf(context).chains()).find(checkChainId(chainId))
      return chain && routerChainShape(chain)
    },
  }),
)

builder.queryField('routerChains', (t) =>
  t.field({
    type: RouterChainConnection,
    nullable: true,
    description:
      "Chains that the router reaches, in the router's order. Served from a cache that is refreshed every five minutes.",
    args: {
      search: t.arg.string({
        description: 'Part of the name or id, in any case. All chains by default.',
      }),
      includeHidden: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to include chains that the router asks frontends to hide.',
      }),
      ...cursorArgs(),
    },
    complexity: pageCost,
    resolve: async (_root, args, context) => {
      const { all } = await catalogOf(context).chains()
      const search = args.search?.trim().toLowerCase() ?? ''
      const matches = all.filter(
        (chain) =>
          (args.includeHidden || !chain.hidden) &&
          [chain.pretty_name, chain.chain_name, chain.chain_id].some((name) =>
            name?.toLowerCase().includes(search),
          ),
      )
      const list = `routerChains ${args.includeHidden} ${search}`
      return connectionFromArray(context, list, matches, args, routerChainShape)
    },
  }),
)
