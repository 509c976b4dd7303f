import { base64 } from '@scure/base'
import { type Account, parseAddress } from '../address.ts'
import { memoize } from '../memoize.ts'
import { digest, hexDigest } from '../random.ts'
import { feeMoveEvents } from './coins.ts'
import type { Cost } from './costs.ts'
import { type Event, event, type MessageDraft, marked } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { timestampOf } from './schedule.ts'
import { signerKeyOf } from './signerKey.ts'

/** A native transaction as the indexer returns it. */
export interface TransactionRecord {
  readonly txhash: string
  readonly height: string
  readonly codespace: string
  readonly code: number
  readonly data: string
  readonly raw_log: string
  readonly logs: readonly unknown[]
  readonly info: string
  readonly gas_wanted: string
  readonly gas_used: string
  readonly tx: unknown
  readonly timestamp: string
  readonly events: readonly Event[]
}

/** What a record of a transaction is made of. */
export interface TransactionParts {
  /** Upper-case hex. */
  readonly hash: string
  readonly height: number
  readonly cost: Cost
  readonly messages: readonly MessageDraft[]
  /** Its first signer, who pays the fee. */
  readonly signer: Account
  readonly accountSequence: number
  /** Decides the signature. */
  readonly seal: readonly (string | number)[]
  /** Why it failed. Undefined if it succeeded. */
  readonly failure?: { readonly codespace: string; readonly code: number; readonly log: string } | undefined
  readonly mode: string
  readonly memo: string
  readonly timeoutHeight: number
  readonly extensions: readonly object[]
  readonly isTipped: boolean
}

/** The record of a transaction. One that failed has only the events of its fee. */
export function createRecord(fixtures: Fixtures, parts: TransactionParts): TransactionRecord {
  const { height, cost, messages, failure } = parts
  return {
    txhash: parts.hash,
    height: String(height),
    codespace: failure?.codespace ?? '',
    code: failure?.code ?? 0,
    data: failure ? '' : responseData(messages),
    raw_log: failure?.log ?? '',
    logs: [],
    info: '',
    gas_wanted: String(cost.gasWanted),
    gas_used: String(cost.gasUsed),
    tx: jsonb(signedTransaction(fixtures, parts)),
    timestamp: timestampOf(fixtures.chain, height, true),
    events: eventsOfRecord(fixtures, parts),
  }
}

/** The events of a transaction. */
export const eventsOfRecord = (fixtures: Fixtures, parts: TransactionParts): readonly Event[] => [
  ...feeEvents(fixtures, parts),
  ...(parts.failure ? [] : parts.messages.flatMap(messageEvents(parts.signer))),
]

function signedTransaction({ chain }: Fixtures, parts: TransactionParts) {
  const { messages, signer, seal, cost, mode } = parts
  const [seed = '', chainId = '', kind = '', ...rest] = seal
  const sealed = (name: string) => digest(seed, chainId, kind, name, ...rest)
  return {
    body: {
      messages: messages.map(({ type, fields }) => ({ '@type': type, ...fields })),
      memo: parts.memo,
      timeout_height: String(parts.timeoutHeight),
      extension_options: [],
      non_critical_extension_options: parts.extensions,
    },
    auth_info: {
      signer_infos: [{ ...signerKeyOf(signer.hex, chain.vm, mode), sequence: String(parts.accountSequence) }],
      fee: { amount: [cost.fee], gas_limit: String(cost.gasWanted), payer: '', granter: '' },
      tip: parts.isTipped ? { amount: [cost.fee], tipper: signer.bech32 } : null,
    },
    signatures: [base64.encode(new Uint8Array([...sealed('r'), ...sealed('s')]))],
  }
}

/** The events of fees and signatures. They come before the messages, so they stay if the messages fail. */
function feeEvents(fixtures: Fixtures, { signer, accountSequence, seal, height, cost }: TransactionParts) {
  const { fee } = cost
  const coins = [{ denom: fee.denom, amount: BigInt(fee.amount) }]
  const [seed = '', chainId = '', kind = '', ...rest] = seal
  return [
    ...feeMoveEvents(fixtures, height, { from: signer, to: fixtures.feeCollector, coins }),
    event('tx', { fee: `${fee.amount}${fee.denom}`, fee_payer: signer.bech32 }),
    event('tx', { acc_seq: `${signer.bech32}/${accountSequence}` }),
    event('tx', { signature: hexDigest(32, seed, chainId, kind, 'r', ...rest) }),
  ]
}

function messageEvents(signer: { readonly bech32: string }) {
  return ({ type, events }: MessageDraft, index: number): readonly Event[] =>
    [event('message', { action: type, sender: signer.bech32 }), ...events].map((each) =>
      marked(each, 'msg_index', index),
    )
}

/** The protobuf encoding of one empty response for each message, as upper-case hex. */
function responseData(messages: readonly MessageDraft[]): string {
  const field = (tag: number, content: Buffer) => Buffer.concat([Buffer.from([tag, content.length]), content])
  return Buffer.concat(messages.map(({ type }) => field(0x12, field(0x0a, Buffer.from(`${type}Response`)))))
    .toString('hex')
    .toUpperCase()
}

/** The digits of an address of 20 bytes. */
const shortest = 40

const patternOf = memoize(20, (prefix: string) => new RegExp(`${prefix}1[0-9a-z]{38,58}|0x[0-9a-f]{40,64}`, 'g'))

/** The same accounts and contracts are named again and again. */
const parsed = memoize(5_000, (key: string): { readonly address: string | undefined } => {
  const [prefix = '', text = ''] = key.split(' ')
  return { address: parseAddress(text, prefix) }
})

const addressesIn = (text: string, prefix: string): readonly string[] =>
  (text.match(patternOf(prefix)) ?? []).flatMap((found) => parsed(`${prefix} ${found}`).address ?? [])

/** The addresses that events name, in 0x form. */
export function namedAddresses(events: readonly Event[], prefix: string): ReadonlySet<string> {
  const named = new Set<string>()
  for (const { attributes } of events) {
    for (const { value } of attributes) {
      // Typed events write JSON, and indexers take a quoted text for no address.
      if (value.length < shortest || value.startsWith('"')) continue
      for (const address of addressesIn(value, prefix)) named.add(address)
    }
  }
  return named
}

/** The value as a jsonb column of PostgreSQL returns it: shorter keys first, keys of equal length by bytes. */
function jsonb(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(jsonb)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
      .map(([key, item]) => [key, jsonb(item)]),
  )
}
