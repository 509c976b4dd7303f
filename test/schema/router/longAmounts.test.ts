import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Data, startWorld, type World } from '../../support/world.ts'

// Amounts are text in the router's description. Some routers write them as JSON numbers, of which JavaScript keeps 53 bits.

const amount = '12345678901234567890123'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.sandbox.faults.clear())

/** Answers like the router, with each amount of a text as a number of many digits. */
const withLongNumbers = (path: string, pattern: RegExp, body: unknown) =>
  world.sandbox.faults.set('router', path, {
    kind: 'garbage',
    body: JSON.stringify(body).replace(pattern, (_all, key) => `"${key}":${amount}`),
  })

test('the amount of a balance keeps all its digits', async () => {
  const denoms = { uinit: { amount: '1', decimals: 6, formatted_amount: '1' } }
  withLongNumbers('/v2/info/balances', /"(amount)":"1"/g, {
    chains: { 'harbor-1': { denoms } },
  })
  const { chain } = await world.data(`{ chain(chainId: "harbor-1") {
    account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") { balances(denoms: ["uinit"]) { amount } } } }`)
  expect(chain.account.balances).toEqual([{ amount }])
})

test('the amounts of a route keep all their digits', async () => {
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
  withLongNumbers('/v2/fungible/route', /"(amount_(?:in|out))":"\d+"/g, body)
  const { route } = await world.data(document, { input: { ...input, amountIn: '25000001' } })
  expect(route).toMatchObject({ amountIn: amount, amountOut: amount })
  const amounts = route.operations.flatMap(({ amountIn, amountOut }: Data) => [amountIn, amountOut])
  expect(new Set(amounts.filter((value: unknown) => value !== null))).toEqual(new Set([amount]))
})
