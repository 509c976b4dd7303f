import { builder } from '../../engine/graphql/builder.ts'
import { checkHash } from '../../engine/graphql/scalars.ts'
import type { FeeAsset, ListedChain } from '../../engine/upstream/network.ts'
import { readValue } from '../../engine/upstream/upstreamError.ts'

export const ChainKindEnum = builder.enumType('ChainKind', {
  description: 'The family of a chain: its form of transactions and addresses.',
  values: {
    COSMOS: { description: 'Cosmos SDK chains: bech32 addresses and transactions of messages.' },
    EVM: { description: 'EVM chains: hex addresses and Ethereum transactions.' },
    SVM: { description: 'Solana: base58 addresses and Solana transactions.' },
    UNKNOWN: { description: 'A family unknown to this gateway. See `rawKind`.' },
  },
})

/** The URL of a page, from a template of the chain registry. Null if that is no URL with the placeholder. */
function pageUrl(template: string | null, placeholder: string, value: string): string | null {
  const parts = template?.split(`\${${placeholder}}`) ?? []
  // A buffer replaces lone surrogates, since `encodeURIComponent` throws for them.
  const url = parts.join(encodeURIComponent(Buffer.from(value).toString()))
  return parts.length > 1 && URL.canParse(url) ? url : null
}

export const ChainExplorer = builder.objectRef<ListedChain['explorers'][number]>('ChainExplorer').implement({
  description: 'A block explorer of a chain, from the chain registry.',
  fields: (t) => ({
    name: t.nullable(
      'String',
      'Name of the explorer, of at most 128 characters. Null if not configured.',
      ({ name }) => name,
    ),
    transactionUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'URL of the page of a transaction. Null if unknown.',
      args: {
        hash: t.arg({ type: 'Hash', required: true, description: 'Hash of the transaction.' }),
      },
      resolve: ({ transactionPage }, { hash }) => pageUrl(transactionPage, 'txHash', checkHash(hash)),
    }),
    accountUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'URL of the page of an account. Null if unknown.',
      args: {
        address: t.arg({
          type: 'Address',
          required: true,
          description: 'Address of the account, in the form that the explorer knows.',
        }),
      },
      resolve: ({ accountPage }, { address }) => pageUrl(accountPage, 'accountAddress', address),
    }),
  }),
})

const GasPrice = builder.objectRef<FeeAsset>('GasPrice').implement({
  description: 'Prices of a unit of gas, in base units.',
  fields: (t) => ({
    low: t.ifKnown('Decimal', 'Price for slow inclusion.', ({ low }) => readValue('router', low)),
    average: t.ifKnown('Decimal', 'Usual price.', ({ average }) => readValue('router', average)),
    high: t.ifKnown('Decimal', 'Price for fast inclusion.', ({ high }) => readValue('router', high)),
  }),
})

export interface FeeAssetShape extends FeeAsset {
  readonly chainId: string
}

export const FeeAssetType = builder.objectRef<FeeAssetShape>('FeeAsset').implement({
  description: 'A denom that pays the fees of a chain.',
  fields: (t) => ({
    denom: t.value('Denom', 'Base denom.', ({ denom }) => denom),
    gasPrice: t.ifKnown(GasPrice, 'Gas prices in this denom.', (asset) =>
      (asset.low ?? asset.average ?? asset.high) === null ? null : asset,
    ),
  }),
})
