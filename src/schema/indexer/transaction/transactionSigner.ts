import { builder } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { readValue } from '../../../engine/upstream/upstreamError.ts'
import { countOrNull, optionalCount } from '../../../engine/wire/decode.ts'
import { isJsonObject, type JsonObject } from '../../../engine/wire/lenient.ts'
import { optionalText } from '../../../engine/wire/optional.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { Coin, coinsOf } from '../coin.ts'
import { attributesOf, type FeeRecord, type SignerRecord, signModeOf, type TransactionRecord } from './wire.ts'

interface Signer {
  readonly chain: ServedChain
  readonly address: string | null
  readonly info: SignerRecord | undefined
}

interface Fee {
  readonly chain: ServedChain
  readonly record: FeeRecord
}

/**
 * The signers of a transaction. The signed part has their keys only. Their addresses come from the `tx`
 * events, where the Cosmos SDK reports `acc_seq` as `address/sequence` for each signer in order.
 */
export function signersOf(chain: ServedChain, { tx, events }: TransactionRecord): Signer[] {
  const addresses = attributesOf(events, 'tx', 'acc_seq').map((value) => value.split('/')[0] ?? '')
  const infos = tx?.auth_info?.signer_infos ?? []
  const count = Math.max(addresses.length, infos.length)
  return Array.from({ length: count }, (_, i) => ({
    chain,
    address: addresses[i] ?? null,
    info: infos[i],
  }))
}

const sequenceOf = ({ chain, info }: Signer): bigint | null => readValue(chain.chainId, info?.sequence)

const keyRecordOf = ({ chain, info }: Signer): JsonObject => readValue(chain.chainId, info?.public_key) ?? {}

/** The `key` of a single public key, or all fields but the type of a multisig key. */
function publicKeyOf(signer: Signer): unknown {
  const { '@type': _type, key, ...parts } = keyRecordOf(signer)
  return key ?? (Object.keys(parts).length > 0 ? parts : null)
}

/** The fee of a transaction. Null if the record has none. */
export function feeOf(chain: ServedChain, { tx }: TransactionRecord): Fee | null {
  const record = tx?.auth_info?.fee
  return record ? { chain, record } : null
}

interface PublicKey {
  readonly type: string | null
  readonly key: string | null
}

interface Multisig {
  readonly threshold: bigint
  readonly keys: readonly PublicKey[]
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The parts of a multisig key. Null for other keys, and for those of another form. */
function multisigOf(signer: Signer): Multisig | null {
  const { threshold, public_keys: keys } = keyRecordOf(signer)
  const number = readValue(signer.chain.chainId, optionalCount.parse(threshold))
  if (number === null || !Array.isArray(keys)) return null
  return {
    threshold: number,
    keys: keys.filter(isJsonObject).map(({ '@type': type, key }) => ({
      type: textOrNull(type),
      key: textOrNull(key),
    })),
  }
}

const PublicKey = builder.objectRef<PublicKey>('PublicKey').implement({
  description: 'A public key of an account, or of a member of a multisig account.',
  fields: (t) => ({
    typeUrl: t.nullable(
      'String',
      'Type URL of the key, such as `/cosmos.crypto.secp256k1.PubKey`. Null if omitted.',
      ({ type }) => type,
    ),
    key: t.nullable('String', 'The key in base64. Null for a key of another form.', ({ key }) => key),
  }),
})

const MultisigKey = builder.objectRef<Multisig>('MultisigKey').implement({
  description: 'A multisig public key.',
  fields: (t) => ({
    threshold: t.value('UInt53', 'Number of signatures needed.', ({ threshold }) => threshold),
    keys: t.nullable([PublicKey], 'The keys of the members, in order.', ({ keys }) => keys),
  }),
})

export const TransactionSigner = builder.objectRef<Signer>('TransactionSigner').implement({
  description: 'A signer of a transaction.',
  fields: (t) => ({
    account: t.nullable(ChainAccount, 'The account. Null if no event names it.', ({ chain, address }) =>
      chainAccountOf(chain, address),
    ),
    publicKeyType: t.nullable('String', 'Type URL of the public key. Null if omitted.', (signer) =>
      readValue(signer.chain.chainId, optionalText.parse(keyRecordOf(signer)['@type'])),
    ),
    publicKey: t.nullable(
      'JSON',
      'Base64, or for a multisig key an object with `threshold` and `public_keys`. Null if omitted.',
      publicKeyOf,
    ),
    signMode: t.nullable(
      'String',
      'Encoding that was signed, such as `SIGN_MODE_DIRECT`. Null for a multisig key.',
      ({ chain, info }) => readValue(chain.chainId, signModeOf(info)),
    ),
    multisig: t.nullable(MultisigKey, 'The parts of a multisig key. Null for a single key.', multisigOf),
    sequence: t.nullable(
      'UInt53',
      'Transactions that it signed before. Null if unknown, or beyond 2^53 - 1.',
      (shape) => countOrNull(sequenceOf(shape)),
    ),
    exactSequence: t.ifKnown('BigInt', '`sequence` of up to 64 bits.', sequenceOf),
  }),
})

export const TransactionFee = builder.objectRef<Fee>('TransactionFee').implement({
  description: 'The fee of a transaction.',
  fields: (t) => ({
    amount: t.nullable([Coin], 'Coins paid. Can be empty.', ({ chain, record }) => coinsOf(chain, record.amount)),
    gasLimit: t.ifKnown('BigInt', 'Most gas the transaction may use.', ({ chain, record }) =>
      readValue(chain.chainId, record.gas_limit),
    ),
    payer: t.nullable(ChainAccount, 'The account that pays. Null if the first signer pays.', ({ chain, record }) =>
      chainAccountOf(chain, record.payer),
    ),
    granter: t.nullable(
      ChainAccount,
      'The account whose fee allowance is used. Null if none is used.',
      ({ chain, record }) => chainAccountOf(chain, record.granter),
    ),
  }),
})
