import type { Handler } from '../http.ts'
import { longNumber } from '../longNumber.ts'
import { pick } from '../random.ts'

/** A JSON object of a response. */
type Json = Readonly<Record<string, unknown>>

/** A change of a record. */
type Change = (record: Json) => Json

const nestedDepth = 70
const nested = (): unknown => {
  let value: unknown = 'deep'
  for (let depth = 0; depth < nestedDepth; depth += 1) value = { of: value }
  return value
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Changes the first message of a transaction. */
const inFirstMessage =
  (change: Change): Change =>
  (record) => {
    const { tx } = record
    if (!isObject(tx) || !isObject(tx.body) || !Array.isArray(tx.body.messages)) return record
    const [first, ...others] = tx.body.messages
    return {
      ...record,
      tx: { ...tx, body: { ...tx.body, messages: [change(first), ...others] } },
    }
  }

const setting =
  (fields: Json): Change =>
  (record) => ({ ...record, ...fields })

/** A kind of record: the field that identifies one, and what may be odd about it. */
interface Kind {
  readonly has: readonly string[]
  readonly idOf: (record: Json) => string
  readonly changes: readonly Change[]
}

/** One in this many records is odd. */
const rarity = 6

const kinds: readonly Kind[] = [
  {
    has: ['txhash', 'gas_used'],
    idOf: ({ txhash }) => `${txhash}`,
    changes: [
      setting({ gas_used: 'plenty' }),
      setting({ tx: 'pruned' }),
      setting({ code: 3_000_000_000, codespace: 'far' }),
      setting({ timestamp: null, info: null, raw_log: null, data: null }),
      inFirstMessage((message) => ({ ...message, deep: nested() })),
      inFirstMessage((message) => ({ ...message, big: longNumber(2n ** 64n - 1n) })),
      inFirstMessage((message) => ({ ...message, text: 'half a pair \ud800' })),
    ],
  },
  {
    has: ['transactionHash', 'cumulativeGasUsed'],
    idOf: ({ transactionHash }) => `${transactionHash}`,
    changes: [
      setting({ gasUsed: '0xgas' }),
      setting({ logs: null, logsBloom: null }),
      setting({ type: '0x7e', effectiveGasPrice: null }),
    ],
  },
  {
    has: ['hash', 'proposer', 'block_time'],
    idOf: ({ height }) => `${height}`,
    changes: [
      setting({ proposer: null }),
      setting({ proposer: { moniker: '', identity: '', operator_address: '' }, total_fee: null }),
      setting({ gas_used: '-1' }),
      setting({ timestamp: 'yesterday' }),
    ],
  },
  {
    has: ['collection_addr', 'nft'],
    idOf: ({ collection_addr, nft }) => `${collection_addr} ${isObject(nft) ? nft.token_id : ''}`,
    changes: [setting({ owner: '' }), setting({ collection_name: null, object_addr: null })],
  },
  {
    has: ['account', 'amount'],
    idOf: ({ account }) => `${account}`,
    changes: [setting({ amount: '1.5' }), setting({ account: 'treasury' })],
  },
]

/** The record as the indexer writes it: the same wherever it stands. */
function oddRecord(record: Json): Json {
  const kind = kinds.find(({ has }) => has.every((field) => field in record))
  if (!kind) return record
  const id = kind.idOf(record)
  if (pick(rarity, 'odd', id) !== 0) return record
  const change = kind.changes[pick(kind.changes.length, 'odd kind', id)]
  return change ? change(record) : record
}

/** Lists and single records are the values of the fields of a body. */
function oddBody(body: unknown): unknown {
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (Array.isArray(value)) return [name, value.map(oddRecord)]
      return [name, isObject(value) ? oddRecord(value) : value]
    }),
  )
}

/** An indexer some of whose records are odd: one in six. */
export const withOddRecords =
  (indexer: Handler): Handler =>
  async (request) => {
    const reply = await indexer(request)
    return reply.status === 200 ? { ...reply, json: oddBody(reply.json) } : reply
  }
