import { statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { type Walked, walk } from './support/walk.ts'
import { address, now, objectsOf, run, startFolder, startWorld, textOf } from './support/world.ts'

let world: TestGateway
let walked: readonly Walked[]
beforeAll(async () => {
  world = await startWorld()
  walked = await walk(world.url)
})
afterAll(() => world[Symbol.asyncDispose]())

const activity = (format: string, out: string, ...more: string[]) =>
  run(['activity', '--url', world.url, '--address', address, '--format', format, '--out', out, ...more])

/** What the row of a change must say. */
const expected = ({ chainId, hash, timestamp, change }: Walked) => {
  const amounts = { formatted: change?.formattedAmount ?? null, amount: change?.amount ?? null }
  const none = { formatted: null, amount: null }
  return {
    ...{ time: timestamp, chain: chainId, hash, kind: change?.kind ?? null, token: change?.tokenId ?? null },
    denom: change
      ? (change.denom ?? change.collection?.address ?? change.contract?.address ?? change.objectAddress)
      : null,
    moved: change?.kind === 'FEE' ? none : amounts,
    fee: change?.kind === 'FEE' ? amounts : none,
    worth: change?.usdValueAtTime ?? null,
  }
}

const found = (row: Record<string, unknown>) => ({
  ...{ time: row.time, chain: row.chain_id, hash: row.hash, kind: row.change, token: row.token_id, denom: row.denom },
  moved: { formatted: row.formatted_amount, amount: row.amount },
  fee: { formatted: row.formatted_fee, amount: row.fee },
  worth: row.usd_value_at_time,
})

test('the demo account did more than one page has', () => {
  expect(new Set(walked.map(({ hash }) => hash)).size).toBeGreaterThan(50)
  expect(new Set(walked.map(({ chainId }) => chainId)).size).toBe(3)
  expect(new Set(walked.map(({ change }) => change?.kind))).toEqual(
    new Set(['COIN', 'FEE', 'NFT', 'OBJECT', 'TOKEN', undefined]),
  )
  const isPriced = new Set(walked.map(({ change }) => typeof change?.usdValueAtTime))
  expect(isPriced).toEqual(new Set(['string', 'object', 'undefined']))
})

test('NDJSON has the changes of a walk through the graph, row by row', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  const { code, err } = await activity('ndjson', file)
  expect({ code, err }).toEqual({ code: 0, err: `${file} has ${walked.length} rows.\n` })
  expect(objectsOf(file).map(found)).toEqual(walked.map(expected))
  expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask())
})

/** The cells of a file of CSV by RFC 4180. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}

test('CSV has the same, with an empty cell for null', async () => {
  using folder = startFolder()
  const lines = folder.fileOf('a.ndjson')
  const file = folder.fileOf('a.csv')
  await activity('ndjson', lines)
  expect((await activity('csv', file)).code).toBe(0)
  const [head = [], ...rows] = cellsOf(textOf(file))
  const objects = objectsOf(lines)
  expect(head).toEqual(Object.keys(objects[0] ?? {}))
  // Text that a spreadsheet would run has an apostrophe before it.
  const plain = (cells: string[]) => cells.map((cell) => cell.replace(/^'(?=[=+\-@\t＝＋－＠])/, ''))
  expect(rows.map(plain)).toEqual(objects.map((row) => head.map((name) => String(row[name] ?? ''))))
})

test('a second run adds only what is new', async () => {
  await using own = await startWorld()
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  const command = ['activity', '--url', own.url, '--address', address, '--format', 'ndjson', '--out', file]
  await run(command)
  const before = textOf(file)
  expect((await run(command)).code).toBe(0)
  expect(textOf(file)).toBe(before)
  await own.advance(600_000)
  expect((await run(command)).code).toBe(0)
  const all = textOf(file)
  expect(all.startsWith(before)).toBe(true)
  const after = await walk(own.url)
  expect(after.length).toBeGreaterThan(before.split('\n').length)
  expect(objectsOf(file).map(found)).toEqual(after.map(expected))
})

test('a chain that fails ends the file where its records would come, and a later run fills it in', async () => {
  await using own = await startWorld()
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  const command = ['activity', '--url', own.url, '--address', address, '--format', 'ndjson', '--out', file]
  own.sandbox.faults.set('lantern-1', '/', { kind: 'status', status: 404, contentType: 'text/html', body: 'gone' })
  const first = await run(command)
  expect(first.code).toBe(3)
  expect(first.err).toContain('lantern-1 (UPSTREAM_')
  expect(first.waits).toHaveLength(5)
  own.sandbox.faults.clear()
  expect((await run(command)).code).toBe(0)
  expect(objectsOf(file).map(found)).toEqual((await walk(own.url)).map(expected))
})

test('prices that cannot be read end the file, and a later run fills it in without a gap', async () => {
  await using own = await startWorld()
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  const command = ['activity', '--url', own.url, '--address', address, '--format', 'ndjson', '--out', file]
  own.sandbox.faults.set('prices', '/', { kind: 'status', status: 500 })
  const first = await run(command)
  expect(first.code).toBe(1)
  expect(first.err).toContain('UPSTREAM_UNAVAILABLE of prices')
  expect(first.waits).toHaveLength(5)
  own.sandbox.faults.clear()
  expect((await run(command)).code).toBe(0)
  expect(objectsOf(file).map(found)).toEqual((await walk(own.url)).map(expected))
})

test('a gateway with other keys does not know the cursor: each row is in the file once', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  await activity('ndjson', file)
  await using other = await startWorld({ gateway: { signingKeys: ['another key of thirty-two letters'] } })
  await other.advance(60_000)
  const ran = await run(['activity', '--url', other.url, '--address', address, '--format', 'ndjson', '--out', file])
  expect(ran.code).toBe(0)
  expect(ran.err).toContain('no longer knows the cursor')
  const all = await walk(other.url)
  expect(all.length).toBeGreaterThan(walked.length)
  expect(objectsOf(file).map(found)).toEqual(all.map(expected))
})

const other = 'init1k5nf7pdplyx2ynz7htqzkt3dk5cyezy8p4h85w'

test.each([
  ['another account', ['--address', other], `--address was ${address}, and is now ${other}.`],
  ['another time', ['--since', '2026-11-01'], '--since was nothing, and is now 2026-11-01T00:00:00Z.'],
  ['another format', ['--format', 'csv'], '--format was ndjson, and is now csv.'],
  ['another chain', ['--chain', 'galley-1'], '--chain was nothing, and is now galley-1.'],
])('a file is not continued with %s', async (_what, [option = '', value = ''], difference) => {
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  await activity('ndjson', file)
  const before = textOf(file)
  const options = { '--url': world.url, '--address': address, '--format': 'ndjson', '--out': file, [option]: value }
  const { code, err } = await run(['activity', ...Object.entries(options).flat()])
  expect(code).toBe(1)
  expect(err).toContain(`${file} cannot be continued: it was begun with other options: ${difference}`)
  expect(textOf(file)).toBe(before)
})

test('a file of somebody else is left alone', async () => {
  using folder = startFolder()
  const file = folder.fileOf('precious.csv')
  writeFileSync(file, 'mine')
  const { code, err } = await activity('csv', file)
  expect(code).toBe(1)
  expect(err).toContain('this command did not write it')
  expect(textOf(file)).toBe('mine')
})

test('an interrupt keeps what was read, and the next run continues from there', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  const stop = new AbortController()
  const command = ['activity', '--url', world.url, '--address', address, '--format', 'ndjson', '--out', file]
  // The time is read when the export starts, and after each page.
  const times = [now]
  const ran = await run(command, {
    signal: stop.signal,
    now() {
      const time = times.pop()
      if (time === undefined) stop.abort()
      return time ?? now
    },
  })
  expect(ran.code).toBe(130)
  const before = objectsOf(file).length
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(walked.length)
  expect((await run(command)).code).toBe(0)
  expect(objectsOf(file).map(found)).toEqual(walked.map(expected))
})
