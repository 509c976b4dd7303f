import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLoggedGateway } from '../../support/gatewayLog.ts'
import { post } from '../../support/http.ts'
import { startFakeRouter } from '../../support/routerWorld.ts'
import { startWorld, type World } from '../../support/world.ts'

// Texts that would make an upstream serve another path, or the gateway ask another host, numbered E1 to E23.

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const query = (type: string, fields: string) => `query ($x: ${type}) { ${fields} }`

/** A query for each place where a text of the client becomes a part of a path. */
const inPaths = {
  hash: query('Hash!', 'chain { transaction(hash: $x) { hash } }'),
  address: query('Address!', 'chain { account(address: $x) { transactions(first: 1) { nodes { hash } } } }'),
  collection: query('Address!', 'chain { nftCollection(address: $x) { name } }'),
  denom: query('Denom!', 'chain { richList(first: 1, denom: $x) { nodes { amount } } }'),
  transfer: query('String!', 'transfer(chainId: "harbor-1", hash: $x) { state }'),
  chainId: query('ChainId!', `transfer(chainId: $x, hash: "${'a'.repeat(64)}") { state }`),
}

/** A token id may be any text. It is sent as the value of a parameter. */
const tokenId = query('String!', 'chain { nft(collection: "0x1", tokenId: $x) { tokenId } }')

/** The search for a name uses its letters and digits only, so that nothing else can be sent. */
const name = query('String!', 'chain { nftCollections(filter: { search: $x }, first: 1) { nodes { address } } }')

/** The texts of each number. Each of them is sent to all places. */
const rows: Record<string, string[]> = {
  'E1 the parent folder': ['..'],
  'E2 the same folder': ['.'],
  'E3 no text': [''],
  'E4 blanks': [' ', '   ', '\t', '\u00a0'],
  'E5 a way to another route': ['../../status'],
  'E6 a way that is escaped in part': ['..%2f..', '..%2F..'],
  'E7 an escaped parent folder': ['%2e%2e', '%2E%2E'],
  'E8 a parent folder that is escaped twice': ['%252e%252e'],
  'E9 a way with backslashes': ['\\..\\..'],
  'E10 a query string': ['a?pagination.limit=1000'],
  'E11 a fragment': ['a#x'],
  'E12 a path parameter': ['a;x=1'],
  'E13 a header': ['a\r\nX: y', 'a\nb'],
  'E14 a host without a scheme': ['//evil/x'],
  'E15 a URL': ['http://evil/'],
  'E16 a host after a user': ['@evil'],
  'E17 a text of 70 KB': ['a'.repeat(70_000)],
  'E18 a parent folder inside': ['a/../b', 'ibc/../../status', 'a//b', 'a/./b'],
  'E19 dots and slashes of other scripts': ['․․', 'a／b', '‥', '．．／'],
  'E20 an escaped NUL': ['%00', 'a%00'],
}

const one = (target: string) => new URL(target.split(' ').at(-1) ?? '', 'http://x')

test.each(Object.entries(rows))('%s reaches no other path', async (_, texts) => {
  for (const x of texts) {
    for (const [place, document] of Object.entries(inPaths)) {
      const { errors = [], sent } = await world.trace(document, { x })
      const codes = errors.map(({ extensions }) => extensions?.code)
      expect({ x, place, codes, sent }).toEqual({ x, place, codes: ['BAD_USER_INPUT'], sent: [] })
    }
    const asToken = await world.trace(tokenId, { x })
    expect(asToken.sent.length).toBe(asToken.errors ? 0 : 1)
    for (const target of asToken.sent) {
      const { pathname, searchParams } = one(target)
      expect(pathname).toBe('/indexer/nft/v1/tokens/by_collection/0x1')
      expect(Object.fromEntries(searchParams)).toEqual({
        token_id: x,
        'pagination.limit': '1',
        'pagination.count_total': 'false',
      })
    }
    const asName = await world.trace(name, { x })
    expect(asName.sent.length).toBe(asName.errors ? 0 : 1)
    for (const target of asName.sent) {
      expect(one(target).pathname).toMatch(/^\/indexer\/nft\/v1\/collections\/by_name\/[a-z0-9]+$/i)
    }
    const codes = [asToken, asName].flatMap(({ errors = [] }) => errors.map((e) => e.extensions))
    for (const extensions of codes) expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
  }
})

test('E21 unusual but valid texts are sent unchanged and once', async () => {
  const denoms = [
    'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2',
    'factory/init1wllqcgh04444mr53tegtrkdlc970awqhddazg3/uusd',
    'evm/0xa24e1fbdd213712dfff32fe545d49345e26dad72',
    'l2/944f8dd8dc49f96c25fea9849f16436dcfa6d564eec802f3ef7f8b3ea85368ff',
    'move/944f8dd8dc49f96c25fea9849f16436dcfa6d564eec802f3ef7f8b3ea85368ff',
    'gamm:pool:1',
  ]
  for (const x of denoms) {
    const { errors, sent } = await world.trace(inPaths.denom, { x })
    expect([errors, sent.length]).toEqual([undefined, 1])
    const [segment] = /(?<=\/richlist\/v1\/)[^?]*/.exec(sent[0] ?? '') ?? []
    expect(segment).toBe(x.replaceAll('/', '%2F'))
  }
  for (const x of ['Harbour Pass #7', '⚓ ship', `"it's" & more+1`]) {
    const { errors, sent } = await world.trace(tokenId, { x })
    expect([errors, sent.length]).toEqual([undefined, 1])
    expect(one(sent[0] ?? '').searchParams.get('token_id')).toBe(x)
  }
})

test('E22 a redirect of an upstream is not followed', async () => {
  await using trap = await startFakeRouter(() => ({ body: '{}' }))
  await using redirected = await startLoggedGateway((_, response) => {
    response.writeHead(302, { location: `${trap.url}/status` }).end()
  })
  const { body } = await post(redirected.gateway.url, { query: '{ chain { status { height } } }' })
  expect(body.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }])
  expect(redirected.received).toHaveLength(1)
  expect(trap.bodies).toEqual([])
})

test('E23 client headers are not sent to upstreams', async () => {
  const own = { 'x-api-key': 'of the operator' }
  await using indexer = await startLoggedGateway((_, response) => void response.end('{}'), {
    headers: own,
  })
  const sent = {
    host: 'evil.example',
    authorization: 'Bearer secret',
    cookie: 'session=secret',
    forwarded: 'for=192.0.2.1;host=evil.example',
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-host': 'evil.example',
    'x-api-key': 'secret',
    'x-secret': 'secret',
  }
  await post(indexer.gateway.url, { query: '{ chain { status { height } } }' }, sent)
  const [request] = indexer.received
  expect(request?.headers).toEqual({
    ...own,
    accept: 'application/json',
    host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    connection: 'keep-alive',
    'x-request-id': expect.stringMatching(/^[\w-]+$/),
  })
})
