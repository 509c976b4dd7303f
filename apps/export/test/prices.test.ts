import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { address, objectsOf, run, startFolder, startWorld, textOf } from './support/world.ts'

let world: TestGateway
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Records = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The service has this in place of the price of INIT, and those of all others. */
const breakPrice = (own: TestGateway, price: unknown) =>
  own.sandbox.faults.set('prices', '/', {
    kind: 'change',
    change: (json) => {
      const { coins } = json as { coins: Records }
      const broken = Object.entries(coins).map(([id, record]) => [
        id,
        /:initia$/.test(id) ? { ...record, price } : record,
      ])
      return { coins: Object.fromEntries(broken) }
    },
  })

const activity = (own: TestGateway, format: string, out: string) =>
  run(['activity', '--url', own.url, '--address', address, '--format', format, '--out', out])

/** An export of each format over an unreadable price, with the file of an export over readable ones. */
async function exportTwice(format: string, price: unknown = 'n/a') {
  await using own = await startWorld()
  using folder = startFolder()
  const [whole, holed] = [folder.fileOf('whole'), folder.fileOf('holed')]
  await activity(world, format, whole)
  breakPrice(own, price)
  const ran = await activity(own, format, holed)
  const files = format === 'parquet' ? [] : [textOf(whole), textOf(holed)]
  const notes = textOf(`${holed}.notes.txt`)
  return { ...ran, files, notes, objects: format === 'ndjson' ? [whole, holed].map(objectsOf) : [] }
}

const note = /^(\d+) values could not be read, and are left empty\.$/m

test('one price that cannot be read leaves its values empty, with a note, and all other values stay', async () => {
  const { code, waits, notes, objects } = await exportTwice('ndjson')
  expect([code, waits]).toEqual([0, []])
  const [whole = [], holed = []] = objects
  expect(holed).toHaveLength(whole.length)
  const lost = whole.filter((row, index) => row.usd_value_at_time !== holed[index]?.usd_value_at_time)
  expect(lost.length).toBeGreaterThan(5)
  expect(new Set(lost.map(({ symbol }) => symbol))).toEqual(new Set(['INIT']))
  expect(holed.filter(({ usd_value_at_time }) => usd_value_at_time !== null).length).toBeGreaterThan(0)
  for (const [index, row] of holed.entries()) {
    const value = row.symbol === 'INIT' ? null : whole[index]?.usd_value_at_time
    expect(row).toEqual({ ...whole[index], usd_value_at_time: value })
  }
  expect(note.exec(notes)?.[1]).toBe(String(lost.length))
})

test.each(['csv', 'parquet', 'koinly'])('so does %s', async (format) => {
  const { code, notes, files, err } = await exportTwice(format)
  expect(code).toBe(0)
  expect(notes).toMatch(note)
  expect(err).toMatch(/values could not be read/)
  const [whole = '', holed = ''] = files.map((file) => file.split('\r\n').length)
  expect(holed).toBe(whole)
})

test('an answer without any price that can be read is a service that is down', async () => {
  await using own = await startWorld()
  using folder = startFolder()
  for (const body of ['<html>', '{"coins":[]}']) {
    own.sandbox.faults.set('prices', '/', { kind: 'garbage', body })
    const { code, err } = await activity(own, 'ndjson', folder.fileOf('a.ndjson'))
    expect(code).toBe(1)
    expect(err).toContain('UPSTREAM_INVALID_RESPONSE of prices')
  }
  own.sandbox.faults.clear()
  expect((await activity(own, 'ndjson', folder.fileOf('a.ndjson'))).code).toBe(0)
  expect(objectsOf(folder.fileOf('a.ndjson')).some(({ usd_value_at_time }) => usd_value_at_time !== null)).toBe(true)
})
