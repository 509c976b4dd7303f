import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readable } from '../../../src/engine/wire/decode.ts'
import { madeHash } from '../../../src/schema/indexer/evm/linkBlock.ts'
import { receiptsPage } from '../../../src/schema/indexer/evm/wire.ts'
import { transactionsPage } from '../../../src/schema/indexer/transaction/wire.ts'
import { linkBlock } from '../../support/atOnce.ts'
import { askIndexer, plainList } from '../../support/listIndexer.ts'
import { blockRow, receiptRow, transactionRow } from '../../support/listRows.ts'
import { runs } from '../../support/property.ts'
import { chainIds, type Data, startWorld, testOfPlainRecords, youngChains } from '../../support/world.ts'

const plainTest = testOfPlainRecords()

// What MiniEVM makes of the transactions of a block: see `extractEthTxInfo` in its indexer.

/** A Cosmos transaction, and whether MiniEVM makes an EVM transaction of it. */
interface Draft {
  readonly mode: 'SIGN_MODE_ETHEREUM' | 'SIGN_MODE_DIRECT' | 9999
  readonly code: number
  readonly logs: number
  readonly gas: number
}

const draft: fc.Arbitrary<Draft> = fc.record({
  mode: fc.constantFrom<Draft['mode'][]>('SIGN_MODE_ETHEREUM', 'SIGN_MODE_DIRECT', 9999),
  code: fc.constantFrom(0, 0, 0, 5),
  logs: fc.integer({ min: 0, max: 2 }),
  gas: fc.integer({ min: 1, max: 3 }),
})

const carries = ({ mode, code, logs }: Draft) => mode !== 'SIGN_MODE_DIRECT' || (code === 0 && logs > 0)

const nativeHash = (i: number) => String(i).padStart(64, 'A')
const evmHash = (i: number) => `0x${String(i).padStart(64, 'b')}`

const transactionsOf = (drafts: readonly Draft[]) => {
  const page = transactionsPage.parse({
    txs: drafts.map(({ mode, code, logs, gas }, i) => ({
      ...{ txhash: nativeHash(i), height: '7', code, gas_wanted: '9', gas_used: String(gas) },
      timestamp: '2026-01-01T00:00:00Z',
      tx: { auth_info: { signer_infos: [{ mode_info: { single: { mode } }, sequence: '4' }] } },
      events: [
        { type: 'tx', attributes: [{ key: 'log', value: 'of another event' }] },
        {
          type: 'evm',
          attributes: Array.from({ length: logs }, () => ({ key: 'log', value: '{}' })),
        },
      ],
    })),
  })
  return readable(page.items)
}

const hex = (value: number) => `0x${value.toString(16)}`

const receiptsOf = (drafts: readonly Draft[]) => {
  const wrappingTransactions = drafts.flatMap((made, i) => (carries(made) ? [{ ...made, i }] : []))
  return wrappingTransactions.map(({ code, gas, i }, index) => ({
    ...{ transactionHash: evmHash(i), transactionIndex: hex(index + 1), blockNumber: '0x7' },
    ...{ gasUsed: hex(gas), cumulativeGasUsed: '0x1', effectiveGasPrice: '0x1', type: '0x2' },
    status: code === 0 ? '0x1' : '0x0',
  }))
}

const read = (receipts: readonly object[]) => readable(receiptsPage.parse({ txs: receipts }).items)

test('every EVM transaction of a block is linked to its Cosmos transaction', () => {
  fc.assert(
    fc.property(fc.array(draft, { maxLength: 12 }), (drafts) => {
      const made = receiptsOf(drafts)
      // The order of the list is that of the index, however the indexer sends it.
      const { wrappingTransactions, receipts } = linkBlock(transactionsOf(drafts), read(made.toReversed()))
      for (const [i, each] of drafts.entries()) {
        const hash = receipts.get(nativeHash(i))?.transactionHash
        expect(hash).toBe(carries(each) ? evmHash(i) : undefined)
        expect(wrappingTransactions.get(evmHash(i))?.txhash).toBe(carries(each) ? nativeHash(i) : undefined)
      }
    }),
    { numRuns: runs(200) },
  )
})

/** The RLP of short texts of bytes, and of a list of them. */
const rlp = (item: Buffer | readonly Buffer[]): Buffer => {
  if (Array.isArray(item)) {
    const content = Buffer.concat(item.map(rlp))
    return Buffer.concat([Buffer.from([0xc0 + content.length]), content])
  }
  const bytes = item as Buffer
  return Buffer.concat([Buffer.from([0x80 + bytes.length]), bytes])
}

test('madeHash is the Keccak hash of the RLP', () => {
  const txhash = 'A85D9D37A6C02D19634BBF811892C1E74D5E9163347554F19C78D052802710E3'
  const zero = Buffer.alloc(0)
  const data = Buffer.from(txhash, 'hex')
  const bytes = rlp([zero, zero, zero, zero, zero, data, zero, zero, zero])
  expect(madeHash({ txhash })).toBe(`0x${bytesToHex(keccak_256(bytes))}`)
  expect(madeHash({ txhash: 'none' })).toBeUndefined()
})

test('a match by computed hash has priority over position, gas and status', () => {
  const drafts: Draft[] = [1, 2].map(() => ({
    ...{ mode: 'SIGN_MODE_DIRECT', code: 0, logs: 1, gas: 5 },
  }))
  const transactions = transactionsOf(drafts).map((record, i) => ({
    ...record,
    txhash: String(i + 1).padStart(64, 'A'),
  }))
  const hashes = transactions.map((record) => madeHash(record))
  const swapped = receiptsOf(drafts).map((receipt, i) => ({
    ...receipt,
    transactionHash: hashes[1 - i],
  }))
  const { receipts } = linkBlock(transactions, read(swapped))
  expect(transactions.map(({ txhash }) => receipts.get(txhash)?.transactionHash)).toEqual(hashes)
})

test('no transaction of a block is linked if one pair does not match', () => {
  const drafts: Draft[] = [
    { mode: 'SIGN_MODE_ETHEREUM', code: 0, logs: 0, gas: 5 },
    { mode: 'SIGN_MODE_DIRECT', code: 0, logs: 1, gas: 6 },
    { mode: 'SIGN_MODE_ETHEREUM', code: 4, logs: 0, gas: 7 },
  ]
  const [first = {}, second = {}, third = {}] = receiptsOf(drafts)
  const odd: [string, object[]][] = [
    ['a receipt is missing', [first, third]],
    ['there is a receipt too many', [first, second, third, { ...third, transactionHash: evmHash(9) }]],
    ['the gas differs', [first, { ...second, gasUsed: '0x7' }, third]],
    ['the status differs', [first, second, { ...third, status: '0x1' }]],
    ['the gas is not reported', [first, { ...second, gasUsed: '' }, third]],
  ]
  expect(linkBlock(transactionsOf(drafts), read([first, second, third])).receipts.size).toBe(3)
  for (const [what, receipts] of odd) {
    const links = linkBlock(transactionsOf(drafts), read(receipts))
    expect({ what, linked: links.receipts.size, back: links.wrappingTransactions.size }).toEqual({
      ...{ what, linked: 0, back: 0 },
    })
  }
})

const chainId = chainIds.EVM
const inChain = (selection: string) => `{ chain(chainId: "${chainId}") { ${selection} } }`

plainTest('value, input and nonce are from the Cosmos transaction, or from the trace', async () => {
  await using world = await startWorld()
  const { chain } = await world.data(
    inChain(`evmTransactions(first: 60) { nodes {
      value input nonce
      transaction { messages { typeUrl body } signers { sequence publicKeyType } memo }
      internalTransactions(first: 1) { nodes { value input } }
    } }`),
  )
  const seen = new Set<string>()
  for (const { transaction, value, input, nonce, ...tx } of chain.evmTransactions.nodes) {
    const [{ typeUrl, body }] = transaction.messages
    const isContract = typeUrl.startsWith('/minievm.')
    const isMultisig = transaction.signers[0].publicKeyType.includes('multisig')
    const call = tx.internalTransactions?.nodes[0]
    const expected = isContract
      ? { value: body.value, input: body.input ?? body.code }
      : (call ?? { value: null, input: null })
    expect({ value, input }).toEqual(expected)
    const isSigned = isContract && !isMultisig
    expect(nonce).toBe(isSigned ? transaction.signers[0].sequence : null)
    seen.add(`${typeUrl} ${isSigned}`)
  }
  expect(seen.size).toBeGreaterThan(2)
})

plainTest('a failed EVM transaction is linked, and a multisig call without logs has none', async () => {
  await using world = await startWorld({ chains: youngChains(1_001) })
  const fields = `hash isSuccessful messages { typeUrl } events(types: ["evm"]) { type }
    signers { publicKeyType } evmTransaction { isSuccessful transaction { hash } }`
  const { chain } = await world.data(inChain(`transactions(first: 40) { nodes { ${fields} } }`))
  const calls = chain.transactions.nodes.filter((tx: Data) => tx.messages[0].typeUrl.startsWith('/minievm.'))
  const isMultisig = (tx: Data) => tx.signers[0].publicKeyType.includes('multisig')
  const failed = calls.filter((tx: Data) => !tx.isSuccessful && !isMultisig(tx))
  expect(failed.length).toBeGreaterThan(0)
  for (const { hash, evmTransaction } of failed) {
    expect(evmTransaction).toEqual({ isSuccessful: false, transaction: { hash } })
  }
  const silent = calls.filter((tx: Data) => isMultisig(tx) && tx.events.length === 0)
  expect(silent.length).toBeGreaterThan(0)
  for (const { evmTransaction } of silent) expect(evmTransaction).toBeNull()
})

test('a block with mismatched lists links only transactions with a computed hash', async () => {
  await using world = await startWorld()
  const list = '/indexer/tx/v1/evm-txs/by_height/57'
  const [last, ...others] = await world.rows(chainId, list)
  const odd = [{ ...last, gasUsed: '0x1' }, ...others]
  world.sandbox.faults.set(chainId, list, { kind: 'answer', json: { txs: odd, pagination: {} } })
  const { chain } = await world.data(
    inChain(`block(height: 57) { transactions(first: 100) { nodes {
      hash signers { signMode } evmTransaction { hash transaction { hash } } } } }`),
  )
  const { nodes } = chain.block.transactions
  const linked = nodes.filter(({ evmTransaction }: Data) => evmTransaction)
  expect(nodes.length).toBeGreaterThan(linked.length)
  for (const { hash, signers, evmTransaction } of linked) {
    expect(signers[0].signMode).not.toBe('SIGN_MODE_ETHEREUM')
    expect(evmTransaction).toEqual({ hash: madeHash({ txhash: hash }), transaction: { hash } })
  }
})

/** A block in which every transaction made a contract emit a log. */
function crowdedBlock(size: number) {
  const events = [{ type: 'evm', attributes: [{ key: 'log', value: '{}' }] }]
  const numbers = Array.from({ length: size }, (_, i) => i + 1)
  const native = numbers.map((number) => {
    const row = transactionRow(number, 7)
    return { ...row, json: { ...row.json, events } }
  })
  const receipts = numbers.map((number) => {
    const row = receiptRow(number, 7)
    return { ...row, json: { ...row.json, transactionIndex: hex(number) } }
  })
  return askIndexer({
    rows: new Map([
      ['/indexer/block/v1/blocks', [blockRow(7, size)]],
      ['/indexer/tx/v1/txs', native],
      ['/indexer/tx/v1/evm-txs', receipts],
    ]),
    ofChain: plainList,
    ofBlock: plainList,
  })
}

test.each([
  [2_400, true],
  [5_000, true],
  [5_001, false],
])('a block of %i transactions is read page by page: linked %s', async (size, isLinked) => {
  const indexer = crowdedBlock(size)
  const digits = (size - 1).toString(16).padStart(64, '0')
  const { chain } = await indexer.data(`{ chain { evmTransaction(hash: "0x${digits}") { transaction { hash } } } }`)
  expect(chain.evmTransaction.transaction).toEqual(isLinked ? { hash: digits.toUpperCase() } : null)
  const lists = indexer.sent.filter((target) => target.includes('by_height'))
  expect(lists.length).toBeLessThanOrEqual(10)
  expect(lists.length).toBeGreaterThanOrEqual(2 * Math.min(5, Math.ceil(size / 1000)) - 1)
})
