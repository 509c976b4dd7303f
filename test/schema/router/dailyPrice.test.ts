import { expect, test } from 'vitest'
import type { Context } from '../../../src/engine/graphql/builder.ts'
import type { Upstream } from '../../../src/engine/upstream/client.ts'
import { RequestScope } from '../../../src/engine/upstream/requestScope.ts'
import { UpstreamHttpError } from '../../../src/engine/upstream/upstreamError.ts'
import { neverAborted } from '../../../src/kit/cache/region.ts'
import { findDailyPrice } from '../../../src/schema/router/balance/dailyPrice.ts'
import { scopeSources } from '../../support/scopeSources.ts'

const day = '2026-10-01T12:00:00Z'
const next = '2026-10-02T00:00:00Z'

/** An operation over a service whose price of an id is the number in it. The service refuses the ids of a pattern. */
function startOperation(refused = /^never$/) {
  const targets: string[] = []
  const send: Upstream['send'] = async (request) => {
    targets.push(request.target)
    const [, seconds = '', list = ''] = /^\/prices\/historical\/(\d+)\/([^?]*)/.exec(request.target) ?? []
    const coins = list.split(',')
    if (coins.some((coin) => refused.test(coin))) throw new UpstreamHttpError('prices', 500, 'no')
    const record = (coin: string) => ({ price: Number(coin.split('-')[1]), timestamp: Number(seconds), confidence: 1 })
    return request.read({ coins: Object.fromEntries(coins.map((coin) => [coin, record(coin)])) }, '')
  }
  const scope = new RequestScope(neverAborted, scopeSources())
  const prices: Upstream = { service: 'prices', source: 'prices', send }
  const context = { scope, network: { prices } } as unknown as Context
  return { targets, find: (id: string, time = day) => findDailyPrice(context, id, time) }
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `coin-${index + 1}`)

test('seventy ids of a day are three requests, each with a short URL', async () => {
  const { targets, find } = startOperation()
  const found = await Promise.all(ids(70).map((id) => find(id)))
  expect(found).toEqual(ids(70).map((id) => id.slice(5)))
  expect(targets).toHaveLength(3)
  for (const target of targets) expect(target.length).toBeLessThan(4_096)
})

test('each day is a request of its own, from its first moment on', async () => {
  const { targets, find } = startOperation()
  await Promise.all([find('coin-1', '2026-10-01T23:59:59.999999999Z'), find('coin-1', next), find('coin-2', next)])
  expect(targets).toEqual([
    `/prices/historical/${Date.parse('2026-10-01T00:00:00Z') / 1000}/coingecko:coin-1?searchWidth=6h`,
    `/prices/historical/${Date.parse(next) / 1000}/coingecko:coin-1,coingecko:coin-2?searchWidth=6h`,
  ])
})

test('a day that fails is an error for its ids alone', async () => {
  const { find } = startOperation(/coin-13$/)
  const results = await Promise.allSettled([find('coin-13'), find('coin-1'), find('coin-1', next)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test.each(['', 'a/b', 'a,b', '../x', 'a b', 'x?y', 'é', 'a'.repeat(101)])(
  '%j is no id, and is not sent',
  async (id) => {
    const { targets, find } = startOperation()
    expect(await find(id)).toBeNull()
    expect(targets).toEqual([])
  },
)

test.each(['', 'yesterday', '0001-01-01T00:00:00Z', '1970-01-01T12:00:00Z'])('no price at %j', async (time) => {
  const { targets, find } = startOperation()
  expect(await find('coin-1', time)).toBeNull()
  expect(targets).toEqual([])
})
