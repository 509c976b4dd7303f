import { builder } from '../../../graphql/builder.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { Account, type AccountShape, accountOf } from '../account.ts'
import { Coin, type CoinShape, coinsOf } from '../coin.ts'
import { attributesOf, type TransactionRecord } from './wire.ts'

interface Signer {
  readonly account: AccountShape | null
  readonly publicKeyType: string | null
  readonly publicKey: unknown
  readonly sequence: bigint | null
}

interface Fee {
  readonly amount: CoinShape[]
  readonly gasLimit: bigint | null
  readonly payer: AccountShape | null
  readonly granter: AccountShape | null
}

/**
 * The signers of a transaction. The signed part has their keys only. Their addresses come from the `tx`
 * events, where the Cosmos SDK reports `acc_seq` as `address/sequence` for each signer in order.
 */
export function signersOf(chain: ServedChain, { tx, events }: TransactionRecord): Signer[] {
  const addresses = attributesOf(events, 'tx', 'acc_seq').map((value) => value.split('/')[0] ?? '')
  const infos = tx?.auth_info?.signer_infos ?? []
  const count = Math.max(addresses.length, infos.length)
  return Array.from({ length: count }, (_, i) => {
    const info = infos[i]
    return {
      account: accountOf(chain, addresses[i] ?? null),
      publicKeyType: info?.public_key?.['@type'] || null,
      publicKey: publicKeyOf(info?.public_key),
      sequence: info?.sequence ?? null,
    }
  })
}

/** The `key` of a single public key, or all fields but the type of a multisig key. */
function publicKeyOf(publicKey: Readonly<Record<string, unknown>> | null | undefined): unknown {
  const { '@type': _type, key, ...parts } = publicKey ?? {}
  return key ?? (Object.keys(parts).length > 0 ? parts : null)
}

/** The fee of a transaction. Null if the record has none. */
export function feeOf(chain: ServedChain, { tx }: TransactionRecord): Fee | null {
  const fee = tx?.auth_info?.fee
  return fee
    ? {
        amount: coinsOf(chain, fee.amount),
        gasLimit: fee.gas_limit ?? null,
        payer: accountOf(chain, fee.payer),
        granter: accountOf(chain, fee.granter),
      }
    : null
}

export const TransactionSigner = builder.objectRef<Signer>('TransactionSigner').implement({
  description: 'A signer of a transaction.',
  fields: (t) => ({
    account: t.expose('account', {
      type: Account,
      nullable: true,
      description: 'The account. Null if the events of the transaction do not contain its address.',
    }),
    publicKeyType: t.exposeString('publicKeyType', {
      nullable: true,
      description: 'Type URL of the public key. Null if the transaction omits the key.',
    }),
    publicKey: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The public key: base64, or for a multisig key an object with `threshold` and `public_keys`. Null if the transaction omits the key.',
      resolve: ({ publicKey }) => publicKey,
    }),
    sequence: t.expose('sequence', {
      type: 'BigInt',
      nullable: true,
      description:
        'Number of transactions the account had signed before. Null if the indexer does not report it.',
    }),
  }),
})

export const TransactionFee = builder.objectRef<Fee>('TransactionFee').implement({
  description: 'The fee of a transaction.',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: [Coin],
      description: 'Coins paid. Can be empty.',
    }),
    gasLimit: t.expose('gasLimit', {
      type: 'BigInt',
      nullable: true,
      description: 'Most gas the transaction may use. Null if the indexer does not report it.',
    }),
    payer: t.expose('payer', {
      type: Account,
      nullable: true,
      description: 'The account that pays. Null if the first signer pays.',
    }),
    granter: t.expose('granter', {
      type: Account,
      nullable: true,
      description: 'The account whose fee allowance is used. Null if none is used.',
    }),
  }),
})
