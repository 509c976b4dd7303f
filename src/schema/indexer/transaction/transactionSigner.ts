import { builder } from '../../../graphql/builder.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { Account, type AccountShape, accountOf } from '../account.ts'
import { Coin, type CoinShape, coinsOf } from '../coin.ts'
import { attributesOf, type EventRecord } from './transactionEvent.ts'
import type { SignedRecord } from './transactionMessage.ts'

/** What of a transaction's record tells who signed it. */
interface Signed {
  readonly tx?: SignedRecord | null | undefined
  readonly events: readonly EventRecord[]
}

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
 * The signers of a transaction. The signed part names their keys only; their addresses come from the
 * `tx` event, where the Cosmos SDK reports `acc_seq` as `address/sequence` for each signer in order.
 */
export function signersOf(chain: ServedChain, { tx, events }: Signed): Signer[] {
  const reported = attributesOf(events, 'tx', 'acc_seq').map((value) => value.split('/')[0] ?? '')
  const infos = tx?.auth_info?.signer_infos ?? []
  const count = Math.max(reported.length, infos.length)
  return Array.from({ length: count }, (_, i) => {
    const info = infos[i]
    return {
      account: accountOf(chain, reported[i] ?? null),
      publicKeyType: info?.public_key?.['@type'] || null,
      publicKey: publicKeyOf(info?.public_key),
      sequence: info?.sequence ?? null,
    }
  })
}

/** The `key` of a single public key; of a key made of several, all fields but its type. */
function publicKeyOf(publicKey: Readonly<Record<string, unknown>> | null | undefined): unknown {
  const { '@type': _type, key, ...parts } = publicKey ?? {}
  return key ?? (Object.keys(parts).length > 0 ? parts : null)
}

/** The fee of a transaction; null when the record has none. */
export function feeOf(chain: ServedChain, { tx }: Signed): Fee | null {
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
  description: 'One who signed a transaction.',
  fields: (t) => ({
    account: t.expose('account', {
      type: Account,
      nullable: true,
      description: 'Its account; null when the events of the transaction do not name it.',
    }),
    publicKeyType: t.exposeString('publicKeyType', {
      nullable: true,
      description: 'Type URL of its public key; null when the transaction leaves the key out.',
    }),
    publicKey: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'Its public key: base64, or for a multisig key an object with `threshold` and `public_keys`. Null if the transaction leaves the key out.',
      resolve: ({ publicKey }) => publicKey,
    }),
    sequence: t.expose('sequence', {
      type: 'BigInt',
      nullable: true,
      description: 'How many transactions it had signed before; null when not recorded.',
    }),
  }),
})

export const TransactionFee = builder.objectRef<Fee>('TransactionFee').implement({
  description: 'What a transaction offers for its execution.',
  fields: (t) => ({
    amount: t.expose('amount', { type: [Coin], description: 'The coins paid; may be empty.' }),
    gasLimit: t.expose('gasLimit', {
      type: 'BigInt',
      nullable: true,
      description: 'Gas it may use at the most; null when not recorded.',
    }),
    payer: t.expose('payer', {
      type: Account,
      nullable: true,
      description: 'Who pays; null for the first signer.',
    }),
    granter: t.expose('granter', {
      type: Account,
      nullable: true,
      description: 'Whose allowance pays; null when none is used.',
    }),
  }),
})
