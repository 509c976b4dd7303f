import { afterAll, beforeAll, expect, test } from 'vitest'
import { denom } from '../../../packages/sandbox/test/support/sandboxRouter.ts'
import { post } from '../../support/http.ts'
import { addressOn } from '../../support/routerWorld.ts'
import { type Data, startWorld, type World } from '../../support/world.ts'

// Variables and values that a client gets wrong, numbered C1 to C19.

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

/** Posts a body. Says its code, and whether an upstream was asked. */
async function ask(body: unknown) {
  world.requests()
  const { body: answer, status } = await post(world.url, body)
  const codes = new Set(answer.errors?.map((error: Data) => error.extensions.code))
  return { status, codes: [...codes], data: answer.data, sent: world.requests() }
}

/** Bodies of one query, each with another value of its variable `x`. */
const each = (type: string, fields: string, values: readonly unknown[]): unknown[] =>
  values.map((x) => ({ query: `query ($x: ${type}) { ${fields} }`, variables: { x } }))

const page = 'chain { blocks(first: $x) { nodes { hash } } }'
const block = 'chain { block(height: $x) { hash } }'
const transaction = 'chain { transaction(hash: $x) { hash } }'
const transfer = 'transfer(chainId: "harbor-1", hash: $x) { state }'
const filtered = 'chain { transactions(filter: { messageTypes: $x }, first: 1) { nodes { hash } } }'
const token = (x: string) => ({
  query: 'query ($input: TransferMessagesInput!) { transferMessages(input: $input) { __typename } }',
  variables: { input: { routeToken: x, addresses: [addressOn('harbor-1')] } },
})
const quote = 'query ($input: RouteInput!) { route(input: $input) { routeToken requiresOpHook } }'
const hub = { chainId: 'harbor-1', denom: 'uinit' }
const rollup = (prefix: string) => ({
  chainId: 'galley-1',
  denom: denom('galley-1', 'INIT', prefix),
})
const quoted = (amountIn: unknown) => ({
  query: quote,
  variables: { input: { source: hub, destination: rollup('l2/'), amountIn } },
})

/** Each row is the bodies of one number. All have the code, and none causes an upstream request. */
const refused: Record<string, [bodies: unknown[], code?: string]> = {
  'C1 text for an Int': [each('Int', page, ['1'])],
  'C2 an Int beyond 32 bits': [each('Int', page, [2 ** 31])],
  'C3 a number beyond all numbers': [[`{"query":"query ($x: Int) { ${page} }","variables":{"x":1e400}}`]],
  'C4 a fraction for an Int': [each('Int', page, [2.5])],
  'C5 a required variable that is missing': [each('UInt53!', block, [undefined])],
  'C6 null for a variable that must not be null': [each('UInt53!', block, [null])],
  'C7 a variable of an unknown type': [each('Nothing', block, [1]), 'GRAPHQL_VALIDATION_FAILED'],
  'C10 half of a surrogate pair in a hash': [
    [...each('Hash!', transaction, ['\ud800']), ...each('String!', transfer, ['\ud800'])],
  ],
  'C11 a NUL in a hash': [
    ['\0', `${'a'.repeat(63)}\0`].flatMap((x) => [
      ...each('Hash!', transaction, [x]),
      ...each('String!', transfer, [x]),
    ]),
  ],
  'C12 an amount that is no amount': [['-1', '1e18', '0x10', '١٢٣', '1'.repeat(80), ''].map(quoted)],
  'C14 a token of operations that no route has': [
    ['', 'A', 'A'.repeat(200_000), Buffer.from('[{},{}]').toString('base64url')].map(token),
  ],
  'C16 a height that is no height': [
    each('UInt53!', block, ['0', '-1', '9007199254740992', '1.0', '0x1', '1e3', 0, -1, 1.5]),
  ],
  'C17 an order that does not exist': [each('OrderDirection!', page.replace('$x', '1, order: $x'), ['UP'])],
  'C18 message types with a comma, and a thousand of them': [
    each('[String!]', filtered, [
      ['cosmos.bank.v1beta1.MsgSend,cosmos.gov.v1.MsgVote'],
      Array.from({ length: 1_000 }, (_, n) => `cosmos.bank.v1beta1.Msg${n}`),
    ]),
  ],
}

test.each(Object.entries(refused))('%s is refused', async (_, [bodies, code = 'BAD_USER_INPUT']) => {
  expect(bodies.length).toBeGreaterThan(0)
  for (const body of bodies) {
    const { codes, sent } = await ask(body)
    expect({ body, codes, sent }).toEqual({ body, codes: [code], sent: [] })
  }
})

test('C8 variables that are not an object are refused', async () => {
  for (const variables of ['{"x":1}', ['x'], 7, true]) {
    const { status, codes } = await ask({ query: '{ chain { chainId } }', variables })
    expect([status, codes]).toEqual([400, ['BAD_USER_INPUT']])
  }
})

test('C9 variables nested 100,000 levels deep are refused if used, and ignored otherwise', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const bodyOf = (query: string) => `{"query":"${query}","variables":{"x":${deep}}}`
  const started = process.cpuUsage()
  const ignored = await ask(bodyOf('{ chain { chainId } }'))
  expect([ignored.status, ignored.data]).toEqual([200, { chain: { chainId: 'harbor-1' } }])
  const used = { 'UInt53!': block, Int: page, '[String!]': filtered }
  for (const [type, fields] of Object.entries(used)) {
    const { codes, sent } = await ask(bodyOf(`query ($x: ${type}) { ${fields} }`))
    expect([codes, sent]).toEqual([['BAD_USER_INPUT'], []])
  }
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000)
})

/** The token of a route from the hub to its rollup. */
async function routeToken(destination: object): Promise<string> {
  const input = { source: hub, destination, amountIn: '5000000' }
  return (await world.data(quote, { input })).route.routeToken
}

const sign = (input: object) => ask({ ...token(''), variables: { input } })

test('C13 an invalid slippage is refused', async () => {
  const routed = { routeToken: await routeToken(rollup('l2/')), addresses: [addressOn('harbor-1')] }
  for (const slippageTolerancePercent of ['abc', '-1', '101', 'NaN', '', '1e1']) {
    const { codes, sent } = await sign({ ...routed, slippageTolerancePercent })
    expect([codes, sent]).toEqual([['BAD_USER_INPUT'], []])
  }
})

test('C15 addresses that do not match the chains of a route are refused', async () => {
  const routed = { routeToken: await routeToken(rollup('l2/')) }
  const [own, other] = [addressOn('harbor-1'), addressOn('galley-1')]
  const tooMany = [own, other, own]
  for (const addresses of [[], [''], tooMany, ['x'], [`${own}x`]]) {
    const { codes, sent } = await sign({ ...routed, addresses })
    expect({ addresses, codes, sent }).toEqual({ addresses, codes: ['BAD_USER_INPUT'], sent: [] })
  }
})

test('C19 a route that requires a hook is refused without a signed hook', async () => {
  const routed = { routeToken: await routeToken(rollup('evm/')) }
  const addresses = [addressOn('harbor-1'), addressOn('galley-1')]
  const { codes, sent } = await sign({ ...routed, addresses })
  expect([codes, sent]).toEqual([['BAD_USER_INPUT'], []])
})
