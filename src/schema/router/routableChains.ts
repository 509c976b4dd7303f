import { builder, type Context } from '../../engine/graphql/builder.ts'
import { connectionType } from '../../engine/graphql/connection.ts'
import { connectionFromArray } from '../../engine/graphql/connectionFromArray.ts'
import { cursorArgs, pageCost } from '../../engine/graphql/pageArgs.ts'
import { ifReadable, type Optional, type unreadable } from '../../engine/wire/optional.ts'
import { pasted } from '../../kit/pasted.ts'
import { Chain } from '../chain/chain.ts'
import { type ChainShape, chainOf, kindOf } from '../chain/knownChain.ts'
import { ChainKindEnum, FeeAssetType } from '../chain/parts.ts'
import { loadRouterRecord, type RouterChainRecord } from '../chain/routerRecords.ts'
import { Asset, assetOf } from './asset/asset.ts'
import { openCatalog } from './catalog.ts'
import { ifSent, readRouterValue } from './routerFields.ts'

type EvmFeeAssetShape = Exclude<RouterChainRecord['evm_fee_asset'], null | typeof unreadable>

const EvmFeeAsset = builder.objectRef<EvmFeeAssetShape>('EvmFeeAsset').implement({
  description: 'The coin for EVM gas, as wallets need it.',
  fields: (t) => ({
    name: ifSent(t, 'String', 'Full name, of at most 128 characters.', ({ name }) => name),
    symbol: ifSent(t, 'String', 'Short name, such as `ETH`, of at most 32 characters.', ({ symbol }) => symbol),
    decimals: ifSent(t, 'Int', 'Number of decimal places, from 0 to 77.', ({ decimals }) => decimals),
  }),
})

/** A resolver that reads the router's record of a chain. Null for a chain that the router does not reach. */
const read =
  <T>(pick: (record: RouterChainRecord) => Optional<T>) =>
  async ({ chainId }: ChainShape, _args: object, context: Context): Promise<T | null> => {
    const record = await loadRouterRecord(context, chainId)
    return readRouterValue(record && pick(record))
  }

builder.objectFields(Chain, (t) => ({
  evmFeeAsset: t.nullable(
    EvmFeeAsset,
    'The coin for EVM gas. Null without an EVM, or if unknown.',
    read((record) => record.evm_fee_asset),
  ),
  supportsMemo: t.nullable(
    'Boolean',
    'Whether transactions can have a memo. Null if the router does not reach it.',
    read((record) => record.supports_memo),
  ),
  isTestnet: t.nullable(
    'Boolean',
    'Whether the chain is a testnet. Null if the router does not reach it.',
    read((record) => record.is_testnet),
  ),
  isHidden: t.nullable(
    'Boolean',
    'Whether to hide it. Null if the router does not reach it.',
    read((record) => record.hidden),
  ),
}))

builder.objectField(FeeAssetType, 'asset', (t) =>
  t.ifKnown(Asset, 'The asset of the denom.', ({ chainId, denom }, _args, context) => assetOf(context, chainId, denom)),
)

const ChainFilter = builder.inputType('ChainFilter', {
  description: 'Which chains to list. All conditions hold.',
  fields: (t) => ({
    kind: t.field({ type: ChainKindEnum, description: 'Only chains of this family.' }),
    includeHidden: t.boolean({
      description: 'Whether to include chains that the router asks frontends to hide. Default: false.',
    }),
  }),
})

const namesOf = ({ pretty_name, chain_name, chain_id }: RouterChainRecord): string[] =>
  [ifReadable(pretty_name), ifReadable(chain_name), chain_id].filter((name) => name !== null)

const ChainConnection = connectionType(Chain, 'chains')

builder.queryField('routableChains', (t) =>
  t.field({
    type: ChainConnection,
    nullable: true,
    description: "Chains that the router reaches, in the router's order. At most five minutes old.",
    args: {
      search: t.arg.string({
        description: 'Part of a name or the id, in any case. All chains by default.',
      }),
      filter: t.arg({ type: ChainFilter, description: 'Which chains to list.' }),
      ...cursorArgs(),
    },
    complexity: pageCost,
    resolve: async (_root, args, context) => {
      const { all } = await openCatalog(context).chains()
      const search = pasted(args.search ?? '').toLowerCase()
      const kind = args.filter?.kind
      const includeHidden = args.filter?.includeHidden ?? false
      const matches = all.filter(
        (chain) =>
          (includeHidden || !chain.hidden) &&
          (!kind || kindOf(chain) === kind) &&
          namesOf(chain).some((name) => name.toLowerCase().includes(search)),
      )
      const list = `routableChains ${includeHidden} ${kind ?? ''} ${search}`
      return connectionFromArray(context, list, matches, args, ({ chain_id }) => chainOf(context, chain_id))
    },
  }),
)
