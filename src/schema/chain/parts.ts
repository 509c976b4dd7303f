import { builder } from '../../graphql/builder.ts'
import type { FeeAsset, ListedChain } from '../../upstream/network.ts'

export const ChainKindEnum = builder.enumType('ChainKind', {
  description: 'The family of a chain. It decides the form of its transactions and addresses.',
  values: {
    COSMOS: { description: 'Cosmos SDK chains: bech32 addresses and transactions of messages.' },
    EVM: { description: 'EVM chains: hex addresses and Ethereum transactions.' },
    SVM: { description: 'Solana: base58 addresses and Solana transactions.' },
    UNKNOWN: { description: 'A family that this gateway does not know.' },
  },
})

export const ChainExplorer = builder
  .objectRef<ListedChain['explorers'][number]>('ChainExplorer')
  .implement({
    description: 'A block explorer of a chain, from the chain registry.',
    fields: (t) => ({
      name: t.exposeString('name', {
        nullable: true,
        description: 'Name of the explorer. Null if not configured.',
      }),
      transactionPage: t.exposeString('transactionPage', {
        nullable: true,
        description:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the chain registry
          'URL template of a transaction page, with `${txHash}` for the hash. Null if not configured.',
      }),
      accountPage: t.exposeString('accountPage', {
        nullable: true,
        description:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the chain registry
          'URL template of an account page, with `${accountAddress}` for the address. Null if not configured.',
      }),
    }),
  })

const GasPrice = builder.objectRef<FeeAsset>('GasPrice').implement({
  description: 'What one unit of gas costs, in base units of a denom.',
  fields: (t) => ({
    low: t.expose('low', {
      type: 'Decimal',
      nullable: true,
      description: 'Price for slow inclusion. Null if not known.',
    }),
    average: t.expose('average', {
      type: 'Decimal',
      nullable: true,
      description: 'Usual price. Null if not known.',
    }),
    high: t.expose('high', {
      type: 'Decimal',
      nullable: true,
      description: 'Price for fast inclusion. Null if not known.',
    }),
  }),
})

/** A fee asset of a chain. */
export interface FeeAssetShape extends FeeAsset {
  readonly chainId: string
}

export const FeeAssetType = builder.objectRef<FeeAssetShape>('FeeAsset').implement({
  description: 'A denom that pays the fees of a chain.',
  fields: (t) => ({
    denom: t.expose('denom', { type: 'Denom', description: 'Base denom.' }),
    gasPrice: t.field({
      type: GasPrice,
      nullable: true,
      description: 'Gas prices in this denom. Null if not known.',
      resolve: (asset) => ((asset.low ?? asset.average ?? asset.high) === null ? null : asset),
    }),
  }),
})
