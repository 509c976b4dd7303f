import { afterAll, expect, test } from 'vitest'
import { sandboxChains } from '../../../../packages/sandbox/src/chains.ts'
import { chainIds, type Data, everyChain, startWorld, youngChains } from '../../../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const query = `query ($chainId: ChainId, $denom: Denom!) { chain(chainId: $chainId) {
  richList(denom: $denom, first: 100) {
    totalCount isTotalCountEstimate nodes { account { address } denom amount }
  }
} }`

const denomOf = (chainId: string) => sandboxChains.find((chain) => chain.chainId === chainId)?.denom ?? ''

test.each(everyChain)('$vm: richList equals the holders of the indexer, largest first', async ({ chainId }) => {
  const denom = denomOf(chainId)
  const { chain } = await world.data(query, { chainId, denom })
  const key = denom.replace(/^evm\//, '0x')
  const holders = await world.rows(chainId, `/indexer/richlist/v1/${key}`)
  expect(chain.richList).toEqual({
    totalCount: holders.length,
    isTotalCountEstimate: false,
    nodes: holders.slice(0, 100).map(({ account, amount }) => ({ account: { address: account }, denom, amount })),
  })
  const amounts = chain.richList.nodes.map((holder: Data) => BigInt(holder.amount))
  expect(amounts).toEqual(amounts.toSorted((a: bigint, b: bigint) => (a > b ? -1 : a < b ? 1 : 0)))
})

test.each(everyChain)('$vm: a holder links to its account on the chain', async ({ chainId }) => {
  const { chain } = await world.data(
    `query ($chainId: ChainId, $denom: Denom!) { chain(chainId: $chainId) {
      richList(denom: $denom, first: 60) { nodes { account {
        address bech32Address hexAddress chain { chainId }
        nfts { totalCount } transactions { totalCount }
      } } }
    } }`,
    { chainId, denom: denomOf(chainId) },
  )
  let owners = 0
  for (const { account } of chain.richList.nodes) {
    expect(account.chain).toEqual({ chainId })
    expect([account.hexAddress, account.bech32Address]).toContain(account.address)
    const path = `/indexer/nft/v1/tokens/by_account/${account.address}`
    expect(account.nfts.totalCount).toBe(Number((await world.rest(chainId, path)).pagination.total))
    if (account.nfts.totalCount !== 0) owners += 1
  }
  expect(owners).toBeGreaterThan(0)
})

test('an EVM denom with a contract is sent as the contract address', async () => {
  const denom = denomOf(chainIds.EVM)
  const contract = denom.replace(/^evm\//, '0x')
  const byName = await world.trace(query, { chainId: chainIds.EVM, denom })
  const byContract = await world.trace(query, { chainId: chainIds.EVM, denom: contract })
  expect(byName.sent.every((request) => request.includes(`/richlist/v1/${contract}?`))).toBe(true)
  expect(byContract.sent).toEqual(byName.sent)
})

test('a denom with slashes is sent as one path segment with %2F', async () => {
  for (const denom of [`ibc/${'A1'.repeat(32)}`, 'factory/init1creator/uusd', 'l2/abc', 'a:b+c-d.e_f']) {
    const { errors, data, sent } = await world.trace(query, { denom })
    expect(errors).toBeUndefined()
    expect(data.chain.richList.nodes).toEqual([])
    const piece = denom.replaceAll('/', '%2F')
    for (const request of sent) expect(request.split('?')[0]).toBe(`harbor-1 GET /indexer/richlist/v1/${piece}`)
    expect(sent).toHaveLength(1)
  }
})

test('an unknown EVM denom is an error without the upstream text', async () => {
  const [error] = await world.errors(query, { chainId: chainIds.EVM, denom: 'nosuch' })
  expect(error).toMatchObject({
    path: ['chain', 'richList'],
    extensions: { code: 'UPSTREAM_REJECTED', service: chainIds.EVM },
  })
  expect(JSON.stringify(error)).not.toMatch(/http|10\.0|exhausted/)
})

test.each(everyChain)('$vm: richList is null if the indexer has none', async ({ chainId }) => {
  const chains = youngChains(60).map((chain) => ({ ...chain, quirks: { richListOff: true } }))
  await using bare = await startWorld({ chains })
  const { chain } = await bare.data(query, { chainId, denom: denomOf(chainId) })
  expect(chain.richList).toBeNull()
})

const ranked = `query ($chainId: ChainId, $denom: Denom!, $first: Int, $last: Int, $order: OrderDirection! = DESC) {
  chain(chainId: $chainId) { richList(denom: $denom, first: $first, last: $last, order: $order) {
    nodes { amount rank sharePercent } pageInfo { startCursor endCursor }
  } }
}`

test.each(everyChain)('$vm: holders have a rank from both ends, and a share of the supply', async ({ chainId }) => {
  const denom = denomOf(chainId)
  const { errors, data, sent } = await world.trace(ranked, { chainId, denom, first: 100 })
  expect(errors).toBeUndefined()
  expect(sent).toHaveLength(1)
  const { nodes } = data.chain.richList
  expect(nodes.map(({ rank }: Data) => rank)).toEqual(nodes.map((_: Data, i: number) => i + 1))
  const key = denom.replace(/^evm\//, '0x')
  const rows = await world.rows(chainId, `/indexer/richlist/v1/${key}`)
  const supply = rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  for (const { amount, sharePercent } of nodes) {
    expect(Number(sharePercent)).toBeCloseTo((100 * Number(amount)) / Number(supply), 10)
  }
  const small = await world.data(ranked, { chainId, denom, first: 2, order: 'ASC' })
  expect(small.chain.richList.nodes.map(({ rank }: Data) => rank)).toEqual([131, 130])
  const end = await world.data(ranked, { chainId, denom, last: 2 })
  expect(end.chain.richList.nodes.map(({ rank }: Data) => rank)).toEqual([130, 131])
})

test('holders beyond one page of the indexer have no share, and ranks from the top', async () => {
  const chains = youngChains(60).map((chain) => ({ ...chain, quirks: { maxLimit: 50 } }))
  await using short = await startWorld({ chains })
  const down = await short.data(ranked, { denom: 'uinit', first: 3 })
  expect(down.chain.richList.nodes.map(({ rank, sharePercent }: Data) => [rank, sharePercent])).toEqual([
    [1, null],
    [2, null],
    [3, null],
  ])
  const up = await short.data(ranked, { denom: 'uinit', first: 1, order: 'ASC' })
  expect(up.chain.richList.nodes).toEqual([{ amount: '0', rank: null, sharePercent: null }])
  expect(await short.data(ranked, { denom: 'uinit', last: 1, order: 'ASC' })).toMatchObject({
    chain: { richList: { nodes: [{ rank: 1 }] } },
  })
})
