import { z } from 'zod'
import type { Context } from '../../../engine/graphql/builder.ts'
import { nativeHash } from '../../../engine/graphql/scalars.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { get, listedIn, path } from '../../../engine/upstream/request.ts'
import {
  count,
  hashText,
  integer,
  list,
  optionalAmount,
  optionalUint64,
  pageOf,
  smallInteger,
  stringOrEmpty,
  stringOrNull,
  timestamp,
  unwrapped,
} from '../../../engine/wire/decode.ts'
import { isJsonObject, type JsonObject, jsonObject } from '../../../engine/wire/lenient.ts'
import { type Optional, optional, optionalText } from '../../../engine/wire/optional.ts'
import { plainEvent } from '../../../engine/wire/plainEvent.ts'
import type { ListByBlock } from '../batch/wholeLists.ts'
import { coin } from '../coin.ts'

const event = z
  .object({
    type: z.string(),
    attributes: list(z.object({ key: stringOrEmpty, value: stringOrEmpty, index: z.boolean().nullish() })),
  })
  .transform(plainEvent)

export type EventRecord = z.output<typeof event>

/** The type URL of a message beside the fields of its own. */
export type MessageRecord = JsonObject & { '@type': string }

/** It stays as it is: a copy by zod would lack the key `__proto__`. */
const message = z.custom<MessageRecord>((value) => isJsonObject(value) && typeof value['@type'] === 'string')

const signerInfo = z.looseObject({
  // Of the fields of a signer, none is worth the whole transaction. Chains add kinds of keys.
  public_key: optional(jsonObject),
  mode_info: z.unknown().optional(),
  sequence: optionalUint64,
})

/** A signer on the wire: its key, how it signed and how many transactions it had signed before. */
export type SignerRecord = z.output<typeof signerInfo>

/** The number of the mode in the Cosmos SDK's enum, which a node may write instead of its name. */
const ethereumMode = '9999'

/** The mode of a signature with one key, such as `SIGN_MODE_DIRECT`. Undefined for a multisig key. */
export function signModeOf(info: SignerRecord | undefined): Optional<string> {
  const { mode_info: modeInfo } = info ?? {}
  const single = isJsonObject(modeInfo) ? modeInfo.single : undefined
  const mode = isJsonObject(single) ? single.mode : undefined
  if (mode === ethereumMode || mode === Number(ethereumMode)) return 'SIGN_MODE_ETHEREUM'
  return optionalText.parse(mode)
}

const fee = z.looseObject({
  amount: list(coin),
  gas_limit: optionalAmount,
  payer: stringOrEmpty,
  granter: stringOrEmpty,
})

/** The fee of a transaction on the wire. `payer` and `granter` are empty if there is none. */
export type FeeRecord = z.output<typeof fee>

const tip = z.looseObject({ amount: list(coin), tipper: stringOrNull })

export type TipRecord = z.output<typeof tip>

const extensions = list(z.unknown())
  .catch([])
  .transform((items) => items.filter((item) => item !== null))

const signedTransaction = z.looseObject({
  body: z
    .looseObject({
      messages: list(message),
      memo: stringOrEmpty,
      timeout_height: optionalUint64,
      extension_options: extensions,
      non_critical_extension_options: extensions,
    })
    .nullish(),
  auth_info: z.looseObject({ signer_infos: list(signerInfo), fee: fee.nullish(), tip: optional(tip) }).nullish(),
  signatures: list(z.string()).catch([]),
})

const transaction = z.object({
  txhash: hashText,
  height: count,
  codespace: stringOrEmpty,
  // An ABCI code has 32 bits.
  code: smallInteger.refine((code) => code >= 0 && code < 2 ** 32),
  data: stringOrEmpty,
  raw_log: stringOrEmpty,
  info: stringOrEmpty,
  gas_wanted: integer,
  gas_used: integer,
  tx: signedTransaction.nullish(),
  timestamp: timestamp,
  events: list(event),
})

/** A Cosmos transaction on the wire. `tx` is missing if the indexer did not keep the signed part. */
export type TransactionRecord = z.output<typeof transaction>

export const transactionsPage = pageOf('txs', transaction)

export const transactionsPath = '/indexer/tx/v1/txs'

export const blockTransactionsPath = (height: bigint) => path`/indexer/tx/v1/txs/by_height/${height}`

/** The transactions of a chain, as lists of its blocks. */
export const transactionsByBlock: ListByBlock<TransactionRecord> = {
  chainPath: transactionsPath,
  blockPath: blockTransactionsPath,
  page: transactionsPage,
  heightOf: ({ height }) => height,
  hasExactCounts: true,
}

/** Path of the transactions that an account signed or that its address appears in. */
export const accountTransactionsPath = (address: string) => path`/indexer/tx/v1/txs/by_account/${address}`

/**
 * Path of the transactions that touched an NFT. Throws `UPSTREAM_REJECTED` for a token id that no indexer
 * finds, since indexers do not decode the path.
 */
export function nftTransactionsPath(collection: string, tokenId: string) {
  const isPathSegment = /^[^\s/?#%\\\p{Cc}\p{Cs}]{1,1024}$/u.test(tokenId) && !/^\.\.?$/.test(tokenId)
  if (isPathSegment) return path`/indexer/nft/v1/txs/${collection}/${tokenId}`
  throw new GatewayError(
    'UPSTREAM_REJECTED',
    'The indexer cannot look up the transactions of an NFT with this token id.',
  )
}

/** The request for a transaction by its hash in any spelling. */
export function transactionRequest(anyHash: string) {
  const hash = nativeHash(anyHash)
  return get(path`/indexer/tx/v1/txs/${hash}`, oneTransaction, {
    isFinal: true,
    isRequested: ({ txhash }) => nativeHash(txhash) === hash,
    listed: listedIn(transactionsPage, hash, ({ txhash }) => nativeHash(txhash)),
  })
}

const oneTransaction = unwrapped('txhash', transaction)

/** Loads a transaction by its hash in any spelling. Null if not indexed. */
export const fetchTransaction = (
  { scope }: Context,
  chain: ServedChain,
  anyHash: string,
): Promise<TransactionRecord | null> => scope.fetch(chain.indexer, transactionRequest(anyHash))

/** The type of a message without the leading slash of its type URL. */
export const typeOf = (message: MessageRecord): string => message['@type'].replace(/^\//, '')

/**
 * The events of a transaction, for what is read from all of them.
 * @throws UPSTREAM_INVALID_RESPONSE if one is in base64 and cannot be decoded.
 */
export function allEventsOf(
  { chainId }: Pick<ServedChain, 'chainId'>,
  { events }: Pick<TransactionRecord, 'events'>,
): readonly EventRecord[] {
  if (!events.some(({ isCoded }) => isCoded)) return events
  const message = `The indexer of ${chainId} sent events in base64 that cannot be decoded.`
  throw new GatewayError('UPSTREAM_INVALID_RESPONSE', message, { service: chainId })
}

/** The values of an attribute in all events of a type, in order. */
export const attributesOf = (events: readonly EventRecord[], type: string, key: string): readonly string[] =>
  events
    .filter((event) => event.type === type)
    .flatMap((event) => event.attributes)
    .filter((attribute) => attribute.key === key)
    .map((attribute) => attribute.value)
