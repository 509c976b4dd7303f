import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../src/testing.ts'
import { startGate } from './support/program.ts'
import { address, now, objectsOf, run, startFolder } from './support/world.ts'

let world: TestGateway
let gate: Awaited<ReturnType<typeof startGate>>
beforeAll(async () => {
  world = await startTravels()
  gate = await startGate(world.url)
})
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const startTravels = () => startTestGateway({ date: now })

/** Exports two hours of an account. Gives the file, and how often the gateway and the chains were asked. */
async function count(folder: ReturnType<typeof startFolder>, account: string, word: string, format: string) {
  const file = folder.fileOf(`${word}.${format}`)
  let asked = 0
  gate.watch((number) => {
    asked = number
  })
  const before = world.sandbox.requests.length
  const since = new Date(now - 7_200_000).toISOString()
  const argv = [word, '--url', gate.url, '--address', account, '--format', format, '--since', since, '--out', file]
  expect((await run(argv)).code).toBe(0)
  return { file, asked, upstream: world.sandbox.requests.length - before }
}

test('Koinly asks the gateway at most twice as often as CSV, whatever number of transfers came back', async () => {
  using folder = startFolder()
  const { traveller } = world.sandbox
  const transfers = objectsOf((await count(folder, traveller, 'transfers', 'ndjson')).file)
  expect(transfers.length).toBeGreaterThan(200)
  expect(transfers.filter(({ refunded }) => refunded !== null).length).toBeGreaterThan(20)
  const csv = await count(folder, traveller, 'activity', 'csv')
  const koinly = await count(folder, traveller, 'activity', 'koinly')
  expect(koinly.asked).toBeLessThanOrEqual(2 * csv.asked)
})

test('where none came back, it asks the chains at most twice as often too', async () => {
  using folder = startFolder()
  const transfers = objectsOf((await count(folder, address, 'transfers', 'ndjson')).file)
  expect(transfers.length).toBeGreaterThan(50)
  const csv = await count(folder, address, 'activity', 'csv')
  const koinly = await count(folder, address, 'activity', 'koinly')
  expect(koinly.asked).toBeLessThanOrEqual(2 * csv.asked)
  expect(koinly.upstream).toBeLessThanOrEqual(2 * csv.upstream)
})
