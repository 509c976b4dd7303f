import { getOperationAST, parse } from 'graphql'
import { expect, test } from 'vitest'
import { resolveLimits } from '../../src/engine/limits/limits.ts'
import { schema } from '../../src/schema/schema.ts'
import { createCostCheck } from '../../src/server/operation/cost/checkCost.ts'
import { post } from '../support/http.ts'
import { chainIds, type Data, startWorld } from '../support/world.ts'

const hashes = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(64, '0'))
const transactions = (count: number) =>
  `{ chain(chainId: "${chainIds.EVM}") { ${hashes(count)
    .map((hash, index) => `t${index}: transaction(hash: "${hash}") { hash }`)
    .join(' ')} } }`

test('an operation sends at most one request for each 20 points of maxCost, and other fields have data', async () => {
  await using world = await startWorld({ limits: { maxCost: 200 } })
  const { errors, sent } = await world.trace(transactions(15))
  expect(sent).toHaveLength(10)
  expect(errors).toHaveLength(5)
  for (const { extensions } of errors ?? []) {
    expect(extensions?.code).toBe('QUERY_TOO_COMPLEX')
  }
  // The next operation has a budget of its own.
  expect((await world.ask(transactions(10))).errors).toBeUndefined()
})

test('maxAnswerBytes limits upstream bytes', async () => {
  await using world = await startWorld({ limits: { maxAnswerBytes: 64 * 1024 } })
  const query = `{ chain(chainId: "${chainIds.EVM}") {
    blocks(first: 1) { nodes { height } }
    transactions(first: 100) { nodes { hash } }
  } }`
  const { data, errors } = await world.ask(query)
  expect(data.chain.blocks.nodes).toHaveLength(1)
  expect(data.chain.transactions).toBeNull()
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['QUERY_TOO_COMPLEX'])
})

const wholePage = `{ chain(chainId: "${chainIds.MOVE}") { transactions(first: 20) { nodes {
  hash messages { typeUrl } events { type attributes { key } }
} } } }`

test('a list of more than 5,000 rows is null with an error, and others have data', async () => {
  await using world = await startWorld()
  const path = '/indexer/tx/v1/txs'
  const rows = await world.rows(chainIds.MOVE, path, { 'pagination.limit': '20' })
  const event = { type: 'any', attributes: [] }
  const txs = [5_001, 5_000].map((length, index) => ({ ...rows[index], events: Array(length).fill(event) }))
  world.sandbox.faults.set(chainIds.MOVE, path, { kind: 'answer', json: { txs, pagination: { next_key: null } } })
  const { data, errors } = await world.ask(wholePage)
  const { nodes } = data.chain.transactions
  expect(nodes.map(({ events }: Data) => events?.length ?? null)).toEqual([null, 5_000])
  expect(nodes[0].messages.length).toBeGreaterThan(0)
  expect(errors).toEqual([
    expect.objectContaining({
      message: 'The list has 5001 rows. The limit is 5000.',
      path: ['chain', 'transactions', 'nodes', 0, 'events'],
      extensions: expect.objectContaining({ code: 'QUERY_TOO_COMPLEX', reason: 'RECORD_TOO_LARGE' }),
    }),
  ])
})

test('four rows for each point of maxCost limit the rows of an operation, and rows are in the cost', async () => {
  await using whole = await startWorld()
  await using world = await startWorld({ limits: { maxCost: 200 } })
  const { data, errors } = await world.ask(wholePage)
  const codes = errors?.map(({ extensions }) => extensions?.code)
  expect(new Set(codes)).toEqual(new Set(['QUERY_TOO_COMPLEX']))
  expect(data.chain.transactions.nodes[0].events).not.toBeNull()
  const headers = { 'graphql-cost-debug': '1' }
  const { body } = await post(whole.url, { query: wholePage }, headers)
  const rowsOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).reduce(
          (sum, [name, part]) => sum + rowsOf(part) + (Array.isArray(part) && name !== 'nodes' ? part.length : 0),
          0,
        )
      : 0
  expect(body.extensions.cost.rows).toBe(rowsOf(body.data))
})

test('graphql-cost-debug adds the cost to the result, on both paths', async () => {
  await using world = await startWorld()
  const query = `{ chain(chainId: "${chainIds.EVM}") { block(height: 5) { hash } } }`
  const ask = (headers: Record<string, string>, body: object = { query }) => post(world.url, body, headers)
  const cost = expect.objectContaining({
    points: 7,
    maxPoints: resolveLimits().maxCost,
    upstreamRequests: 1,
    upstreamBytes: expect.any(Number),
    rows: 0,
  })
  const direct = await ask({ 'graphql-cost-debug': '1' })
  expect(direct.body.extensions).toEqual({ cost })
  expect(direct.body.extensions.cost.upstreamBytes).toBeGreaterThan(100)
  // What comes from the cache costs no request. Yoga takes all that is not plain.
  const other = await ask({ 'graphql-cost-debug': '1', accept: 'application/json, */*;q=0.1' }, { query })
  expect(other.body.extensions.cost).toMatchObject({ points: 7, upstreamRequests: 0 })
  for (let time = 0; time < 3; time += 1) expect((await ask({})).body.extensions).toBeUndefined()
  // A result that is kept as bytes does not hide the cost.
  expect((await ask({ 'graphql-cost-debug': '1' })).body.extensions.cost.points).toBe(7)
  expect((await ask({})).body.extensions).toBeUndefined()
})

const unlimited = { ...resolveLimits(), maxCost: Number.POSITIVE_INFINITY }

function priceOf(query: string): number {
  const check = createCostCheck(schema, { limits: unlimited })
  const document = parse(query)
  const operation = getOperationAST(document)
  if (!operation) throw new Error('the document has no operation')
  return check({ document, operation, variables: {} }).cost
}

test('a filtered list costs its worst case', () => {
  const list = (filter: string) =>
    priceOf(`{ chain { account(address: "a") { transactions(first: 1${filter}) { nodes { hash } } } } }`)
  // Ten requests instead of one, and a thousand records at a tenth of a point.
  expect(list(', filter: { messageTypes: ["z.z"] }') - list('')).toBe(9 * 5 + 100)
  expect(list(', filter: { messageTypes: [] }')).toBe(list(''))
})

test('a query that scans the lists of many accounts is refused before any request', async () => {
  await using world = await startWorld()
  const list = (order: string) =>
    `${order}: transactions(first: 1, order: ${order}, filter: { messageTypes: ["z.z"] }) { nodes { hash } }`
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ChainAccount { ${list('ASC')} ${list('DESC')} } } }`
  const ids = Array.from({ length: 100 }, (_, index) =>
    Buffer.from(`ChainAccount:${chainIds.EVM},init1${index}`).toString('base64url'),
  )
  const { errors, sent } = await world.trace(query, { ids })
  expect(errors?.[0]?.extensions?.code).toBe('QUERY_TOO_COMPLEX')
  expect(sent).toEqual([])
})

test('a longer route token costs more', () => {
  const price = (length: number) =>
    priceOf(
      `{ transferMessages(input: { routeToken: "${'x'.repeat(length)}", addresses: [], slippageTolerancePercent: "1" }) { minAmountOut } }`,
    )
  expect(price(5_000) - price(1_000)).toBe(40)
})
