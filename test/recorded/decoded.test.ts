import { expect, test } from 'vitest'
import { readErrorBody } from '../../src/engine/upstream/errorBody.ts'
import { UnreadableRecord } from '../../src/engine/wire/decode.ts'
import { unreadable } from '../../src/engine/wire/optional.ts'
import { changed, isSame, type Leaf, leavesOf, partsOf, withLeaf } from '../support/leaves.ts'
import { listIn, pathOf, type RecordedAnswer, recorded, textOf } from '../support/recorded.ts'
import { readerOf } from '../support/recordedReaders.ts'
import type { Data } from '../support/world.ts'

const ofChain = 'the gateway knows which chain it asked'
const ofTable = 'the key of a table inside a Move chain'
const ofRepair = 'a repair of the database of the indexer'
const ofRouter = 'the router alone chooses routes by it'
const ofRequest = 'the request has it'
const ofBody = 'only in `body`, the object as the router sent it'

/**
 * The fields that the gateway leaves out on purpose, each with all below it: the beginning of its paths, its keys
 * without the indexes of lists, why, and the field of the same body that has the same, where another body may lack that.
 */
const leftOut: readonly (readonly [path: string, field: string, why: string, twin?: string])[] = [
  ['/indexer', 'pagination.previous_key', 'lists are read forwards from either end'],
  ['/indexer/block', 'blocks.chain_id', ofChain],
  ['/indexer/block', 'block.chain_id', ofChain],
  ['/indexer/nft', 'collections.collection.nfts.handle', ofTable],
  ['/indexer/nft', 'collection.collection.nfts.handle', ofTable],
  ['/indexer/nft', 'tokens.collection_origin_name', 'the record of the collection has it'],
  ['/status', 'tx_account_cleanup_sequence', ofRepair],
  ['/status', 'tx_account_cleanup_deleted', ofRepair],
  ['/status', 'tx_account_cleanup_inserted', ofRepair],
  ['/v2/info/chains', 'chains.pfm_enabled', ofRouter],
  ['/v2/info/chains', 'chains.cosmos_module_support', ofRouter],
  ['/v2/info/chains', 'chains.ibc_capabilities', ofRouter],
  ['/v2/info/balances', 'chains.*.address', ofRequest],
  ['/v2/info/balances', 'chains.*.denoms.*.formatted_amount', 'made of the amount and the decimals'],
  ['/v2/fungible/assets_between', 'assets_between_chains.*.is_evm', 'the kind of the chain says it'],
  ['/v2/fungible/route', 'operations.axelar_transfer.from_chain', ofBody],
  ['/v2/fungible/route', 'operations.axelar_transfer.to_chain', ofBody],
  [
    '/v2/fungible/route',
    'operations.axelar_transfer.fee_amount',
    'read from `body` for `fees`: see servedTransfers.test.ts',
  ],
  ['/v2/fungible/route', 'operations.axelar_transfer.usd_fee_amount', 'read with it'],
  ['/v2/fungible/route', 'operations.axelar_transfer.fee_asset', 'read with it'],
  ['/v2/fungible/msgs', 'msgs', 'the older form of `txs`', 'txs'],
  ['/v2/tx/track', 'tx_hash', ofRequest],
  ['/v2/tx/track', 'success', 'a failure has another status'],
  ['/v2/tx/status', 'status', 'a coarser word for the state', 'state'],
  ['/v2/tx/status', 'transfer_sequence', 'the older form of `transfers`', 'transfers'],
  ['/v2/tx/status', 'transfers.transfer_sequence.ibc_transfer.src_chain_id', 'the same as `from_chain_id`'],
  ['/v2/tx/status', 'transfers.transfer_sequence.ibc_transfer.dst_chain_id', 'the same as `to_chain_id`'],
  ['/v2/tx/status', 'transfers.transfer_sequence.ibc_transfer.transfer_asset_release', ofBody],
]

/** The row of the table for a leaf of a body. */
const leftOutRow = ({ path, body }: RecordedAnswer, leaf: string) =>
  leftOut.find(([start, field, , twin]) => {
    const keys = field.replaceAll('.', '(?:\\.\\d+)?\\.').replaceAll('*', '[^.]+')
    return path.startsWith(start) && (twin === undefined || body[twin]) && new RegExp(`^${keys}(\\.|$)`).test(leaf)
  })

/** What the gateway reads of a body. An object that it keeps beside that, as it was sent, does not count. */
function leavesRead(read: (body: unknown, raw: string) => unknown, body: unknown): Leaf[] {
  const sent = new Set(partsOf(body))
  return leavesOf(read(body, JSON.stringify(body)), (key, part) => key === 'body' && sent.has(part)).map(
    ([path, value]) => [path, value instanceof UnreadableRecord ? unreadable : value],
  )
}

/**
 * Whether a leaf of a body is read with all its digits or letters: when it changes, a leaf of what is read changes from the
 * same value to the same value. Where a reader refuses the changed body, as another record than it requested, the value
 * has to be there.
 */
function isKept(read: (body: unknown, raw: string) => unknown, body: unknown, [path, value]: Leaf, before: Leaf[]) {
  const other = changed(value)
  const holders = before.filter(([, decoded]) => isSame(decoded, value))
  let after: Map<string, unknown>
  try {
    after = new Map(leavesRead(read, withLeaf(body, path, other)))
  } catch {
    return holders.length > 0
  }
  return holders.some(([at]) => isSame(after.get(at), other))
}

/** The same body with one record at a time, which takes less long to read again and again. */
function oneByOne(body: Data): Data[] {
  const list = listIn(body)
  const bodies = list ? body[list].map((record: Data) => ({ ...body, [list]: [record] })) : []
  return bodies.length > 0 ? bodies : [body]
}

const answers = [...recorded.indexer, ...recorded.router]
const successes = answers.filter(({ status }) => status === 200)
const failures = answers.filter(({ status }) => status !== 200)
const usedRows = new Set<unknown>()

test.each(successes.map((answer, index) => [`${index}: ${answer.path}`, answer] as const))(
  'each field of answer %s is read as it was sent',
  async (_name, answer) => {
    const read = await readerOf(answer)
    const lost = oneByOne(answer.body).flatMap((body) => {
      const before = leavesRead(read, body)
      expect(before.filter(([, value]) => value === unreadable)).toEqual([])
      return leavesOf(body).flatMap((leaf) => {
        const [path, value] = leaf
        // Null says nothing that could be lost.
        if (value === null || isKept(read, body, leaf, before)) return []
        const row = leftOutRow(answer, path)
        usedRows.add(row)
        return row ? [] : [`${pathOf(answer.path)} ${path}: ${value}`]
      })
    })
    expect(lost).toEqual([])
  },
)

test('every field that is said to be left out is', () => {
  expect(leftOut.filter((row) => !usedRows.has(row))).toEqual([])
})

test.each(failures.map((answer, index) => [`${index}: ${answer.path}`, answer] as const))(
  'the words of error %s are read',
  (_name, answer) => {
    const { message, reason } = readErrorBody(textOf(answer))
    const { body }: Data = answer
    expect(message).toBe(body.message ?? body)
    expect(reason).toBe(body.details?.[0]?.reason)
  },
)
