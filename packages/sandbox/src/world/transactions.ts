import { base64 } from '@scure/base'
import { parseAddress } from '../address.ts'
import { memoize } from '../memoize.ts'
import { digest, hexDigest, itemAt, sequenceHash, sequenceOfHash } from '../random.ts'
import { feeMoveEvents } from './coins.ts'
import { type Cost, costOf } from './costs.ts'
import { ethereumMemo, isSignedAsEthereum } from './ethereum.ts'
import { type Event, event, type MessageDraft, marked } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { messagesOf } from './messages.ts'
import { amountOf, partiesOf } from './parties.ts'
import { placeOf, timestampOf } from './schedule.ts'
import { type Series, select } from './series.ts'
import type { Shape } from './shape.ts'
import { signerKeyOf } from './signerKey.ts'
import type { Workload } from './workload.ts'

/** A native transaction as the indexer returns it. */
interface TransactionRecord {
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

/** The native transactions of a chain. Sequences count them from 1. */
export interface Transactions {
  hashOf(sequence: number): string
  /** The sequence of a hash of 64 digits, in any case. Its block may not exist yet. */
  find(hash: string): number | undefined
  costOf(sequence: number): Cost
  record(sequence: number): TransactionRecord
  /** The transactions whose events name the 0x address or, if `onlySigned`, whose first signer it is. */
  byAccount(address: string, onlySigned: boolean): Series
  /** The transactions with a message of any of these types, without the leading slash. */
  byMessages(types: readonly string[]): Series
}

const memos = ['', '', '', 'ahoy', 'tip for the crew ⚓', '', 'half a NUL: \ufffd', '', '고마워요']
const outOfGas = 11
const extension = { '@type': '/sandbox.v1.Note', text: 'ignored by nodes' }
/** Records kept, a few kilobytes each. */
const maxRecords = 2_000

/** Creates the native transactions of a workload. */
export function createTransactions(fixtures: Fixtures, workload: Workload): Transactions {
  const { chain, seed } = fixtures
  const scope = [seed, chain.chainId, 'tx'] as const

  const costAt = (sequence: number): Cost => costOf(fixtures, workload.shapeAt(sequence))

  const record = memoize(maxRecords, (sequence): TransactionRecord => {
    const shape = workload.shapeAt(sequence)
    const { height } = placeOf(sequence)
    const cost = costAt(sequence)
    const messages = messagesOf(fixtures, shape, sequence)
    const failure = shape.failed ? failureOf(fixtures, cost, shape) : undefined
    return {
      txhash: sequenceHash(sequence, ...scope).toUpperCase(),
      height: String(height),
      codespace: failure?.codespace ?? '',
      code: failure?.code ?? 0,
      data: failure ? '' : responseData(messages),
      raw_log: failure?.log ?? '',
      logs: [],
      info: '',
      gas_wanted: String(cost.gasWanted),
      gas_used: String(cost.gasUsed),
      tx: jsonb(signedTransaction(fixtures, sequence, cost, messages)),
      timestamp: timestampOf(chain, height, true),
      events: eventsOf(sequence, cost, messages),
    }
  })

  const eventsOf = (sequence: number, cost: Cost, messages: readonly MessageDraft[]): readonly Event[] => [
    ...feeEvents(fixtures, sequence, cost),
    ...(workload.shapeAt(sequence).failed ? [] : messages.flatMap(messageEvents(signerOf(sequence)))),
  ]
  const signerOf = (sequence: number) => partiesOf(fixtures, workload.shapeAt(sequence))[0]
  const typesOf = memoize(maxRecords, (sequence) =>
    messagesOf(fixtures, workload.shapeAt(sequence), sequence).map(({ type }) => type.slice(1)),
  )
  const addressesOf = memoize(maxRecords, (sequence) => {
    const messages = messagesOf(fixtures, workload.shapeAt(sequence), sequence)
    return namedAddresses(eventsOf(sequence, costAt(sequence), messages), chain.bech32Prefix)
  })

  return {
    hashOf: (sequence) => sequenceHash(sequence, ...scope).toUpperCase(),
    find: (hash) => sequenceOfHash(hash.toLowerCase(), ...scope),
    costOf: costAt,
    record,
    byAccount: (address, onlySigned) =>
      select(workload.space, (sequence) =>
        onlySigned ? signerOf(sequence).hex === address : addressesOf(sequence).has(address),
      ),
    byMessages: (types) => select(workload.space, (sequence) => typesOf(sequence).some((type) => types.includes(type))),
  }

  function signedTransaction(
    { users }: Fixtures,
    sequence: number,
    { gasWanted, fee }: Cost,
    messages: readonly MessageDraft[],
  ) {
    const signature = new Uint8Array([...digest(...scope, 'r', sequence), ...digest(...scope, 's', sequence)])
    const shape = workload.shapeAt(sequence)
    const isEthereum = isSignedAsEthereum(fixtures, shape)
    const mode = isEthereum ? 'SIGN_MODE_ETHEREUM' : 'SIGN_MODE_DIRECT'
    return {
      body: {
        messages: messages.map(({ type, fields }) => ({ '@type': type, ...fields })),
        memo: isEthereum ? ethereumMemo(fixtures) : itemAt(memos, sequence),
        timeout_height: String(sequence % 5 === 2 ? placeOf(sequence).height + 100 : 0),
        extension_options: [],
        non_critical_extension_options: sequence % 11 === 4 ? [extension] : [],
      },
      auth_info: {
        signer_infos: [
          {
            ...signerKeyOf(signerOf(sequence).hex, chain.vm, mode),
            sequence: String(Math.floor(sequence / users.length)),
          },
        ],
        fee: { amount: [fee], gas_limit: String(gasWanted), payer: '', granter: '' },
        tip: sequence % 13 === 5 ? { amount: [fee], tipper: signerOf(sequence).bech32 } : null,
      },
      signatures: [base64.encode(signature)],
    }
  }

  /** The events of fees and signatures. They come before the messages, so they stay if the messages fail. */
  function feeEvents({ feeCollector }: Fixtures, sequence: number, { fee }: Cost): readonly Event[] {
    const from = signerOf(sequence)
    const signer = from.bech32
    const paid = `${fee.amount}${fee.denom}`
    const coins = [{ denom: fee.denom, amount: BigInt(fee.amount) }]
    return [
      ...feeMoveEvents(fixtures, sequence, { from, to: feeCollector, coins }),
      event('tx', { fee: paid, fee_payer: signer }),
      event('tx', { acc_seq: `${signer}/${Math.floor(sequence / fixtures.users.length)}` }),
      event('tx', { signature: hexDigest(32, ...scope, 'r', sequence) }),
    ]
  }
}

function messageEvents(signer: { readonly bech32: string }) {
  return ({ type, events }: MessageDraft, index: number): readonly Event[] =>
    [event('message', { action: type, sender: signer.bech32 }), ...events].map((each) =>
      marked(each, 'msg_index', index),
    )
}

function failureOf(fixtures: Fixtures, cost: Cost, shape: Shape) {
  const { variant } = shape
  const { denom } = fixtures.chain
  if (variant === 0) {
    const used = `gasWanted: ${cost.gasWanted}, gasUsed: ${cost.gasUsed}`
    const log = `out of gas in location: WriteFlat; ${used}: out of gas`
    return { codespace: 'sdk', code: outOfGas, log }
  }
  if (variant === 1) {
    const amount = amountOf(fixtures, shape)
    const log = `spendable balance ${amount / 2n}${denom} is smaller than ${amount}${denom}: insufficient funds`
    return { codespace: 'sdk', code: 5, log: `failed to execute message; message index: 0: ${log}` }
  }
  const codespace = fixtures.chain.vm
  const log = 'failed to execute message; message index: 0: execution reverted'
  return { codespace, code: 7, log }
}

/** The protobuf encoding of one empty response for each message, as upper-case hex. */
function responseData(messages: readonly MessageDraft[]): string {
  const field = (tag: number, content: Buffer) => Buffer.concat([Buffer.from([tag, content.length]), content])
  return Buffer.concat(messages.map(({ type }) => field(0x12, field(0x0a, Buffer.from(`${type}Response`)))))
    .toString('hex')
    .toUpperCase()
}

function namedAddresses(events: readonly Event[], prefix: string): ReadonlySet<string> {
  const pattern = new RegExp(`${prefix}1[0-9a-z]{38,58}|0x[0-9a-f]{40,64}`, 'g')
  const texts = events
    .flatMap(({ attributes }) => attributes)
    // Typed events write JSON, and indexers take a quoted text for no address.
    .flatMap(({ value }) => (value.startsWith('"') ? [] : (value.match(pattern) ?? [])))
  return new Set([...new Set(texts)].flatMap((text) => parseAddress(text, prefix) ?? []))
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
