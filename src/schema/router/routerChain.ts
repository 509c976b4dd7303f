import { builder, type Context, callCost } from '../../graphql/builder.ts'
import { connectionType } from '../../graphql/connection.ts'
import { connectionFromArray } from '../../graphql/connectionFromArray.ts'
import { type NodeShape, nodeType } from '../../graphql/node.ts'
import { cursorArgs, pageCost } from '../../graphql/pageArgs.ts'
import { Chain } from '../indexer/chain.ts'
import { catalogOf, type RouterChainBody } from './catalog.ts'
import { checkChainId, servedChain } from './routerInput.ts'

/** A chain as the router knows it. */
export interface RouterChainShape extends NodeShape<'RouterChain'> {
  readonly body: RouterChainBody
}

const routerChainShape = (body: RouterChainBody): RouterChainShape => ({
  __typename: 'RouterChain',
  body,
})

/** The router's record of a chain; null when it has none, or when there is no router. */
export async function routerChainOf(
  context: Context,
  chainId: string | null,
): Promise<RouterChainShape | null> {
  if (chainId === null || !context.network.router) return null
  const found = (await catalogOf(context).chains()).find(chainId)
  return found && routerChainShape(found)
}

const chainKinds = { cosmos: 'COSMOS', evm: 'EVM', svm: 'SVM' } as const

const ChainKind = builder.enumType('ChainKind', {
  description: 'The family of a chain, which decides what its transactions and addresses are.',
  values: {
    COSMOS: { description: 'Bech32 addresses, signed documents of messages.' },
    EVM: { description: 'Hex addresses, Ethereum transactions.' },
    SVM: { description: 'Base58 addresses, Solana transactions.' },
    UNKNOWN: { description: 'A family newer than this gateway.' },
  },
})

const kindOf = ({ body }: RouterChainShape) =>
  Object.entries(chainKinds).find(([word]) => word === body.chain_type)?.[1] ?? 'UNKNOWN'

export const RouterChain = nodeType<RouterChainShape>('RouterChain', {
  description: 'A chain the router reaches. Many of them are not served by this gateway.',
  keyOf: ({ body }) => body.chain_id,
  load: async (chainId, context) => {
    const found = (await catalogOf(context).chains()).find(chainId)
    return found && routerChainShape(found)
  },
  fields: (t) => ({
    chainId: t.string({
      description: 'Its id: of the interchain, or the decimal number of an EVM chain.',
      resolve: ({ body }) => body.chain_id,
    }),
    name: t.string({
      description: 'The name people call it by; the chain id where the router has none.',
      resolve: ({ body }) => body.pretty_name ?? body.chain_name ?? body.chain_id,
    }),
    kind: t.field({
      type: ChainKind,
      description: 'Its family.',
      resolve: kindOf,
    }),
    logoUrl: t.string({
      nullable: true,
      description: 'A picture of the chain.',
      resolve: ({ body }) => body.logo_uri,
    }),
    bech32Prefix: t.string({
      nullable: true,
      description: 'What its addresses begin with; null where they are no bech32.',
      resolve: ({ body }) => body.bech32_prefix,
    }),
    feeDenoms: t.stringList({
      description: 'Base denoms that pay its fees, the usual one first.',
      resolve: ({ body }) => body.fee_assets.map(({ denom }) => denom),
    }),
    supportsMemo: t.boolean({
      description: 'Whether its transactions carry a memo.',
      resolve: ({ body }) => body.supports_memo,
    }),
    isTestnet: t.boolean({
      description: 'Whether its assets are worth nothing.',
      resolve: ({ body }) => body.is_testnet,
    }),
    isHidden: t.boolean({
      description: 'Whether the router asks frontends not to offer it.',
      resolve: ({ body }) => body.hidden,
    }),
    chain: t.field({
      type: Chain,
      nullable: true,
      description: 'The same chain with its records; null where this gateway does not serve it.',
      resolve: ({ body }, _args, context) => servedChain(context, body.chain_id),
    }),
  }),
})

const RouterChainConnection = connectionType(RouterChain, 'chains the router reaches')

builder.objectField(Chain, 'routerChain', (t) =>
  t.field({
    type: RouterChain,
    nullable: true,
    description: "The router's record of this chain; null when it does not reach it.",
    resolve: ({ served }, _args, context) => routerChainOf(context, served.chainId),
  }),
)

builder.queryField('routerChain', (t) =>
  t.field({
    type: RouterChain,
    nullable: true,
    description: 'A chain the router reaches; null when it does not.',
    args: { chainId: t.arg.string({ required: true, description: 'Its id.' }) },
    complexity: callCost,
    resolve: async (_root, { chainId }, context) => {
      const found = (await catalogOf(context).chains()).find(checkChainId(chainId))
      return found && routerChainShape(found)
    },
  }),
)

builder.queryField('routerChains', (t) =>
  t.field({
    type: RouterChainConnection,
    nullable: true,
    description:
      'Chains the router reaches, in its own order. Answered from memory, which is renewed every few minutes.',
    args: {
      search: t.arg.string({
        description: 'Part of the name or id, in any case; all chains when left out.',
      }),
      includeHidden: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to list chains the router asks not to offer.',
      }),
      ...cursorArgs(),
    },
    complexity: pageCost,
    resolve: async (_root, args, context) => {
      const { all } = await catalogOf(context).chains()
      const search = args.search?.trim().toLowerCase() ?? ''
      const found = all.filter(
        (one) =>
          (args.includeHidden || !one.hidden) &&
          [one.pretty_name, one.chain_name, one.chain_id].some((name) =>
            name?.toLowerCase().includes(search),
          ),
      )
      const list = `routerChains ${args.includeHidden} ${search}`
      return connectionFromArray(context, list, found, args, routerChainShape)
    },
  }),
)
