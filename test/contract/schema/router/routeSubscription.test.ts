import { afterEach, beforeEach, expect, test } from 'vitest'
import { deferred } from '../../../support/deferred.ts'
import { type RouterWorld, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import { type Data, now } from '../../../support/world.ts'

// A live quote. The router is one of the test, whose next answer each test sets.

const document = `subscription ($input: RouteInput!) { route(input: $input) {
  amountOut expiresAt operations { rawKind } } }`
const input = (amountIn = '1000') => ({
  input: {
    amountIn,
    source: { chainId: 'harbor-1', denom: 'uinit' },
    destination: { chainId: 'osmosis-1', denom: 'uosmo' },
  },
})

const quote = (amount: string, seconds?: number) => ({
  body: JSON.stringify({
    ...{ amount_in: '1000', amount_out: amount, chain_ids: ['harbor-1', 'osmosis-1'] },
    operations: [
      {
        ...{ tx_index: 0, amount_in: '1000', amount_out: amount },
        transfer: {
          ...{ from_chain_id: 'harbor-1', to_chain_id: 'osmosis-1' },
          ...(seconds !== undefined && {
            smart_relay: true,
            smart_relay_fee_quote: { expiration: new Date(now + seconds * 1_000).toISOString() },
          }),
        },
      },
    ],
  }),
})

let router: Awaited<ReturnType<typeof startFakeRouter>>
let world: RouterWorld
let answer: { status?: number; body: string }
let asked: string[]

beforeEach(async () => {
  answer = quote('900')
  asked = []
  router = await startFakeRouter((path, body) => {
    if (path !== '/v2/fungible/route') return { body: '{}' }
    asked.push(body)
    return answer
  })
  world = await startRouterWorld({ routerUrl: router.url })
})

afterEach(async () => {
  await world[Symbol.asyncDispose]()
  await router[Symbol.asyncDispose]()
})

const amounts = (events: readonly Data[]) =>
  events.map((event) =>
    Array.isArray(event)
      ? (event[0].extensions?.reason ?? event[0].extensions?.code)
      : (event.route?.amountOut ?? null),
  )

test('a quote is sent at once, and again when it changes', async () => {
  const watch = await world.watch(document, input())
  await world.clock.advance(4_000)
  expect(amounts(watch.events)).toEqual(['900'])
  await world.clock.advance(20_000)
  expect(amounts(watch.events)).toEqual(['900'])
  answer = quote('901')
  await world.clock.advance(5_000)
  expect(amounts(watch.events)).toEqual(['900', '901'])
  answer = { status: 404, body: '{"code":5,"message":"no routes found"}' }
  await world.clock.advance(5_000)
  answer = quote('902')
  await world.clock.advance(5_000)
  expect(amounts(watch.events)).toEqual(['900', '901', null, '902'])
  expect(watch.end).toBeUndefined()
})

test('equal subscriptions share one poll until the last one ends', async () => {
  const watches = await Promise.all(
    Array.from({ length: 20 }, (_, client) => world.watch(document, input(), `10.0.1.${client}`)),
  )
  const other = await world.watch(document, input('2000'), '10.0.2.1')
  await world.clock.advance(30_000)
  for (const { events } of watches) expect(amounts(events)).toEqual(['900'])
  const counts = ['1000', '2000'].map((amount) => asked.filter((body) => JSON.parse(body).amount_in === amount).length)
  expect(counts).toEqual([7, 7])
  await Promise.all([...watches, other].map((watch) => watch.leave()))
  asked = []
  await world.clock.advance(30_000)
  expect(asked).toEqual([])
})

test('an expired quote is an error, and the next one follows', async () => {
  answer = quote('900', 12)
  const watch = await world.watch(document, input())
  await world.clock.advance(6_000)
  answer = { status: 503, body: 'down' }
  await world.clock.advance(4_000)
  expect(amounts(watch.events)).toEqual(['900'])
  await world.clock.advance(4_000)
  expect(amounts(watch.events)).toEqual(['900', 'QUOTE_EXPIRED'])
  answer = quote('905', 60)
  await world.clock.advance(10_000)
  expect(amounts(watch.events)).toEqual(['900', 'QUOTE_EXPIRED', '905'])
  expect(watch.end).toBeUndefined()
})

test('a quote renewed in time does not expire', async () => {
  answer = quote('900', 12)
  const watch = await world.watch(document, input())
  await world.clock.advance(4_000)
  answer = quote('900', 40)
  await world.clock.advance(20_000)
  expect(amounts(watch.events)).toEqual(['900', '900'])
})

test('a refusal of the router ends the subscription with its message', async () => {
  answer = { status: 400, body: '{"code":3,"message":"invalid amount_in","details":[]}' }
  const watch = await world.watch(document, input())
  await world.clock.advance(1_000)
  expect(watch.events[0][0].extensions).toMatchObject({
    code: 'UPSTREAM_REJECTED',
    upstreamMessage: 'invalid amount_in',
  })
  expect(watch.end).toBe('completed')
  answer = quote('900')
  const later = await world.watch(document, input())
  await world.clock.advance(3_000)
  answer = { status: 400, body: '{"code":3,"message":"bad price","details":[]}' }
  await world.clock.advance(6_000)
  expect(amounts(later.events)).toEqual(['900', 'UPSTREAM_REJECTED'])
  expect(later.end).toBe('completed')
  asked = []
  await world.clock.advance(20_000)
  expect(asked).toEqual([])
})

test('a router that is down is tolerated for ten minutes', async () => {
  answer = { status: 500, body: 'down' }
  const watch = await world.watch(document, input())
  await world.clock.advance(60_000)
  expect([amounts(watch.events), watch.end]).toEqual([['UPSTREAM_UNAVAILABLE'], undefined])
  await world.clock.advance(10 * 60_000)
  expect(watch.end).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
})

test('invalid input and a missing router are errors without a request', async () => {
  const bad = { input: { ...input().input, amountIn: '0' } }
  await expect(world.watch(document, bad)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  expect(asked).toEqual([])
  await using alone = await startRouterWorld({ routerUrl: null })
  await expect(alone.watch(document, input())).rejects.toMatchObject({ code: 'NOT_CONFIGURED' })
})

test('watched quotes count for the limit of the client', async () => {
  await using strict = await startRouterWorld({
    routerUrl: router.url,
    poller: { maxTargetsPerClient: 1 },
  })
  await strict.watch(document, input())
  await expect(strict.watch(document, input('2000'))).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  })
})

test('over HTTP, an event without selected changes is not sent', async () => {
  const response = await fetch(world.url, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'subscription ($input: RouteInput!) { route(input: $input) { amountOut } }',
      variables: input(),
    }),
  })
  let text = ''
  const isRead = deferred<void>()
  const read = async () => {
    for await (const part of response.body ?? []) {
      text += Buffer.from(part).toString()
      if (text.includes('"905"')) return isRead.resolve()
    }
  }
  void read()
  answer = quote('900', 7)
  await world.clock.advance(2_000)
  // Another expiry alone, then an error, after which the same amount is news.
  answer = quote('900', 11)
  await world.clock.advance(5_000)
  answer = { status: 500, body: 'down' }
  await world.clock.advance(6_000)
  answer = quote('900', 60)
  await world.clock.advance(6_000)
  answer = quote('905', 60)
  await world.clock.advance(6_000)
  await isRead.promise
  const events = [...text.matchAll(/^data: (\{.*\})\n/gm)].map(([, data]) => JSON.parse(data ?? ''))
  expect(events.map(({ data, errors }) => errors?.[0].extensions.reason ?? data.route.amountOut)).toEqual([
    '900',
    'QUOTE_EXPIRED',
    '900',
    '905',
  ])
})

test.each([
  ['after a quote', true],
  ['from the start', false],
])('a router that is down %s is one error until the next quote', async (_name, hasQuote) => {
  const down = { status: 500, body: '{}' }
  if (!hasQuote) answer = down
  const watch = await world.watch(document, input())
  await world.clock.advance(1_000)
  answer = down
  await world.clock.advance(45_000)
  const before = hasQuote ? ['900'] : []
  expect(amounts(watch.events)).toEqual([...before, 'UPSTREAM_UNAVAILABLE'])
  expect(watch.end).toBeUndefined()
  answer = quote('902')
  await world.clock.advance(60_000)
  expect(amounts(watch.events)).toEqual([...before, 'UPSTREAM_UNAVAILABLE', '902'])
})
