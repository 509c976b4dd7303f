import { buildSchema, parse, visit } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../../src/gateway.ts'
import { schema } from '../../../src/schema/schema.ts'
import { subgraphSdl } from '../../../src/schema/subgraph/sdl.ts'
import type { Gateway, GatewayOptions } from '../../../src/server/gatewayOptions.ts'
import { type Answer, type Data, now, youngChains } from '../../support/world.ts'

// The graph as a subgraph: what routers read of it, and how they load its entities.

let sandbox: Sandbox
let gateway: Gateway

const open = (options: Partial<GatewayOptions>) =>
  createGateway(
    { chains: sandbox.indexers, router: { url: sandbox.routerUrl }, ...options },
    { upstream: { backoff: () => 0 } },
  )

beforeAll(async () => {
  sandbox = await startSandbox({ clock: () => now, chains: youngChains(60) })
  gateway = await open({ federation: true })
})

afterAll(async () => {
  await gateway.close()
  await sandbox.close()
})

async function ask(query: string, variables: object = {}, of = gateway, key = ''): Promise<Answer> {
  const headers = {
    ...{ 'content-type': 'application/json', 'graphql-cost-debug': '1' },
    ...(key && { authorization: `Bearer ${key}` }),
  }
  const body = JSON.stringify({ query, variables })
  const response = await fetch(of.url, { method: 'POST', headers, body })
  return (await response.json()) as Answer
}

const entities = async (representations: readonly unknown[], fields = 'id') =>
  ask(
    `query ($representations: [_Any!]!) { _entities(representations: $representations) {
      __typename ... on Node { ${fields} } } }`,
    { representations },
  )

const sdl = subgraphSdl(schema, 20)

/** The directives of each type and field: `Type` and `Type.field`. */
function directivesOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  visit(parse(text), {
    ObjectTypeDefinition(type) {
      found.set(type.name.value, type.directives?.map(({ name }) => name.value) ?? [])
      for (const { name, directives } of type.fields ?? []) {
        const names = directives?.map((directive) => directive.name.value) ?? []
        found.set(`${type.name.value}.${name.value}`, names)
      }
    },
  })
  return found
}

test('the subgraph is off by default', async () => {
  await using plain = await open({})
  const { errors } = await ask('{ _service { sdl } }', {}, plain)
  expect(errors).toMatchObject([{ message: expect.stringContaining('_service') }])
})

test('node types have @key, PageInfo is @shareable, and Query.node @inaccessible', async () => {
  const { data } = await ask('{ _service { sdl } }')
  expect(data._service.sdl).toBe(sdl)
  const directives = directivesOf(sdl)
  const nodeTypes = Object.values(schema.getTypeMap()).filter(
    (type) => 'getInterfaces' in type && type.getInterfaces().some(({ name }) => name === 'Node'),
  )
  const objects = nodeTypes.filter(({ name }) => directives.has(name))
  expect(objects.length).toBeGreaterThanOrEqual(11)
  for (const { name } of objects) expect([name, directives.get(name)]).toEqual([name, expect.arrayContaining(['key'])])
  expect(directives.get('PageInfo')).toEqual(['shareable'])
  expect(directives.get('Query.node')).toContain('inaccessible')
  expect(directives.get('Query.nodes')).toContain('inaccessible')
  expect(directives.get('TrackTransferPayload.query')).toContain('inaccessible')
  expect(directives.get('Mutation.trackTransfer')).toContain('tag')
  expect(directives.get('Chain.blocks')).toEqual(['cost', 'listSize'])
  expect(directives.get('Chain.status')).toContain('cost')
  expect(directives.get('Query._service')).toBeUndefined()
})

test('the subgraph schema without directives is the public schema', () => {
  const typesOf = (text: Data) => Object.keys(buildSchema(text).getTypeMap()).sort()
  expect(typesOf(sdlWithout(sdl))).toEqual(Object.keys(schema.getTypeMap()).sort())
})

/** The text without what only Federation declares. */
const sdlWithout = (text: string) =>
  text
    .replace(/^extend schema @link\([\s\S]*?\n\)\n/, '')
    .replace(/ @(key|tag|cost|listSize)\((?:[^()]|"[^"]*")*\)/g, '')
    .replace(/ @(shareable|inaccessible)/g, '')

test('entities are loaded in order by ids and by natural keys', async () => {
  const { data } = await ask(`{ account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") {
    id hexAddress chainAccounts { id address chain { id chainId } }
    activity(first: 1) { nodes { id hash chain { chainId } } } }
    asset(chainId: "harbor-1", denom: "uinit") { id }
    chain { nftCollections(first: 1) { nodes { id address chain { chainId } } } } }`)
  const { account, asset, chain } = data
  const [onChain] = account.chainAccounts
  const [tx] = account.activity.nodes
  const [collection] = chain.nftCollections.nodes
  const rows: [representation: object, id: string][] = [
    [{ __typename: 'Account', hexAddress: account.hexAddress }, account.id],
    [{ __typename: 'Account', id: account.id }, account.id],
    [
      {
        __typename: 'ChainAccount',
        chain: { chainId: onChain.chain.chainId },
        address: onChain.address,
      },
      onChain.id,
    ],
    [{ __typename: 'Chain', chainId: onChain.chain.chainId }, onChain.chain.id],
    [{ __typename: 'Asset', chainId: 'harbor-1', denom: 'uinit' }, asset.id],
    [{ __typename: 'Transaction', chain: tx.chain, hash: tx.hash }, tx.id],
    [{ __typename: 'NftCollection', chain: collection.chain, address: collection.address }, collection.id],
  ]
  const loaded = await entities(rows.map(([representation]) => representation))
  expect(loaded.errors).toBeUndefined()
  expect(loaded.data._entities).toEqual(
    rows.map(([representation, id]) => ({ __typename: (representation as Data).__typename, id })),
  )
})

test.each<[string, unknown]>([
  ['of a type that is not an entity', { __typename: 'PageInfo', id: '1' }],
  ['without a type', { id: '1' }],
  ['that is not an object', 'Chain'],
  ['with the id of another type', { __typename: 'Account', id: Buffer.from('Chain:harbor-1').toString('base64') }],
  ['without its key', { __typename: 'Transaction', hash: 'A'.repeat(64) }],
  ['with a key that is not text', { __typename: 'Chain', chainId: { $ne: 1 } }],
  ['with an invalid address', { __typename: 'Account', hexAddress: 'nobody' }],
  ['of the type constructor', { __typename: 'constructor', id: '1' }],
  ['of a block by its height', { __typename: 'Block', height: 1 }],
])('a representation %s is null and does not fail others', async (_what, representation) => {
  const good = { __typename: 'Chain', chainId: 'harbor-1' }
  const { data, errors } = await entities([good, representation, good])
  expect(data._entities).toMatchObject([{ __typename: 'Chain' }, null, { __typename: 'Chain' }])
  expect(errors).toMatchObject([{ path: ['_entities', 1], extensions: { code: 'BAD_USER_INPUT' } }])
})

test('a missing entity is null without an error', async () => {
  const { data, errors } = await entities([
    { __typename: 'Chain', chainId: 'nowhere-1' },
    { __typename: 'Transaction', chain: { chainId: 'harbor-1' }, hash: 'A'.repeat(64) },
    { __typename: 'Transaction', chain: { chainId: 'nowhere-1' }, hash: 'A'.repeat(64) },
  ])
  expect(errors).toBeUndefined()
  expect(data._entities).toEqual([null, null, null])
})

test('representations have the cost and the limit of nodes(ids)', async () => {
  const costOf = ({ extensions }: Data) => extensions.cost.points
  const ids = Array.from({ length: 5 }, () => Buffer.from('Chain:harbor-1').toString('base64'))
  const nodes = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids })
  const loaded = await entities(ids.map((id) => ({ __typename: 'Chain', id })))
  expect(costOf(loaded)).toBe(costOf(nodes))
  const many = Array.from({ length: 101 }, () => ({ __typename: 'Chain', chainId: 'harbor-1' }))
  const { errors } = await entities(many)
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
})

test('without introspection, only the router gets _service, and entities load', async () => {
  const apiKeys = new Map([
    ['router', 'r'.repeat(32)],
    ['wallet', 'w'.repeat(32)],
  ])
  await using closed = await open({ federation: true, introspection: false, apiKeys })
  const askWith = (key: string, query: string) => ask(query, {}, closed, key)
  for (const query of ['{ _service { sdl } }', '{ ...f } fragment f on Query { x: _service { sdl } }']) {
    const { data } = await askWith('r'.repeat(32), query)
    expect(Object.values<Data>(data)[0].sdl).toBe(sdl)
    // The document is known to be valid by now.
    for (const key of ['', 'w'.repeat(32)]) {
      const { errors } = await askWith(key, query)
      expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
    }
  }
  // An answer can only be sent again to a client that does not ask for its cost.
  const post = async (key: string) => {
    const response = await fetch(closed.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ query: '{ _service { sdl } }' }),
    })
    return response.text()
  }
  expect(await post('r'.repeat(32))).toContain('extend schema')
  expect(await post('w'.repeat(32))).not.toContain('extend schema')
  const { data } = await ask(
    '{ _entities(representations: [{ __typename: "Chain", chainId: "harbor-1" }]) { __typename } }',
    {},
    closed,
  )
  expect(data).toEqual({ _entities: [{ __typename: 'Chain' }] })
})
