import { afterAll, expect, test } from 'vitest'
import { chainIds, type Data, startWorld, testOfPlainRecords } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const { EVM: chainId } = chainIds
const inChain = (selection: string) => `{ chain(chainId: "${chainId}") { ${selection} } }`

const decimal = (hex: string) => (hex === '' || hex === '0x' ? null : String(BigInt(hex)))
const accountOf = (address: string | null) => (address ? { address } : null)

const receiptFields = `
  hash height blockHash index from { address } to { address } createdContract { address }
  isSuccessful gasUsed cumulativeGasUsed effectiveGasPrice fee type logsBloom
  logs { account { address } topics data index isRemoved }
`

/** An EVM transaction as the graph should show the record of an indexer. */
const receiptAsGraph = (record: Data) => ({
  hash: record.transactionHash,
  height: Number(record.blockNumber),
  blockHash: record.blockHash,
  index: Number(record.transactionIndex),
  from: accountOf(record.from),
  to: accountOf(record.to),
  createdContract: accountOf(record.contractAddress),
  isSuccessful: record.status === '0x1',
  gasUsed: decimal(record.gasUsed),
  cumulativeGasUsed: decimal(record.cumulativeGasUsed),
  effectiveGasPrice: decimal(record.effectiveGasPrice),
  fee: String(BigInt(record.gasUsed) * BigInt(record.effectiveGasPrice)),
  type: Number(record.type),
  logsBloom: record.logsBloom,
  logs: (record.logs ?? []).map((log: Data) => ({
    account: { address: log.address },
    topics: log.topics,
    data: log.data,
    index: Number(log.logIndex),
    isRemoved: log.removed,
  })),
})

const callFields = `
  transactionHash height index parentIndex kind rawKind from { address } to { address }
  value gas gasUsed input output
`

const callAsGraph = (record: Data) => ({
  transactionHash: record.hash,
  height: Number(record.height),
  index: record.index,
  parentIndex: record.parent_index < 0 ? null : record.parent_index,
  kind: record.type,
  rawKind: record.type,
  from: accountOf(record.from),
  to: accountOf(record.to),
  value: decimal(record.value),
  gas: decimal(record.gas),
  gasUsed: decimal(record.gasUsed),
  input: record.input,
  output: record.output,
})

plainTest('EVM transactions equal their receipts', async () => {
  const { chain } = await world.data(inChain(`evmTransactions(first: 100) { totalCount nodes { ${receiptFields} } }`))
  const records = await world.rows(chainId, '/indexer/tx/v1/evm-txs')
  expect(chain.evmTransactions.nodes).toEqual(records.map(receiptAsGraph))
  expect(chain.evmTransactions.totalCount).toBe(records.length)
  const has = (claim: (tx: Data) => boolean) => chain.evmTransactions.nodes.some(claim)
  expect(has((tx) => tx.to === null && tx.createdContract !== null)).toBe(true)
  expect(has((tx) => tx.logs.length > 0 && tx.isSuccessful)).toBe(true)
  expect(has((tx) => !tx.isSuccessful)).toBe(true)
})

plainTest('logs are filtered by event topic', async () => {
  const logsOf = async (args: string) => {
    const { chain } = await world.data(
      `{ chain(chainId: "galley-1") { evmTransactions(first: 100) { nodes { logs${args} { topics } } } } }`,
    )
    return chain.evmTransactions.nodes.flatMap((node: Data) => node.logs)
  }
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const all = await logsOf('')
  const transfers = await logsOf(`(topics: ["${transfer.toUpperCase().replace('0X', '')}"])`)
  expect(transfers.length).toBeGreaterThan(0)
  expect(transfers.length).toBeLessThan(all.length)
  expect(transfers).toEqual(all.filter(({ topics }: Data) => topics[0] === transfer))
  expect(await logsOf('(topics: [])')).toEqual([])
})

test('an EVM transaction is found by hash in any form', async () => {
  const [record] = await world.rows(chainId, '/indexer/tx/v1/evm-txs')
  const hash: string = record.transactionHash
  const bare = hash.slice(2)
  for (const spelling of [hash, bare, bare.toUpperCase(), `0x${bare.toUpperCase()}`]) {
    const { chain } = await world.data(inChain(`evmTransaction(hash: "${spelling}") { ${receiptFields} }`))
    expect(chain.evmTransaction).toEqual(receiptAsGraph(record))
  }
})

test('Cosmos hashes do not find EVM transactions, nor EVM hashes Cosmos transactions', async () => {
  const [native] = await world.rows(chainId, '/indexer/tx/v1/txs')
  const [evm] = await world.rows(chainId, '/indexer/tx/v1/evm-txs')
  const { chain } = await world.data(
    inChain(`evmTransaction(hash: "${native.txhash}") { hash }
      transaction(hash: "${evm.transactionHash}") { hash }`),
  )
  expect(chain).toEqual({ evmTransaction: null, transaction: null })
})

test('internal transactions of a chain equal the calls of the indexer', async () => {
  const { chain } = await world.data(
    inChain(`evmInternalTransactions(first: 100) { totalCount nodes { ${callFields} } }`),
  )
  const records = await world.rows(chainId, '/indexer/tx/v1/evm-internal-txs')
  expect(chain.evmInternalTransactions.nodes).toEqual(records.slice(0, 100).map(callAsGraph))
  expect(chain.evmInternalTransactions.totalCount).toBe(records.length)
  expect(chain.evmInternalTransactions.nodes.map((call: Data) => call.value)).toContain(null)
})

plainTest('internal transactions of an EVM transaction are in call order', async () => {
  const { chain } = await world.data(
    inChain(`evmTransactions(first: 25, order: ASC) { nodes {
      hash internalTransactions { totalCount nodes {
        ${callFields} transaction { hash } block { height }
      } }
    } }`),
  )
  const depths = new Set<number>()
  for (const { hash, internalTransactions } of chain.evmTransactions.nodes) {
    const records = await world.rows(chainId, `/indexer/tx/v1/evm-internal-txs/${hash}`, {
      'pagination.reverse': 'false',
    })
    expect(internalTransactions.nodes).toEqual(
      records.map((record) => ({
        ...callAsGraph(record),
        transaction: { hash },
        block: { height: Number(record.height) },
      })),
    )
    expect(internalTransactions.nodes.map((call: Data) => call.index)).toEqual(records.map((_, index) => index))
    expect(internalTransactions.totalCount).toBe(records.length)
    depths.add(records.length)
  }
  expect(depths).toEqual(new Set([1, 2, 3, 4]))
})

test('untraced EVM transactions have null internal transactions, and their block none', async () => {
  const { internal_tx_height: traced, height } = await world.rest(chainId, '/status')
  expect(traced).toBeLessThan(height)
  const { chain } = await world.data(
    inChain(`block(height: ${height}) {
      evmInternalTransactions { nodes { index } }
      evmTransactions { nodes { height internalTransactions { nodes { index } } } }
    }`),
  )
  expect(chain.block.evmInternalTransactions.nodes).toEqual([])
  expect(chain.block.evmTransactions.nodes.length).toBeGreaterThan(0)
  for (const tx of chain.block.evmTransactions.nodes) {
    expect(tx.internalTransactions).toBeNull()
  }
})

plainTest('a block and its EVM transactions and calls link to each other', async () => {
  const { chain } = await world.data(
    inChain(`blocks(first: 20) { nodes {
      height hash
      evmTransactions(first: 10) { totalCount nodes { hash block { hash } } }
      evmInternalTransactions(first: 30) { nodes { transactionHash index block { hash } } }
    } }`),
  )
  const ascending = { 'pagination.reverse': 'false' }
  for (const block of chain.blocks.nodes) {
    const receipts = await world.rows(chainId, `/indexer/tx/v1/evm-txs/by_height/${block.height}`, ascending)
    const calls = await world.rows(chainId, `/indexer/tx/v1/evm-internal-txs/by_height/${block.height}`, ascending)
    const reference = { block: { hash: block.hash } }
    expect(block.evmTransactions).toEqual({
      totalCount: receipts.length,
      nodes: receipts.map((receipt) => ({ hash: receipt.transactionHash, ...reference })),
    })
    expect(block.evmInternalTransactions.nodes).toEqual(
      calls.map((call) => ({ transactionHash: call.hash, index: call.index, ...reference })),
    )
  }
})

plainTest('an EVM transaction and its Cosmos transaction link to each other', async () => {
  const { chain } = await world.data(
    inChain(`
      transactions(first: 100) { nodes { hash height evmTransaction { hash height } } }
      evmTransactions(first: 100) { nodes { hash height transaction { hash evmTransaction { hash } } } }
    `),
  )
  const wrapping = chain.transactions.nodes.filter((tx: Data) => tx.evmTransaction)
  expect(wrapping.map((tx: Data) => tx.evmTransaction.hash)).toEqual(
    chain.evmTransactions.nodes.map((tx: Data) => tx.hash),
  )
  for (const tx of wrapping) expect(tx.evmTransaction.height).toBe(tx.height)
  expect(chain.evmTransactions.nodes.map((tx: Data) => tx.transaction)).toEqual(
    wrapping.map((tx: Data) => ({
      hash: tx.hash,
      evmTransaction: { hash: tx.evmTransaction.hash },
    })),
  )
  expect(wrapping.length).toBeLessThan(chain.transactions.nodes.length)
})

test.each([chainIds.MOVE, chainIds.WASM])('EVM fields of %s are null, without an error or a request', async (other) => {
  const [record] = await world.rows(other, '/indexer/tx/v1/txs')
  const { data, errors, sent } = await world.trace(
    `query ($chainId: ChainId, $hash: Hash!) { chain(chainId: $chainId) {
        evmTransaction(hash: $hash) { hash }
        evmTransactions { nodes { hash } }
        evmInternalTransactions { nodes { index } }
        block(height: 57) {
          evmTransactions { nodes { hash } }
          evmInternalTransactions { nodes { index } }
        }
        account(address: "0x1") {
          evmTransactions { nodes { hash } }
          evmInternalTransactions { nodes { index } }
        }
        transaction(hash: $hash) { hash evmTransaction { hash } }
      } }`,
    { chainId: other, hash: record.txhash },
  )
  expect(errors).toBeUndefined()
  expect(data.chain).toEqual({
    evmTransaction: null,
    evmTransactions: null,
    evmInternalTransactions: null,
    block: { evmTransactions: null, evmInternalTransactions: null },
    account: { evmTransactions: null, evmInternalTransactions: null },
    transaction: { hash: record.txhash, evmTransaction: null },
  })
  expect(sent.filter((request) => request.includes('/evm-'))).toEqual([])
})

test('fields that a receipt omits are null', async () => {
  await using odd = await startWorld()
  const [record] = await odd.rows(chainId, '/indexer/tx/v1/evm-txs')
  const hash = record.transactionHash
  const empty = Object.fromEntries(Object.keys(record).map((key) => [key, '']))
  odd.sandbox.faults.set(chainId, `/indexer/tx/v1/evm-txs/${hash}`, {
    kind: 'answer',
    json: {
      tx: {
        ...empty,
        transactionHash: hash,
        blockNumber: record.blockNumber,
        contractAddress: null,
        logs: null,
      },
    },
  })
  const { chain } = await odd.data(inChain(`evmTransaction(hash: "${hash}") { ${receiptFields} }`))
  expect(chain.evmTransaction).toEqual({
    hash,
    height: Number(record.blockNumber),
    blockHash: null,
    index: null,
    from: null,
    to: null,
    createdContract: null,
    isSuccessful: null,
    gasUsed: null,
    cumulativeGasUsed: null,
    effectiveGasPrice: null,
    fee: null,
    type: null,
    logsBloom: null,
    logs: [],
  })
})
