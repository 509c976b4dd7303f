import { afterAll, expect, test } from 'vitest'
import { chainIds, startWorld } from '../../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const nestedPages = `query ($n: Int!) { chain { blocks(first: $n) { nodes {
  transactions(first: $n) { nodes { hash messages { typeUrl } events { type attributes { key value } } } }
} } } }`

test('the cost of a page depends on its variables', async () => {
  expect((await world.ask(nestedPages, { n: 2 })).errors).toBeUndefined()
  const { data, errors, sent } = await world.trace(nestedPages, { n: 100 })
  expect(data).toBeUndefined()
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['QUERY_TOO_COMPLEX'])
  expect(sent).toEqual([])
  expect((await world.ask(nestedPages, { n: 2 })).errors).toBeUndefined()
})

test('a hundred aliases of a large page are too complex', async () => {
  const aliases = Array.from({ length: 100 }, (_, i) => `a${i}: blocks(first: 100) { nodes { hash } }`)
  const { errors, sent } = await world.trace(`{ chain { ${aliases.join(' ')} } }`)
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['QUERY_TOO_COMPLEX'])
  expect(sent).toEqual([])
})

test('`service.limits` shows the limits in effect', async () => {
  await using strict = await startWorld({ limits: { maxPageSize: 5 } })
  const { service, chain } = await strict.data(
    '{ service { limits { maxPageSize } } chain { blocks { nodes { height } } } }',
  )
  expect(service.limits).toEqual({ maxPageSize: 5 })
  expect(chain.blocks.nodes).toHaveLength(5)
  const ids = '["a", "b", "c", "d", "e", "f"]'
  for (const query of ['{ chain { blocks(first: 6) { nodes { height } } } }', `{ nodes(ids: ${ids}) { id } }`]) {
    const [error] = await strict.errors(query)
    expect(error?.extensions?.code).toBe('BAD_USER_INPUT')
  }
})

const hostile = [
  '',
  ' ',
  '.',
  '..',
  '../../status',
  '..%2f..',
  '%2e%2e',
  '%252e%252e',
  '\\..\\..',
  'a?pagination.limit=1000',
  'a#x',
  'a;x=1',
  'a\r\nX: y',
  '//evil/x',
  'http://evil/',
  '@evil',
  'x'.repeat(70_000),
  'a/../b',
  'a//b',
  '․․',
  'a／b',
  '%00',
  '\u0000',
  '\ud800',
].map((text) => [text.slice(0, 30), text] as const)

test.each(hostile)(
  '%j is refused without an upstream request as hash, address, denom and height',
  async (_label, text) => {
    for (const field of [
      'transaction(hash: $text) { hash }',
      'evmTransaction(hash: $text) { hash }',
      'account(address: $text) { transactions { nodes { hash } } }',
      'nftCollection(address: $text) { name }',
      'nft(collection: $text, tokenId: "1") { uri }',
      'richList(denom: $text) { nodes { amount } }',
      'block(height: $text) { hash }',
    ]) {
      const type = /hash:/.test(field)
        ? 'Hash'
        : /denom/.test(field)
          ? 'Denom'
          : /height/.test(field)
            ? 'UInt53'
            : 'Address'
      const { errors, sent } = await world.trace(
        `query ($text: ${type}!) { chain(chainId: "${chainIds.EVM}") { ${field} } }`,
        { text },
      )
      expect([field, errors?.map(({ extensions }) => extensions?.code), sent]).toEqual([field, ['BAD_USER_INPUT'], []])
    }
  },
)

test.each(hostile)('chain(chainId: %j) is null', async (_label, text) => {
  const { data, sent } = await world.trace('query ($text: ChainId) { chain(chainId: $text) { status { height } } }', {
    text,
  })
  expect([data, sent]).toEqual([{ chain: null }, []])
})

test('a token id that would change the path is never sent', async () => {
  await using faulty = await startWorld()
  const [collection] = await faulty.rows('harbor-1', '/indexer/nft/v1/collections', {
    'pagination.reverse': 'false',
  })
  const path = `/indexer/nft/v1/tokens/by_collection/${collection.object_addr}`
  const [token] = await faulty.rows('harbor-1', path)
  for (const tokenId of ['..', '.', '../../status', 'a/../b', 'a?b', 'a#b', 'a%2Fb', 'a\\b']) {
    faulty.sandbox.faults.set('harbor-1', path, {
      kind: 'answer',
      json: { tokens: [{ ...token, nft: { ...token.nft, token_id: tokenId } }], pagination: {} },
    })
    const { data, errors, sent } = await faulty.trace(
      `query ($address: Address!, $tokenId: String!) { chain {
        nft(collection: $address, tokenId: $tokenId) { tokenId transactions { nodes { hash } } }
      } }`,
      { address: collection.object_addr, tokenId },
    )
    expect(data.chain.nft).toEqual({ tokenId, transactions: null })
    expect(errors?.[0]?.extensions?.code).toBeOneOf(['BAD_USER_INPUT', 'UPSTREAM_REJECTED'])
    expect(sent).toHaveLength(1)
  }
})
