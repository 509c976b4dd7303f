import { afterAll, expect, test } from 'vitest'
import { chainIds, type Data, now, startWorld } from '../../support/world.ts'

// What is odd about real services happens in the sandbox too, so that nobody meets it in production first.

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const wasm = (selection: string) => `{ chain(chainId: "${chainIds.WASM}") { ${selection} } }`
const [{ object_addr: collection }] = await world.rows(chainIds.WASM, '/indexer/nft/v1/collections', {
  'pagination.reverse': 'false',
})
const nft = (tokenId: string, selection: string) =>
  `nft(collection: "${collection}", tokenId: ${JSON.stringify(tokenId)}) { ${selection} }`

test('a missing block is null, has no neighbors, and is skipped in lists', async () => {
  const { chain } = await world.data(
    wasm(`
      before: block(height: 35) { next { height } }
      missing: block(height: 36) { height }
      after: block(height: 37) { previous { height } }
      blocks(first: 100, order: ASC) { totalCount isTotalCountEstimate nodes { height } pageInfo { hasNextPage } }`),
  )
  expect(chain).toMatchObject({
    before: { next: null },
    missing: null,
    after: { previous: null },
  })
  const heights = Array.from({ length: 60 }, (_, index) => index + 1).filter((at) => at !== 36)
  expect(chain.blocks.nodes.map(({ height }: Data) => height)).toEqual(heights)
  expect(chain.blocks.pageInfo).toEqual({ hasNextPage: false })
  expect(chain.blocks.isTotalCountEstimate).toBe(true)
})

test.each([
  ['first', 'after', 'endCursor', 'hasNextPage'],
  ['last', 'before', 'startCursor', 'hasPreviousPage'],
] as const)('pages by `%s` skip a missing block and lose no others', async (size, from, end, has) => {
  const heights: number[] = []
  for (let cursor: string | null = null, isMore = true; isMore; ) {
    const { chain }: Data = await world.data(
      `query ($cursor: String) { chain(chainId: "${chainIds.WASM}") {
        blocks(${size}: 7, ${from}: $cursor) { nodes { height } pageInfo { ${has} ${end} } } } }`,
      { cursor },
    )
    const page = chain.blocks.nodes.map(({ height }: Data) => height)
    heights[size === 'first' ? 'push' : 'unshift'](...page)
    cursor = chain.blocks.pageInfo[end]
    isMore = chain.blocks.pageInfo[has]
  }
  const all = Array.from({ length: 60 }, (_, index) => 60 - index)
  expect(heights).toEqual(all.filter((at) => at !== 36))
})

test('a burned NFT is null, and one that was minted again is found', async () => {
  const { chain } = await world.data(
    wasm(`
      nftCollection(address: "${collection}") { nftCount nfts(first: 100) { totalCount } }
      burnt: ${nft('plank-139', 'id')}
      again: ${nft('plank-140', 'id transactions(first: 5, order: ASC) { nodes { messages { body } } }')}`),
  )
  expect(chain.burnt).toBeNull()
  expect(chain.nftCollection).toMatchObject({ nftCount: 138, nfts: { totalCount: 138 } })
  const bodies = chain.again.transactions.nodes.map(({ messages }: Data) => messages[0].body.msg)
  expect(bodies).toMatchObject([
    { name: 'Bored Sailors' },
    { burn: { token_id: 'plank-140' } },
    { mint: { token_id: 'plank-140' } },
  ])
})

test('a burn between two pages loses no other NFT, and node ids stay valid', async () => {
  let time = now - 34 * 3_000
  await using young = await startWorld({ clock: () => time })
  const held = await young.data(wasm(nft('plank-139', 'id')))
  const before = await young.rows(chainIds.WASM, `/indexer/nft/v1/tokens/by_collection/${collection}`)
  const ids: string[] = []
  for (let after: string | null = null, isMore = true; isMore; ) {
    const { chain }: Data = await young.data(
      `query ($after: String) { chain(chainId: "${chainIds.WASM}") {
        nftCollection(address: "${collection}") { nfts(first: 30, order: DESC, after: $after) {
          nodes { tokenId } pageInfo { hasNextPage endCursor } } } } }`,
      { after },
    )
    const { nodes, pageInfo } = chain.nftCollection.nfts
    ids.push(...nodes.map(({ tokenId }: Data) => tokenId))
    after = pageInfo.endCursor
    isMore = pageInfo.hasNextPage
    time = now
  }
  expect(new Set(ids).size).toBe(ids.length)
  const burnt = ['plank-138', 'plank-139']
  const stayed = before.map(({ nft: { token_id } }: Data) => token_id).filter((id) => !burnt.includes(id))
  expect(stayed).toHaveLength(137)
  expect(ids).toEqual(expect.arrayContaining(stayed))
  const { node } = await young.data('query ($id: ID!) { node(id: $id) { id } }', {
    id: held.chain.nft.id,
  })
  expect(node).toBeNull()
})

test('the default sandbox has multisig signers, long numbers, odd ids, ties and refusals', async () => {
  const { chain, refused } = (
    await world.ask(`{
      chain(chainId: "${chainIds.WASM}") {
        transactions(first: 100) { nodes { signers { multisig { threshold } } } }
        ${nft('hold/4', 'id transactions(first: 1) { totalCount }')}
        richList(denom: "ulant", first: 100) { nodes { amount } }
      }
      refused: route(input: { amountIn: "1000"
        source: { chainId: "1", denom: "ethereum-native" }
        destination: { chainId: "osmosis-1", denom: "uosmo" } }) { amountOut }
    }`)
  ).data
  expect(chain.transactions.nodes).toContainEqual({ signers: [{ multisig: { threshold: 2 } }] })
  expect(chain.nft).toEqual({ id: expect.any(String), transactions: null })
  const amounts = chain.richList.nodes.map(({ amount }: Data) => amount)
  expect(new Set(amounts).size).toBeLessThan(amounts.length)
  expect(refused).toBeNull()
  const text = await fetch(world.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: wasm('transactions(first: 100) { nodes { messages { body } } }'),
    }),
  })
  expect(await text.text()).toMatch(/"order_id":184467440737095\d{5}\b/)
})

test('a value that the indexer refuses is null with an error', async () => {
  const { errors = [] } = await world.ask(wasm(nft('hold/4', 'id transactions(first: 1) { totalCount }')))
  expect(errors).toMatchObject([{ path: ['chain', 'nft', 'transactions'], extensions: { code: 'UPSTREAM_REJECTED' } }])
})
