import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../src/sandbox.ts'

const now = Date.UTC(2026, 10, 21, 12)
const midnight = Date.UTC(2026, 10, 21) / 1000

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ clock: () => now })
})
afterAll(() => sandbox.close())

const coinsAt = async (seconds: number, ids: readonly string[]) => {
  const coins = ids.map((id) => `coingecko:${id}`).join(',')
  const response = await fetch(`${sandbox.pricesUrl}/prices/historical/${seconds}/${coins}?searchWidth=6h`)
  return (await response.json()).coins
}

test('a price is a function of the id and the day, and near the moment', async () => {
  const coins = await coinsAt(midnight, ['initia', 'usd-coin'])
  expect(coins).toEqual(await coinsAt(midnight + 3_600, ['initia', 'usd-coin']))
  expect(Object.keys(coins)).toEqual(['coingecko:initia', 'coingecko:usd-coin'])
  for (const { timestamp, confidence } of Object.values<Record<string, number>>(coins)) {
    expect(timestamp).toBeGreaterThanOrEqual(midnight)
    expect(timestamp).toBeLessThan(midnight + 600)
    expect(confidence).toBe(0.99)
  }
  expect(coins['coingecko:usd-coin'].price).toBeCloseTo(1, 1)
  expect(coins).not.toEqual(await coinsAt(midnight - 86_400, ['initia', 'usd-coin']))
})

test('what it has no record of is left out: an unknown id, and a day to come', async () => {
  expect(await coinsAt(midnight, ['lantern'])).toEqual({})
  expect(await coinsAt(midnight + 86_400, ['initia'])).toEqual({})
})

test('any other path is not found', async () => {
  expect((await fetch(`${sandbox.pricesUrl}/prices/current/coingecko:initia`)).status).toBe(404)
})
