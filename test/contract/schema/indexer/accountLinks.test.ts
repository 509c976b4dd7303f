import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld } from '../../../../packages/sandbox/src/world/world.ts'
import { chainIds, type Data, startWorld, type World, youngChains } from '../../../support/world.ts'

// The EVM transactions of a page of an account are found in the receipts of the account. They have to be
// those that the blocks of the page show.

const chainId = chainIds.EVM

const listDocument = `query ($chainId: ChainId!, $address: Address!, $first: Int, $after: String) {
  chain(chainId: $chainId) { account(address: $address) {
    transactions(first: $first, after: $after) {
      nodes { hash height gasUsed evmTransaction { hash } } pageInfo { hasNextPage endCursor }
    }
  } }
}`

const blockDocument = `query ($chainId: ChainId!, $height: UInt53!) {
  chain(chainId: $chainId) { block(height: $height) {
    transactions(first: 100) { nodes { hash evmTransaction { hash } } }
  } }
}`

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const accounts = (() => {
  const chain = youngChains(60).find((candidate) => candidate.chainId === chainId)
  if (!chain) throw new Error('no EVM chain')
  const { users, feeCollector, token, dex, collections } = createWorld(chain, 'portolan', Date.now).fixtures
  const all = [...users, feeCollector, token, dex, ...collections.map(({ address }) => address)]
  return [...new Set(all.map(({ hex }) => hex))]
})()

/** The EVM hash of each transaction of the chain that carries one, as the blocks show it. */
async function linksOfBlocks(of = world): Promise<ReadonlyMap<string, string | undefined>> {
  const links = new Map<string, string | undefined>()
  for (let height = 1; height <= 60; height += 1) {
    const { chain } = await of.data(blockDocument, { chainId, height })
    for (const { hash, evmTransaction } of chain.block?.transactions.nodes ?? []) links.set(hash, evmTransaction?.hash)
  }
  return links
}

async function nodesOf(address: string, first = 100, of = world): Promise<Data[]> {
  const nodes: Data[] = []
  for (let after: string | null = null; ; ) {
    const { chain } = await of.data(listDocument, { chainId, address, first, after })
    const { transactions } = chain.account
    nodes.push(...transactions.nodes)
    if (!transactions.pageInfo.hasNextPage) return nodes
    after = transactions.pageInfo.endCursor
  }
}

const linksOf = (nodes: readonly Data[]) => nodes.map(({ hash, evmTransaction }) => [hash, evmTransaction?.hash])

test('account transactions have the same EVM links as block transactions', async () => {
  const links = await linksOfBlocks()
  let count = 0
  for (const address of accounts) {
    for (const first of [100, 7]) {
      const nodes = await nodesOf(address, first)
      expect(linksOf(nodes)).toEqual(nodes.map(({ hash }) => [hash, links.get(hash)]))
      count += nodes.filter(({ evmTransaction }) => evmTransaction).length
    }
  }
  expect(count).toBeGreaterThan(200)
}, 60_000)

test('repeated transactions are linked correctly', async () => {
  const chains = youngChains(60).map((chain) => ({ ...chain, quirks: { repeats: true } }))
  await using repeating = await startWorld({ chains })
  const links = await linksOfBlocks(repeating)
  let repeats = 0
  for (const address of accounts) {
    const nodes = await nodesOf(address, 100, repeating)
    expect(linksOf(nodes)).toEqual(nodes.map(({ hash }) => [hash, links.get(hash)]))
    repeats += nodes.filter(({ height, gasUsed, evmTransaction }, index) => {
      const before = nodes[index + 1]
      return before?.height === height && before.gasUsed === gasUsed && evmTransaction
    }).length
  }
  expect(repeats).toBeGreaterThan(0)
}, 60_000)

const lists = (lines: readonly string[]) => lines.filter((line) => /by_(height|account)/.test(line))

/** An account with EVM transactions in several blocks, and the links of these. */
async function spreadAccount() {
  const links = await linksOfBlocks()
  for (const address of accounts) {
    const nodes = await nodesOf(address)
    const linked = nodes.filter(({ hash }) => links.get(hash) !== undefined)
    const heights = new Set(linked.map(({ height }) => height))
    if (heights.size >= 3 && heights.size <= 6)
      return { address, expected: nodes.map(({ hash }) => [hash, links.get(hash)]) }
  }
  throw new Error('no account with a few EVM transactions')
}

test('EVM links of an account page take one list request', async () => {
  const { address, expected } = await spreadAccount()
  const { data, sent } = await world.trace(listDocument, { chainId, address, first: 100 })
  expect(linksOf(data.chain.account.transactions.nodes)).toEqual(expected)
  expect(lists(sent)).toEqual([
    expect.stringContaining('/txs/by_account/'),
    expect.stringContaining('/evm-txs/by_account/'),
  ])
})

const receiptsPath = '/indexer/tx/v1/evm-txs/by_account/'

test('ambiguous receipts of an account are resolved from the blocks', async () => {
  const { address, expected } = await spreadAccount()
  const json = await world.rest(chainId, `${receiptsPath}${address}?pagination.limit=100`)
  const change = (edit: (receipt: Data) => Data[]) => ({ ...json, txs: json.txs.flatMap(edit) })
  const twin = { transactionHash: `0x${'ab'.repeat(32)}` }
  const answers = {
    'two that fit': change((receipt) => [{ ...receipt, ...twin }, receipt]),
    'other gas': change((receipt) => [{ ...receipt, ...twin, gasUsed: '0x1' }]),
    'another sender': change((receipt) => [{ ...receipt, ...twin, from: `0x${'12'.repeat(20)}` }]),
    'another target': change((receipt) => [{ ...receipt, ...twin, to: `0x${'12'.repeat(20)}` }]),
    'another status': change((receipt) => [{ ...receipt, ...twin, status: receipt.status === '0x1' ? '0x0' : '0x1' }]),
    'other data of a log': change((receipt) => [
      { ...receipt, ...twin, logs: receipt.logs.map((log: Data) => ({ ...log, data: '0xabcd' })) },
      ...(receipt.logs.length === 0 ? [receipt] : []),
    ]),
    'another contract': change((receipt) => [{ ...receipt, ...twin, contractAddress: `0x${'12'.repeat(20)}` }]),
    'another log': change((receipt) => [
      {
        ...receipt,
        ...twin,
        logs: [...receipt.logs, { address, topics: [], data: '0x', logIndex: '0x0', removed: false }],
      },
    ]),
    'what cannot be read': change((receipt) => [
      { ...receipt, transactionHash: 7 },
      { ...receipt, ...twin },
    ]),
    nothing: { ...json, txs: [] },
  }
  for (const [name, answer] of Object.entries(answers)) {
    world.sandbox.faults.set(chainId, receiptsPath, { kind: 'answer', json: answer })
    expect([name, linksOf(await nodesOf(address))]).toEqual([name, expected])
  }
  world.sandbox.faults.set(chainId, receiptsPath, { kind: 'status', status: 500, times: 100 })
  expect(linksOf(await nodesOf(address))).toEqual(expected)
  world.sandbox.faults.clear()
}, 60_000)
