import { afterAll, expect, test } from 'vitest'
import { createWorld } from '../../../../packages/sandbox/src/world/world.ts'
import { startRouterWorld } from '../../../support/routerWorld.ts'
import { chainIds, type Data, everyChain, startWorld, testOfPlainRecords, youngChains } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const [chain] = youngChains(60)
if (!chain) throw new Error('no chain')
const [user] = createWorld(chain, 'portolan', Date.now).fixtures.users
const { bech32: address = '', hex = '' } = user ?? {}

const fields = `account { hexAddress } isOwnerKnown kind denom amount formattedAmount usdValue
  asset { symbol decimals logoUrl } contract { hexAddress } collection { address } tokenId
  objectAddress messageIndex`

const listOf = (chainId: string) =>
  world.data(`{ chain(chainId: "${chainId}") { transactions(first: 100) { nodes {
    hash isSuccessful fee { amount { denom amount } }
    signers { account { hexAddress } }
    messages { typeUrl body }
    balanceChanges { ${fields} }
  } } } }`)

plainTest.each(everyChain)('on $vm, a sent coin has a negative and a positive balance change', async ({ chainId }) => {
  const { nodes } = (await listOf(chainId)).chain.transactions
  const sends = nodes.filter(
    ({ isSuccessful, messages }: Data) => isSuccessful && messages[0].typeUrl.endsWith('.MsgSend'),
  )
  expect(sends.length).toBeGreaterThan(0)
  for (const { balanceChanges, messages, signers } of sends) {
    for (const { denom, amount } of messages[0].body.amount) {
      const ofDenom = balanceChanges.filter((each: Data) => each.denom === denom && each.kind !== 'FEE')
      expect(ofDenom.map((each: Data) => each.amount)).toEqual([`-${amount}`, amount])
      const [lost, got] = ofDenom
      expect(lost.account).toEqual(signers[0].account)
      expect(got.account).not.toEqual(lost.account)
      expect([lost.isOwnerKnown, lost.messageIndex]).toEqual([true, 0])
      if (lost.asset) {
        expect(Number(lost.formattedAmount)).toBeCloseTo(-Number(amount) / 10 ** lost.asset.decimals)
        expect(got.formattedAmount).toBe(lost.formattedAmount.slice(1))
        if (lost.usdValue) expect(lost.usdValue).toBe(`-${got.usdValue}`)
      }
    }
  }
  expect(sends.some(({ balanceChanges }: Data) => balanceChanges[1].asset?.symbol)).toBe(true)
})

plainTest.each(everyChain)('on $vm, a failed transaction has only its fee as balance change', async ({ chainId }) => {
  const { nodes } = (await listOf(chainId)).chain.transactions
  const failed = nodes.filter(({ isSuccessful }: Data) => !isSuccessful)
  expect(failed.length).toBeGreaterThan(0)
  for (const { balanceChanges, fee, signers } of failed) {
    const [{ denom, amount }] = fee.amount
    expect(balanceChanges.map((each: Data) => [each.kind, each.denom, each.amount])).toEqual([
      ['FEE', denom, `-${amount}`],
      ['FEE', denom, amount],
    ])
    expect(balanceChanges[0].account).toEqual(signers[0].account)
    expect(balanceChanges[0].messageIndex).toBeNull()
  }
})

plainTest('a collection of ERC-1155, which the indexer does not have, has an empty name and no error', async () => {
  // `data` throws for an error.
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.EVM}") { transactions(first: 100) { nodes {
    balanceChanges { collection { address name } }
  } } } }`)
  const collections = chain.transactions.nodes.flatMap(({ balanceChanges }: Data) =>
    balanceChanges.flatMap(({ collection }: Data) => collection ?? []),
  )
  const names = new Map(collections.map(({ address, name }: Data) => [address, name]))
  expect([...names.values()].filter((name) => name === '')).toHaveLength(1)
  expect(names.size).toBeGreaterThan(1)
})

plainTest.each(everyChain)(
  'on $vm, an NFT balance change has a collection and no contract',
  async ({ vm, chainId }) => {
    const { nodes } = (await listOf(chainId)).chain.transactions
    const nfts = nodes
      .flatMap(({ balanceChanges }: Data) => balanceChanges)
      .filter(({ kind }: Data) => kind === 'NFT' || kind === 'OBJECT')
    expect(nfts.length).toBeGreaterThan(0)
    for (const { kind, collection, tokenId, contract, denom, asset, objectAddress } of nfts) {
      expect([contract, denom, asset]).toEqual([null, null, null])
      // The event of a transfer on a Move chain names the object alone.
      expect([collection === null, tokenId === null]).toEqual(Array(2).fill(kind === 'OBJECT'))
      expect(objectAddress === null).toBe(vm !== 'MOVE')
    }
  },
)

test('balanceChanges(address:) is the same for all forms of an address', async () => {
  await using fresh = await startWorld()
  const find = `{ chain(chainId: "${chainIds.MOVE}") { account(address: "${address}") {
    transactions(first: 20) { nodes { hash balanceChanges(address: "${hex}") { amount } } }
  } } }`
  const { nodes } = (await world.data(find)).chain.account.transactions
  const { hash } = nodes.find((node: Data) => node?.balanceChanges.length > 0)
  const read = (account: string) =>
    fresh.trace(`{ chain(chainId: "${chainIds.MOVE}") { transaction(hash: "${hash}") {
      balanceChanges(address: "${account}") { account { hexAddress } amount kind denom
        asset { symbol } formattedAmount }
    } } }`)
  const first = await read(address)
  const changes = first.data.chain.transaction.balanceChanges
  expect(changes.every(({ account }: Data) => account.hexAddress === hex)).toBe(true)
  expect(first.sent.toSorted()).toEqual([
    expect.stringContaining(`${chainIds.MOVE} GET /indexer/tx/v1/txs/${hash}`),
    expect.stringContaining('router GET /v2/fungible/assets'),
  ])
  for (const account of [hex, `0x${hex.slice(2).toUpperCase()}`]) {
    const again = await read(account)
    expect(again.data).toEqual(first.data)
    expect(again.sent).toEqual([])
  }
})

test('balanceChanges of an uninvolved address are empty, an invalid one is an error', async () => {
  const { data, errors } = await world.ask(`{ chain(chainId: "${chainIds.EVM}") {
    transactions(first: 1) { nodes {
      none: balanceChanges(address: "0x${'7'.repeat(40)}") { amount }
      bad: balanceChanges(address: "nobody") { amount }
      hash
    } }
  } }`)
  const [{ none, bad, hash }] = data.chain.transactions.nodes
  expect([none, bad, typeof hash]).toEqual([[], null, 'string'])
  expect(errors?.map(({ extensions, path }) => [extensions?.code, path?.at(-1)])).toEqual([['BAD_USER_INPUT', 'bad']])
})

test('each edge of activity has the balance changes of its account', async () => {
  const { account } = await world.data(`{ account(address: "${address}") { activity(first: 30) {
    edges {
      chain { chainId }
      balanceChanges { account { hexAddress } amount kind denom }
      node { ... on Transaction { balanceChanges(address: "${hex}") { account { hexAddress } amount kind denom } } }
    }
  } } }`)
  const { edges } = account.activity
  expect(edges.some(({ balanceChanges }: Data) => balanceChanges?.length > 0)).toBe(true)
  for (const { balanceChanges, node } of edges) {
    expect(balanceChanges).toEqual(node ? node.balanceChanges : null)
  }
})

test('the changes by message of each edge have the sums of all, and name their messages', async () => {
  const { account } = await world.data(`{ account(address: "${address}") { activity(first: 30) {
    edges { all: balanceChanges { ...parts } each: balanceChanges(byMessage: true) { ...parts } }
  } } }
  fragment parts on BalanceChange { kind denom contract { address } tokenId objectAddress amount messageIndex }`)
  const sumsOf = (changes: Data) => {
    const sums = new Map<string, bigint>()
    for (const { amount, messageIndex: _, ...asset } of changes) {
      const key = JSON.stringify(asset)
      sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount))
    }
    return new Map([...sums].filter(([, sum]) => sum !== 0n).toSorted())
  }
  const readable = account.activity.edges.filter(({ all }: Data) => all !== null)
  expect(readable.length).toBeGreaterThan(10)
  for (const { all, each } of readable) {
    expect(sumsOf(each)).toEqual(sumsOf(all))
    for (const { kind, messageIndex } of each) expect(messageIndex === null).toBe(kind === 'FEE')
  }
})

test('each event of activity has the balance changes of its account', async () => {
  await using live = await startRouterWorld()
  const watch = await live.watch(
    `subscription { activity(address: "${address}", chainIds: ["${chainIds.EVM}"]) {
      balanceChanges { account { hexAddress } amount asset { symbol } }
      node { ... on Transaction { balanceChanges(address: "${hex}") { account { hexAddress } amount asset { symbol } } } }
      notice { kind }
    } }`,
  )
  await live.clock.advance(0)
  await live.clock.advance(120_000)
  expect(watch.events.length).toBeGreaterThan(0)
  for (const { activity } of watch.events) {
    expect(activity.balanceChanges).toEqual(activity.node ? activity.node.balanceChanges : null)
  }
  const lists = live.requests().filter((request) => request.includes('/v2/fungible/assets'))
  expect(lists).toHaveLength(1)
})

test('while the asset list fails, balance changes have no denom of tokens', async () => {
  await using broken = await startWorld()
  broken.sandbox.faults.set('router', '/', { kind: 'status', status: 500 })
  const { data, errors } = await broken.ask(`{ chain(chainId: "${chainIds.MOVE}") {
    transactions(first: 60) { nodes { balanceChanges { kind denom amount contract { hexAddress } } } }
  } }`)
  expect(errors).toBeUndefined()
  const changes = data.chain.transactions.nodes.flatMap(({ balanceChanges }: Data) => balanceChanges)
  expect(changes.some(({ denom }: Data) => denom === chain.denom)).toBe(true)
  const unnamed = changes.filter(({ kind, denom }: Data) => kind === 'TOKEN' && denom === null)
  expect(unnamed.length).toBeGreaterThan(0)
  expect(unnamed.every(({ contract }: Data) => contract.hexAddress)).toBe(true)
})

test('too many addresses are an error of balanceChanges, but not for one account', async () => {
  await using large = await startWorld()
  const [row] = await large.rows(chainIds.MOVE, '/indexer/tx/v1/txs', { 'pagination.limit': '1' })
  const attribute = (key: string, value: string) => ({ key, value, index: true })
  const about = Array.from({ length: 1_001 }, (_, i) => `0x${(i + 1).toString(16)}`).join(' ')
  const data = JSON.stringify({ store_addr: '0x5', metadata_addr: '0x6', amount: '1' })
  const events = [
    { type: 'any', attributes: [attribute('about', about)] },
    {
      type: 'move',
      attributes: [
        attribute('type_tag', '0x1::fungible_asset::DepositEvent'),
        attribute('data', data),
        attribute('msg_index', '0'),
      ],
    },
  ]
  const json = { txs: [{ ...(row as Data), code: 0, events }], pagination: { next_key: null } }
  large.sandbox.faults.set(chainIds.MOVE, '/indexer/tx/v1/txs', { kind: 'answer', json })
  const answer = await large.ask(`{ chain(chainId: "${chainIds.MOVE}") { transactions(first: 1) { nodes {
    hash all: balanceChanges { amount } one: balanceChanges(address: "${hex}") { amount }
  } } } }`)
  expect(answer.data.chain.transactions.nodes).toMatchObject([{ hash: expect.any(String), all: null, one: [] }])
  expect(answer.errors).toMatchObject([
    {
      path: ['chain', 'transactions', 'nodes', 0, 'all'],
      message: expect.stringContaining('more than 1000 texts like addresses'),
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    },
  ])
})
