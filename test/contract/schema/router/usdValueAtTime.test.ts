import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type RouterWorld, startRouterWorld } from '../../../support/routerWorld.ts'
import { chainIds, type Data, now, testOfPlainRecords, youngChains } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const dayMs = 24 * 60 * 60_000
const today = Math.floor(now / dayMs)

let world: RouterWorld
beforeEach(async () => {
  world = await startRouterWorld({ chains: youngChains(60, now - 2 * dayMs) })
  onTestFinished(() => world[Symbol.asyncDispose]())
})

const fields = '{ kind denom amount formattedAmount usdValue usdValueAtTime asset { coingeckoId decimals } }'

/** The changes of the oldest transactions of a chain, two days ago, or of the newest ones. */
const document = (order: 'ASC' | 'DESC', chainId: string = chainIds.MOVE) =>
  `{ chain(chainId: "${chainId}") { transactions(first: 20, order: ${order}) { nodes { timestamp balanceChanges ${fields} } } } }`

const changesIn = (data: Data): Data[] =>
  data.chain.transactions.nodes.flatMap(({ balanceChanges }: Data) => balanceChanges)

const priced = (changes: Data[]) => changes.filter(({ asset }) => asset?.coingeckoId)

/** What the service of prices was asked since the last look. */
const asked = () => {
  const sent = world.sandbox.requests.filter((request) => request.startsWith('prices '))
  world.sandbox.requests.length = 0
  return sent
}

const answer = (coins: unknown, times = 1) =>
  world.sandbox.faults.set('prices', '/', { kind: 'answer', json: { coins }, times })

/** The price of INIT that the sandbox has at the beginning of a day. */
async function initPrice(day: number): Promise<number> {
  const response = await fetch(`${world.sandbox.pricesUrl}/prices/historical/${day * 86_400}/coingecko:initia`)
  return (await response.json()).coins['coingecko:initia'].price
}

plainTest('an amount is worth the price of its day, exactly, and a loss is negative', async () => {
  const price = await initPrice(today - 2)
  const changes = changesIn(await world.data(document('ASC')))
  const inits = changes.filter(({ denom }) => denom === 'uinit')
  expect(inits.length).toBeGreaterThan(5)
  const [digits = '', places = ''] = String(price).split('.')
  for (const { amount, usdValueAtTime } of inits) {
    // Both are integers of 10^-(6 + places).
    const units = BigInt(amount) * BigInt(digits + places)
    const [whole = '', fraction = ''] = usdValueAtTime.replace('-', '').split('.')
    const size = BigInt(whole + fraction.padEnd(6 + places.length, '0'))
    expect(usdValueAtTime.startsWith('-') ? -size : size).toBe(units)
  }
  expect(inits.some(({ usdValueAtTime }) => usdValueAtTime.startsWith('-'))).toBe(true)
  expect(inits.every(({ usdValue, usdValueAtTime }) => usdValue !== usdValueAtTime)).toBe(true)
})

plainTest('what has no CoinGecko id is null, and is not asked for', async () => {
  const data = await world.data(document('ASC', chainIds.WASM))
  const lanterns = changesIn(data).filter(({ denom }) => denom === 'ulant')
  expect(lanterns.length).toBeGreaterThan(5)
  for (const { usdValueAtTime } of lanterns) expect(usdValueAtTime).toBeNull()
  for (const request of asked()) expect(request).not.toContain('lant')
})

test('the ids of a day are one request without addresses, and are kept once the day is over', async () => {
  const data = await world.data(document('ASC'))
  const wanted = new Set(priced(changesIn(data)).map(({ asset }) => `coingecko:${asset.coingeckoId}`))
  expect(wanted.size).toBeGreaterThan(1)
  const [request, ...more] = asked()
  expect(more).toEqual([])
  const [, target = ''] = /^prices GET (.*)\?searchWidth=6h$/.exec(request ?? '') ?? []
  const [, , , seconds, coins = ''] = target.split('/')
  expect(seconds).toBe(String((today - 2) * 86_400))
  expect(new Set(coins.split(','))).toEqual(wanted)
  await world.data(document('ASC'))
  expect(asked()).toEqual([])
})

test('a price of today is asked for again after five minutes', async () => {
  await world.data(document('DESC'))
  expect(asked()).toHaveLength(1)
  await world.data(document('DESC'))
  expect(asked()).toEqual([])
  await world.clock.advance(5 * 60_000 + 1)
  await world.data(document('DESC'))
  expect(asked()).toHaveLength(1)
})

test.each<[string, (seconds: number) => unknown]>([
  ['the service has no record', () => ({})],
  ['it is not sure', (timestamp) => ({ 'coingecko:initia': { price: 2, timestamp, confidence: 0.3 } })],
  ['its price is zero', (timestamp) => ({ 'coingecko:initia': { price: 0, timestamp, confidence: 0.99 } })],
  [
    'its record is of another day',
    () => ({ 'coingecko:initia': { price: 2, timestamp: now / 1000, confidence: 0.99 } }),
  ],
  ['its record has no time', () => ({ 'coingecko:initia': { price: 2, confidence: 0.99 } })],
])('null if %s, and that is kept for a day', async (_what, coins) => {
  answer(coins((today - 2) * 86_400))
  const inits = changesIn(await world.data(document('ASC'))).filter(({ denom }) => denom === 'uinit')
  expect(inits.length).toBeGreaterThan(5)
  for (const { usdValue, usdValueAtTime } of inits) expect([usdValue !== null, usdValueAtTime]).toEqual([true, null])
  asked()
  await world.data(document('ASC'))
  expect(asked()).toEqual([])
})

test.each(['1e-9', '0.1234567890123456789', '2'])('a price written as %s loses no digit', async (price) => {
  const time = (today - 2) * 86_400
  const body = `{"coins":{"coingecko:initia":{"symbol":"INIT","price":${price},"timestamp":${time},"confidence":1}}}`
  world.sandbox.faults.set('prices', '/', { kind: 'garbage', body, times: 1 })
  const inits = changesIn(await world.data(document('ASC'))).filter(({ denom }) => denom === 'uinit')
  for (const { amount, usdValueAtTime } of inits) {
    const [digits = '', places = ''] = (price === '1e-9' ? '0.000000001' : price).split('.')
    const [whole = '', fraction = ''] = usdValueAtTime.split('.')
    const scale = Math.max(fraction.length, 6 + places.length)
    const found = BigInt(`${whole}${fraction}`) * 10n ** BigInt(scale - fraction.length)
    expect(found).toBe(BigInt(amount) * BigInt(digits + places) * 10n ** BigInt(scale - 6 - places.length))
  }
  expect(inits.length).toBeGreaterThan(5)
})

test.each<[string, Parameters<RouterWorld['sandbox']['faults']['set']>[2], string]>([
  ['is down', { kind: 'status', status: 503 }, 'UPSTREAM_UNAVAILABLE'],
  ['is not there', { kind: 'status', status: 404 }, 'UPSTREAM_REJECTED'],
  ['answers something else', { kind: 'answer', json: { error: 'no' } }, 'UPSTREAM_INVALID_RESPONSE'],
  ['breaks off', { kind: 'reset' }, 'UPSTREAM_UNAVAILABLE'],
])('an error if the service %s, and nothing is kept of it', async (_what, fault, code) => {
  world.sandbox.faults.set('prices', '/', fault)
  const { data, errors } = await world.ask(document('ASC'))
  const inits = changesIn(data).filter(({ denom }) => denom === 'uinit')
  for (const { usdValueAtTime, formattedAmount } of inits) {
    expect([usdValueAtTime, formattedAmount !== null]).toEqual([null, true])
  }
  const faulty = priced(changesIn(data)).length
  expect(errors).toHaveLength(faulty)
  for (const { extensions } of errors ?? []) expect(extensions).toMatchObject({ code, service: 'prices' })
  world.sandbox.faults.clear()
  for (const { usdValueAtTime } of priced(changesIn(await world.data(document('ASC'))))) {
    expect(usdValueAtTime).toEqual(expect.any(String))
  }
})

test('an error if the list of assets cannot be read', async () => {
  world.sandbox.faults.set('router', '/v2/fungible/assets', { kind: 'status', status: 500 })
  const { data, errors } = await world.ask(
    document('ASC')
      .replace('usdValue ', '')
      .replace(/asset \{.*?\}/, ''),
  )
  expect(changesIn(data).every(({ usdValueAtTime }) => usdValueAtTime === null)).toBe(true)
  expect(errors?.some(({ path }) => path?.at(-1) === 'usdValueAtTime')).toBe(true)
})

test('null without a service of prices', async () => {
  await using bare = await startRouterWorld({ hasPrices: false })
  const changes = changesIn(await bare.data(document('DESC')))
  expect(changes.length).toBeGreaterThan(5)
  for (const { usdValueAtTime } of changes) expect(usdValueAtTime).toBeNull()
})

test('a record that cannot be read is that asset alone', async () => {
  const timestamp = (today - 2) * 86_400
  world.sandbox.faults.set('prices', '/', {
    kind: 'change',
    change: (json) => {
      const { coins } = json as { coins: object }
      return { coins: { ...coins, 'coingecko:initia': { price: { usd: 2 }, timestamp, confidence: 1 } } }
    },
  })
  const { data, errors } = await world.ask(document('ASC'))
  const changes = priced(changesIn(data))
  const isInit = ({ asset }: Data) => asset.coingeckoId === 'initia'
  for (const { usdValueAtTime } of changes.filter(isInit)) expect(usdValueAtTime).toBeNull()
  const others = changes.filter((change) => !isInit(change))
  expect(others.length).toBeGreaterThan(0)
  for (const { usdValueAtTime } of others) expect(usdValueAtTime).not.toBeNull()
  expect(errors).toHaveLength(changes.filter(isInit).length)
})

plainTest('an asset that totals leave out as hidden has no value, and its price is not asked for', async () => {
  world.sandbox.faults.set('router', '/v2/fungible/assets', {
    kind: 'change',
    change: (json) =>
      JSON.parse(JSON.stringify(json), (_, value) => (value?.denom === 'uinit' ? { ...value, hidden: true } : value)),
  })
  const inits = changesIn(await world.data(document('ASC'))).filter(({ denom }) => denom === 'uinit')
  expect(inits.length).toBeGreaterThan(5)
  for (const { usdValueAtTime } of inits) expect(usdValueAtTime).toBeNull()
  for (const request of asked()) expect(request).not.toContain('initia')
})
