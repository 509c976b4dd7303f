import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../src/testing.ts'
import type { Movement } from '../../../test/support/movement.ts'
import { movementsOfAccount, walkBridgeTransfers } from '../../../test/support/straightWalk.ts'
import { objectsOf, run, startFolder, textOf } from './support/world.ts'

const minute = 60_000
const now = Date.UTC(2026, 9, 1, 12)
/** How far back the straight walk reads. Movements that are exported begin later, so that both know their beginning. */
const [walked, since] = [now - 32 * minute, now - 22 * minute]

let world: TestGateway
let rows: readonly Record<string, unknown>[]
let movements: readonly Movement[]
let notes: string
beforeAll(async () => {
  // The router says more than the records of both chains. Here only they count.
  world = await startTestGateway({ date: now, gateway: { router: undefined } })
  movements = await walkBridgeTransfers(world.sandbox, { since: walked, until: now })
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  const { code, err } = await run([
    ...['transfers', '--url', world.url, '--address', world.sandbox.traveller, '--format', 'ndjson', '--out', file],
    ...['--since', new Date(since).toISOString(), '--until', new Date(now).toISOString()],
  ])
  expect(code).toBe(0)
  rows = objectsOf(file)
  notes = err
})
afterAll(() => world[Symbol.asyncDispose]())

const amountOf = (value: unknown) => BigInt(String(value ?? 0))

test('the movements that left an indexed chain are those that a straight walk over all transactions joins', () => {
  const line = (cells: readonly unknown[]) => cells.map((cell) => cell ?? '-').join(' ')
  const expected = movementsOfAccount(movements, world.sandbox.traveller)
    .filter(({ departure }) => departure !== null && Date.parse(departure.time) >= since)
    .map(({ state, way, departure, arrival, refund }) =>
      line([state, way.sequence, departure?.hash, arrival?.hash, refund?.hash]),
    )
  const found = rows
    .filter(({ sent_hash }) => sent_hash !== null)
    .map(({ state, transfer_id, sent_hash, arrived_hash, refunded_hash }) =>
      line([state, String(transfer_id).split('/').at(-1), sent_hash, arrived_hash, refunded_hash]),
    )
  expect(found.toSorted()).toEqual(expected.toSorted())
  expect(found.length).toBeGreaterThan(20)
})

test('each is in the file once', () => {
  const ids = rows.flatMap(({ transfer_id }) => transfer_id ?? [])
  expect(new Set(ids).size).toBe(ids.length)
})

test('amounts are those of the walk, for what the account sent', () => {
  const amounts = new Map(movements.map(({ way, departure, amount }) => [`${departure?.hash} ${way.sequence}`, amount]))
  const sent = rows.filter((row) => row.sent !== null)
  expect(sent.length).toBeGreaterThan(20)
  for (const row of sent) {
    const key = `${row.sent_hash} ${String(row.transfer_id).split('/').at(-1)}`
    expect(row.sent).toBe(`-${amounts.get(key)}`)
  }
})

test.each(['TIMED_OUT', 'REFUNDED'])('one that came back to its sender sums to zero (%s)', (wanted) => {
  const back = rows.filter(({ state, sent }) => state === wanted && sent !== null)
  expect(back.length).toBeGreaterThan(0)
  for (const { sent, arrived, refunded } of back) {
    expect(amountOf(sent)).toBeLessThan(0n)
    expect(amountOf(sent) + amountOf(arrived) + amountOf(refunded)).toBe(0n)
  }
})

test('one that arrived is what the account lost here, or what it gained there', () => {
  const arrived = rows.filter(({ state }) => state === 'ARRIVED')
  expect(arrived.length).toBeGreaterThan(3)
  for (const row of arrived) {
    expect(row.refunded).toBeNull()
    expect([amountOf(row.sent) < 0n, amountOf(row.arrived) > 0n]).toContain(true)
  }
})

test('those that have not ended are counted', () => {
  const count = rows.filter(({ state }) => !/^(ARRIVED|REFUNDED|TIMED_OUT)$/.test(String(state))).length
  expect(count).toBeGreaterThan(0)
  expect(notes).toContain(`${count} transfers had not ended when they were written.`)
})

test('in the format of Koinly, those that came back have only their fees', async () => {
  using folder = startFolder()
  const file = folder.fileOf('k.csv')
  const ran = await run([
    ...['activity', '--url', world.url, '--address', world.sandbox.traveller, '--format', 'koinly', '--out', file],
    ...['--since', new Date(since).toISOString(), '--until', new Date(now).toISOString()],
  ])
  expect(ran.code).toBe(0)
  const lines = textOf(file).split('\r\n')
  const back = rows.filter(({ sent, refunded }) => sent !== null && refunded !== null)
  expect(back.length).toBeGreaterThan(10)
  const hashes = back.flatMap(({ sent_hash, refunded_hash }) => [String(sent_hash), String(refunded_hash)])
  const told = lines.filter((line) => hashes.some((hash) => line.includes(hash)))
  expect(told.length).toBeGreaterThan(5)
  expect(told.filter((line) => line.split(',')[9] !== 'cost')).toEqual([])
  // All others are told.
  const others = rows.filter(({ sent, refunded }) => sent && !refunded)
  expect(others.length).toBeGreaterThan(5)
  for (const { sent_hash } of others) expect(lines.some((line) => line.endsWith(String(sent_hash)))).toBe(true)
})
