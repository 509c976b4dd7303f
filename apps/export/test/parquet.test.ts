import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toColumns } from '#kit/table'
import type { TestGateway } from '../../../src/testing.ts'
import { type Mark, nothing } from '../src/formats/output.ts'
import { openParquet } from '../src/formats/parquet.ts'
import { walk } from './support/walk.ts'
import { address, objectsOf, run, startFolder, startWorld } from './support/world.ts'

let world: TestGateway
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** DuckDB, which has no build for some machines. */
const duckdb = await import('@duckdb/node-api').catch(() => undefined)
const testWithDuckDb = test.skipIf(!duckdb)

/** What DuckDB answers to a query. */
async function ask(query: string): Promise<Record<string, unknown>[]> {
  if (!duckdb) throw new Error('DuckDB is not there.')
  const instance = await duckdb.DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return await (await connection.runAndReadAll(query)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const columns = toColumns({ time: 'time', amount: 'amount', height: 'integer', is_right: 'boolean', text: 'text' })

const exported = async (file: string, format: string) =>
  run(['activity', '--url', world.url, '--address', address, '--format', format, '--out', file])

testWithDuckDb('DuckDB sums each asset to the balance changes of the account, exactly', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.parquet')
  expect((await exported(file, 'parquet')).code).toBe(0)
  const sums = new Map<string, bigint>()
  for (const { chainId, change } of await walk(world.url)) {
    if (!change?.denom) continue
    const key = `${chainId} ${change.denom}`
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(change.amount))
  }
  const rows = await ask(`
    select chain_id || ' ' || denom as asset, sum(coalesce(amount_decimal, fee_decimal)) as total
    from '${file}/*.parquet' where change in ('COIN', 'FEE', 'TOKEN') group by all order by all`)
  const named = rows.filter(({ asset }) => sums.has(String(asset)))
  expect(new Map(named.map(({ asset, total }) => [asset, BigInt(String(total))]))).toEqual(sums)
  expect(sums.size).toBeGreaterThan(3)
})

testWithDuckDb('the parts have the rows of NDJSON, in order', async () => {
  using folder = startFolder()
  await exported(folder.fileOf('a.parquet'), 'parquet')
  await exported(folder.fileOf('a.ndjson'), 'ndjson')
  const objects = objectsOf(folder.fileOf('a.ndjson'))
  const names = Object.keys(objects[0] ?? {}).filter((name) => name !== 'time')
  const rows = await ask(`select time_text as time, ${names} from '${folder.fileOf('a.parquet')}/*.parquet'`)
  // DuckDB writes integers of 64 bits as text.
  expect(rows).toEqual(objects.map((row) => ({ ...row, height: String(row.height) })))
})

testWithDuckDb('amounts are decimals up to 38 digits, and always text', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.parquet')
  const amounts = ['0', '-1', `${10n ** 38n - 1n}`, `${1n - 10n ** 38n}`, `${10n ** 38n}`, `${-(2n ** 256n)}`]
  const output = await openParquet(file, columns, nothing)
  const time = '2026-11-21T11:44:39.775926524Z'
  await output.stage(amounts.map((amount) => [time, amount, 2 ** 53 - 1, true, '=1+1']))
  expect(await output.stage([[null, null, null, null, null]], true)).toMatchObject({ extent: 1 })
  await output.commit()
  const rows = await ask(`select amount, amount_decimal::varchar as exact, typeof(amount_decimal) as kind,
    height, is_right, text, epoch_us(time) as time, typeof(time) as clock, time_text from '${file}/*.parquet'`)
  const rest = { height: '9007199254740991', is_right: true, text: '=1+1', time: '1795261479775926', time_text: time }
  expect(rows).toEqual([
    ...amounts.map((amount, index) => ({
      ...{ amount, exact: index < 4 ? amount : null, kind: 'DECIMAL(38,0)', clock: 'TIMESTAMP WITH TIME ZONE' },
      ...rest,
    })),
    {
      ...{ amount: null, exact: null, kind: 'DECIMAL(38,0)', clock: 'TIMESTAMP WITH TIME ZONE', height: null },
      ...{ is_right: null, text: null, time: null, time_text: null },
    },
  ])
})

/** A folder of two parts, with the mark after each. */
async function twoParts(file: string): Promise<readonly [Mark, Mark]> {
  const output = await openParquet(file, columns, nothing)
  const part = async (amount: string) => {
    const mark = await output.stage([[null, amount, 1, true, 'a']], true)
    await output.commit()
    return mark ?? nothing
  }
  return [await part('1'), await part('2')]
}

test('a part that no state names is written again, and one that a state names gets its name', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.parquet')
  const [first, second] = await twoParts(file)
  const bytes = readFileSync(join(file, 'part-00002.parquet'))
  renameSync(join(file, 'part-00002.parquet'), join(file, 'part-00002.parquet.new'))
  await openParquet(file, columns, second)
  expect(readdirSync(file)).toEqual(['part-00001.parquet', 'part-00002.parquet'])
  renameSync(join(file, 'part-00002.parquet'), join(file, 'part-00002.parquet.new'))
  const output = await openParquet(file, columns, first)
  expect(readdirSync(file)).toEqual(['part-00001.parquet'])
  expect(await output.stage([])).toEqual(first)
  expect(await output.stage([[null, '2', 1, true, 'a']])).toBeUndefined()
  expect(await output.stage([], true)).toEqual(second)
  await output.commit()
  expect(await output.stage([], true)).toEqual(second)
  expect(readFileSync(join(file, 'part-00002.parquet')).equals(bytes)).toBe(true)
})

test.each<[string, (part: (number: number) => string) => void]>([
  ['edited', (part) => writeFileSync(part(1), 'mine')],
  ['removed', (part) => rmSync(part(2))],
  ['added', (part) => writeFileSync(part(3), 'mine')],
  ['cut', (part) => truncateSync(part(2), 10)],
])('a folder with a part that its owner %s is left alone', async (_what, change) => {
  using folder = startFolder()
  const file = folder.fileOf('a.parquet')
  const [, mark] = await twoParts(file)
  change((number) => join(file, `part-0000${number}.parquet`))
  const before = readdirSync(file).map((name) => [name, readFileSync(join(file, name), 'hex')])
  await expect(openParquet(file, columns, mark)).rejects.toThrow('is not as this command left it')
  expect(readdirSync(file).map((name) => [name, readFileSync(join(file, name), 'hex')])).toEqual(before)
})

test('a part that somebody else added while the export runs is not written over', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.parquet')
  const output = await openParquet(file, columns, nothing)
  mkdirSync(file)
  writeFileSync(join(file, 'part-00001.parquet'), 'mine')
  await expect(output.stage([[null, '1', 1, true, 'a']], true)).rejects.toThrow('is not as this command left it')
  expect(readFileSync(join(file, 'part-00001.parquet'), 'utf8')).toBe('mine')
})
