import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Data, startWorld, type World } from '../../../support/world.ts'

// Amounts are text in the router's description. Some routers write them as JSON numbers, of which JavaScript keeps 53 bits.

/** One beyond what JavaScript holds, and round ones, which it holds although they are beyond 2^53. */
const amounts = ['12345678901234567890123', '1000000000000000000', '250000000000000000']

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.sandbox.faults.clear())

/** Answers like the router, with each amount of a text as a number of many digits. */
const withNumber = (amount: string, path: string, pattern: RegExp, body: unknown) =>
  world.sandbox.faults.set('router', path, {
    kind: 'garbage',
    body: JSON.stringify(body).replace(pattern, (_all, key) => `"${key}":${amount}`),
  })

test.each(amounts)('the amount of a balance keeps all digits: %s', async (amount) => {
  const denoms = { uinit: { amount: '1', decimals: 6, formatted_amount: '1' } }
  withNumber(amount, '/v2/info/balances', /"(amount)":"1"/g, {
    chains: { 'harbor-1': { denoms } },
  })
  const { chain } = await world.data(`{ chain(chainId: "harbor-1") {
    account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") { balances(denoms: ["uinit"]) { amount } } } }`)
  expect(chain.account.balances).toEqual([{ amount }])
})

test.each(amounts)('the amounts of a route keep all digits: %s', async (amount) => {
  const input = {
    amountIn: '25000000',
    source: { chainId: 'osmosis-1', denom: 'uosmo' },
    destination: { chainId: 'harbor-1', denom: 'uinit' },
  }
  const document = `query ($input: RouteInput!) { route(input: $input) {
    amountIn amountOut operations { amountIn amountOut } } }`
  const plain = await world.data(document, { input })
  const { sandbox } = world
  const response = await fetch(`${sandbox.routerUrl}/v2/fungible/route`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      amount_in: input.amountIn,
      source_asset_chain_id: 'osmosis-1',
      source_asset_denom: 'uosmo',
      dest_asset_chain_id: 'harbor-1',
      dest_asset_denom: 'uinit',
    }),
  })
  const body: Data = await response.json()
  expect(body.amount_out).toBe(plain.route.amountOut)
  withNumber(amount, '/v2/fungible/route', /"(amount_(?:in|out))":"\d+"/g, body)
  const again = { ...input, amountIn: String(25_000_001 + amounts.indexOf(amount)) }
  const { route } = await world.data(document, { input: again })
  expect(route).toMatchObject({ amountIn: amount, amountOut: amount })
  const found = route.operations.flatMap(({ amountIn, amountOut }: Data) => [amountIn, amountOut])
  expect(new Set(found.filter((value: unknown) => value !== null))).toEqual(new Set([amount]))
})

test('an unreadable amount is null with an error at its field', async () => {
  const denoms = { uinit: { amount: 'many', decimals: 6 } }
  withNumber('', '/v2/info/balances', /"(never)":/g, { chains: { 'harbor-1': { denoms } } })
  const { data, errors } = await world.ask(`{ chain(chainId: "harbor-1") {
    account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") {
      balances(denoms: ["uinit"]) { denom amount } } } }`)
  expect(data.chain.account.balances).toEqual([{ denom: 'uinit', amount: null }])
  expect(errors?.map(({ path, extensions }) => ({ path, code: extensions?.code }))).toEqual([
    {
      path: ['chain', 'account', 'balances', 0, 'amount'],
      code: 'UPSTREAM_INVALID_RESPONSE',
    },
  ])
})
