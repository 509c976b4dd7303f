import { afterAll, expect, test } from 'vitest'
import { chainIds, type Data, everyChain, startWorld, testOfPlainRecords, type World } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const collectionsPath = '/indexer/nft/v1/collections'
const collectionFields = 'address name originName creator { bech32Address } nftCount height timestamp'

/** A collection as the graph should show the record of an indexer. */
const collectionAsGraph = (record: Data) => ({
  address: record.object_addr,
  name: record.collection.name,
  originName: record.collection.origin_name || null,
  creator: { bech32Address: record.collection.creator },
  nftCount: record.collection.nfts.length,
  height: Number(record.height),
  timestamp: record.timestamp,
})

const nftFields = 'tokenId uri objectAddress height timestamp owner { bech32Address }'

const nftAsGraph = (record: Data) => ({
  tokenId: record.nft.token_id,
  uri: record.nft.uri || null,
  objectAddress: record.object_addr || null,
  height: Number(record.height),
  timestamp: record.timestamp,
  owner: { bech32Address: record.owner },
})

test.each(everyChain)('$vm: collections equal those of the indexer', async ({ chainId }) => {
  const { chain } = await world.data(
    `query ($chainId: ChainId) { chain(chainId: $chainId) {
      nftCollections { totalCount isTotalCountEstimate nodes { ${collectionFields} } }
    } }`,
    { chainId },
  )
  const records = await world.rows(chainId, collectionsPath)
  expect(chain.nftCollections.nodes).toEqual(records.map(collectionAsGraph))
  const { pagination } = await world.rest(chainId, collectionsPath)
  expect(chain.nftCollections.totalCount).toBe(Number(pagination.total))
  expect(chain.nftCollections.isTotalCountEstimate).toBe(true)
})

plainTest.each(everyChain)(
  '$vm: a collection by address and its NFTs equal those of the indexer',
  async ({ chainId }) => {
    const records = await world.rows(chainId, collectionsPath)
    for (const record of records) {
      const address = record.object_addr
      const { chain } = await world.data(
        `query ($chainId: ChainId, $address: Address!) { chain(chainId: $chainId) {
        nftCollection(address: $address) {
          ${collectionFields}
          nfts(first: 100, order: ASC) { totalCount nodes { ${nftFields} collection { address name } } }
        }
      } }`,
        { chainId, address: address.toUpperCase().replace('0X', '0x') },
      )
      const { nfts, ...collection } = chain.nftCollection
      expect(collection).toEqual(collectionAsGraph(record))
      const tokens = await world.rows(chainId, `/indexer/nft/v1/tokens/by_collection/${address}`, {
        'pagination.reverse': 'false',
      })
      const reference = { collection: { address, name: record.collection.name } }
      expect(nfts.nodes).toEqual(tokens.slice(0, 100).map((token) => ({ ...nftAsGraph(token), ...reference })))
      expect(nfts.totalCount).toBe(tokens.length)
    }
  },
)

test('a collection is found by bech32 address, and an unknown one is null', async () => {
  const [record] = await world.rows(chainIds.WASM, collectionsPath)
  const { chain } = await world.data(
    `query ($address: Address!) { chain(chainId: "${chainIds.WASM}") {
      account(address: $address) { bech32Address }
      unknown: nftCollection(address: "0x01") { name }
    } }`,
    { address: record.object_addr },
  )
  expect(chain.unknown).toBeNull()
  const byBech32 = await world.data(
    `query ($address: Address!) { chain(chainId: "${chainIds.WASM}") {
      nftCollection(address: $address) { address name }
    } }`,
    { address: chain.account.bech32Address },
  )
  expect(byBech32.chain.nftCollection).toEqual({
    address: record.object_addr,
    name: record.collection.name,
  })
})

plainTest.each(everyChain)('$vm: an NFT links to its collection, owner and transactions', async ({ chainId }) => {
  const records = await world.rows(chainId, collectionsPath)
  const transactions = await world.rows(chainId, '/indexer/tx/v1/txs')
  let moved = 0
  for (const { object_addr: collection } of records.slice(-3)) {
    const tokens = await world.rows(chainId, `/indexer/nft/v1/tokens/by_collection/${collection}`)
    for (const token of tokens.slice(0, 60)) {
      // Indexers cannot look up the transactions of such an id.
      if (/[\s/]|.{1025}/.test(token.nft.token_id)) continue
      const { chain } = await world.data(
        `query ($chainId: ChainId, $collection: Address!, $tokenId: String!) {
          chain(chainId: $chainId) { nft(collection: $collection, tokenId: $tokenId) {
            ${nftFields}
            collection { address }
            owner { bech32Address nfts(filter: { tokenId: $tokenId, collection: $collection }) { nodes { tokenId } } }
            transactions { totalCount nodes { hash } }
          } }
        }`,
        { chainId, collection, tokenId: token.nft.token_id },
      )
      const { owner, transactions: nftTransactions, ...rest } = chain.nft
      const { owner: _owner, ...expected } = nftAsGraph(token)
      expect(rest).toEqual({ ...expected, collection: { address: collection } })
      expect(owner).toEqual({
        bech32Address: token.owner,
        nfts: { nodes: [{ tokenId: token.nft.token_id }] },
      })
      // The newest transaction that touched it is its last change.
      const hashes: string[] = nftTransactions.nodes.map((tx: Data) => tx.hash)
      expect(nftTransactions.totalCount).toBe(hashes.length)
      const newest = transactions.find((tx) => tx.txhash === hashes[0])
      expect(Number(newest.height)).toBe(Number(token.height))
      if (hashes.length > 1) moved += 1
    }
  }
  expect(moved).toBeGreaterThan(0)
})

test('an NFT with a space in its id is found, and its transactions are an error', async () => {
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.WASM}") {
    nftCollections(filter: { search: "harbourcats" }, order: ASC) { nodes { address } }
  } }`)
  const [{ address }] = chain.nftCollections.nodes
  const { data, errors, sent } = await world.trace(
    `query ($address: Address!) { chain(chainId: "${chainIds.WASM}") {
      nft(collection: $address, tokenId: "first light") { tokenId transactions { nodes { hash } } }
      unknown: nft(collection: $address, tokenId: "First Light") { tokenId }
    } }`,
    { address },
  )
  expect(data.chain).toEqual({ nft: { tokenId: 'first light', transactions: null }, unknown: null })
  expect(errors).toMatchObject([{ path: ['chain', 'nft', 'transactions'], extensions: { code: 'UPSTREAM_REJECTED' } }])
  expect(sent.filter((request) => request.includes('/nft/v1/txs/'))).toEqual([])
})

test('a non-ASCII token id is sent as raw UTF-8', async () => {
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.WASM}") {
    nftCollections(filter: { search: "harbourcats" }, order: ASC) { nodes { address } }
  } }`)
  const [{ address }] = chain.nftCollections.nodes
  const { data, errors, sent } = await world.trace(
    `query ($address: Address!) { chain(chainId: "${chainIds.WASM}") {
      nft(collection: $address, tokenId: "fünf⚓") { tokenId transactions(last: 1) { nodes { events { type } } } }
    } }`,
    { address },
  )
  expect(errors).toBeUndefined()
  expect(data.chain.nft.tokenId).toBe('fünf⚓')
  expect(data.chain.nft.transactions.nodes).toHaveLength(1)
  expect(sent.some((request) => request.includes(`/indexer/nft/v1/txs/${address}/fünf⚓`))).toBe(true)
})

test.each([
  ['Tide Pools 潮', ['Tide Pools 潮']],
  ['tide pools', ['Tide Pools 潮']],
  ['潮', ['Tide Pools 潮']],
  ['🐙 octo', ['🐙 Octo Pals']],
  ['CAFÉ DEL', ['Café del Mar']],
  ['고래', ['고래 클럽']],
  ['  harbour   cats!', ['Harbour Cats #2', 'Harbour Cats #1']],
  // What JavaScript writes in lower case with two characters, or by the place in a word.
  ['Knots² & İΣΟΣ', ['Knots² & İΣΟΣ']],
  ['İΣΟΣ', ['Knots² & İΣΟΣ']],
  ['iσοσ', ['Knots² & İΣΟΣ']],
  ['²', ['Knots² & İΣΟΣ']],
  ['lantern-fish', ['lantern-fish']],
  ['../ghost/ships', ['ibc/Ghost Ships']],
  ['%47host', []],
  ['no such name', []],
])('collection search for %j finds %j', async (name, expected) => {
  for (const { chainId } of everyChain) {
    const { chain } = await world.data(
      `query ($chainId: ChainId, $name: String) { chain(chainId: $chainId) {
        nftCollections(filter: { search: $name }) { totalCount isTotalCountEstimate nodes { name } }
      } }`,
      { chainId, name },
    )
    expect(chain.nftCollections).toEqual({
      totalCount: expected.length,
      isTotalCountEstimate: false,
      nodes: expected.map((match) => ({ name: match })),
    })
  }
})

test.each(['', ' ', '---', '🐙', '..', '/'])(
  'collection search for %j without letters or numbers is refused',
  async (name) => {
    const { errors, sent } = await world.trace(
      'query ($name: String) { chain { nftCollections(filter: { search: $name }) { nodes { name } } } }',
      { name },
    )
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
    expect(sent).toEqual([])
  },
)

test('stale values of a collection search are reloaded only if selected', async () => {
  await using stale = await startWorld()
  const records = await stale.rows('harbor-1', collectionsPath)
  const matches = records.filter((record) => record.collection.name.startsWith('Harbour Cats'))
  const old = matches.map((record) => ({
    ...record,
    collection: { ...record.collection, origin_name: 'old', nfts: { handle: '', length: 0 } },
  }))
  stale.sandbox.faults.set('harbor-1', `${collectionsPath}/by_name/`, {
    kind: 'answer',
    json: { collections: old, pagination: { next_key: null, total: '2' } },
  })
  const search = (selection: string) =>
    stale.trace(`{ chain { nftCollections(filter: { search: "harbour" }) { nodes { ${selection} } } } }`)
  const names = await search('name address height')
  expect(names.sent).toHaveLength(1)
  const counts = await search(collectionFields)
  expect(counts.data.chain.nftCollections.nodes).toEqual(matches.map(collectionAsGraph))
  expect(counts.sent).toHaveLength(3)
})

test.each(['HEIGHT', 'TOKEN_ID'])('NFTs can be ordered by %s', async (orderBy) => {
  const [record] = await world.rows('harbor-1', collectionsPath, { 'pagination.reverse': 'false' })
  const { chain } = await world.data(
    `query ($address: Address!, $orderBy: NftOrderField!) { chain { nftCollection(address: $address) {
      nfts(first: 100, orderBy: $orderBy) { nodes { tokenId } }
    } } }`,
    { address: record.object_addr, orderBy },
  )
  const tokens = await world.rows('harbor-1', `/indexer/nft/v1/tokens/by_collection/${record.object_addr}`, {
    order_by: orderBy.toLowerCase(),
  })
  expect(chain.nftCollection.nfts.nodes).toEqual(tokens.slice(0, 100).map((token) => ({ tokenId: token.nft.token_id })))
})

test('invalid token ids are refused without an upstream request', async () => {
  for (const tokenId of ['', 'a\u0000b', 'x'.repeat(4_001), '\ud800']) {
    const { errors, sent } = await world.trace(
      'query ($tokenId: String!) { chain { nft(collection: "0x1", tokenId: $tokenId) { uri } } }',
      { tokenId },
    )
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
    expect(sent).toEqual([])
  }
})

plainTest('every listed NFT is found by its id, and unreadable lists are errors', async () => {
  const records = await world.rows(chainIds.WASM, collectionsPath, {
    'pagination.reverse': 'false',
  })
  const [first] = records
  const { chain } = await world.data(
    `query ($chainId: ChainId, $address: Address!) { chain(chainId: $chainId) {
      nftCollection(address: $address) { nfts(first: 100, order: ASC) { nodes { id tokenId } } }
    } }`,
    { chainId: chainIds.WASM, address: first.object_addr },
  )
  const { nodes } = chain.nftCollection.nfts
  const odd = ['hold/4', 'hold\tin\nlines', 'l'.repeat(1_600), 'first light']
  expect(nodes.map(({ tokenId }: Data) => tokenId)).toEqual(expect.arrayContaining(odd))
  for (const { id, tokenId } of nodes) {
    const { data, errors } = await world.ask(
      `query ($chainId: ChainId, $address: Address!, $id: ID!, $tokenId: String!) {
        node(id: $id) { ... on Nft { tokenId } }
        chain(chainId: $chainId) {
          nft(collection: $address, tokenId: $tokenId) { tokenId transactions { totalCount nodes { hash } } }
          nftCollection(address: $address) { nfts(filter: { tokenId: $tokenId }) { nodes { tokenId } } }
        }
      }`,
      { chainId: chainIds.WASM, address: first.object_addr, id, tokenId },
    )
    expect(data.node).toEqual({ tokenId })
    expect(data.chain.nftCollection.nfts.nodes).toEqual([{ tokenId }])
    expect(data.chain.nft.tokenId).toBe(tokenId)
    const { transactions } = data.chain.nft
    if (odd.includes(tokenId)) {
      expect(transactions).toBeNull()
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_REJECTED' } }])
    } else expect(transactions.nodes.length).toBeGreaterThan(0)
  }
})

test('a page of NFTs of a collection continues after its last NFT, by no key that the indexer has not shown', async () => {
  const page = `query ($after: String, $before: String, $first: Int, $last: Int) {
    chain { nftCollections(first: 1, order: ASC) { nodes { address
      nfts(first: $first, after: $after, last: $last, before: $before) {
        nodes { tokenId height } pageInfo { endCursor startCursor }
      }
    } } }
  }`
  const read = async (variables: Data) => {
    const { data, sent } = await world.trace(page, variables)
    const [{ nfts }] = data.chain.nftCollections.nodes
    const target = sent.find((line) => line.includes('/tokens/by_collection/')) ?? ''
    const key = new URLSearchParams(target.split('?')[1]).get('pagination.key')
    expect(key === null || /^\d+$/.test(Buffer.from(key, 'base64').toString())).toBe(true)
    return nfts
  }
  const first = await read({ first: 2 })
  const second = await read({ first: 2, after: first.pageInfo.endCursor })
  const four = await read({ first: 4 })
  expect([...first.nodes, ...second.nodes]).toEqual(four.nodes)
  const back = await read({ last: 2, before: second.pageInfo.startCursor })
  expect(back.nodes).toEqual(first.nodes)
})

test('hundreds of NFTs of an account with ties are neither lost nor repeated', async () => {
  await using world = await startWorld()
  const [token] = await world.rows(chainIds.EVM, await anyTokens(world))
  const tokens = Array.from({ length: 900 }, (_, i) => ({
    ...token,
    // Nine collections have the same ids at the same height.
    collection_addr: `0x${String(1 + (i % 9)).padStart(40, '0')}`,
    nft: { token_id: String(Math.floor(i / 9)), uri: '' },
  }))
  const path = '/indexer/nft/v1/tokens/by_account/'
  world.sandbox.faults.set(chainIds.EVM, path, {
    kind: 'answer',
    json: { tokens, pagination: { previous_key: null, next_key: null, total: '900' } },
  })
  const ids = new Set<string>()
  for (let after: string | null = null, isMore = true; isMore; ) {
    const { data, sent }: Data = await world.trace(
      `query ($after: String) { chain(chainId: "${chainIds.EVM}") { account(address: "${token.owner}") {
        nfts(first: 100, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
      } } }`,
      { after },
    )
    expect(sent).toEqual([expect.stringMatching(/by_account.*limit=1000&/)])
    const { nodes, pageInfo } = data.chain.account.nfts
    for (const { id } of nodes) ids.add(id)
    after = pageInfo.endCursor
    isMore = pageInfo.hasNextPage
  }
  expect(ids.size).toBe(900)
})

async function anyTokens(from: World): Promise<string> {
  const [collection] = await from.rows(chainIds.EVM, collectionsPath)
  return `/indexer/nft/v1/tokens/by_collection/${collection.object_addr}`
}
