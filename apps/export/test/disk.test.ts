import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { bundleProgram, startProgram } from './support/program.ts'
import { address, run, startFolder, startWorld, textOf } from './support/world.ts'

let world: TestGateway
const built = mkdtempSync(join(tmpdir(), 'portolan-export-'))
const program = join(built, 'program.mjs')
beforeAll(async () => {
  world = await startWorld({ gateway: { limits: { maxCost: 3_000 } } })
  await bundleProgram(program)
})
afterAll(async () => {
  rmSync(built, { recursive: true })
  await world[Symbol.asyncDispose]()
})

const commandOf = (file: string, format: string) => [
  ...['activity', '--url', world.url, '--address', address, '--format', format, '--out', file],
]

/** All bytes of an export, with those of its parts in order. */
const bytesOf = (file: string): Buffer =>
  statSync(file).isDirectory()
    ? Buffer.concat(readdirSync(file).map((name) => readFileSync(join(file, name))))
    : readFileSync(file)

test.each(['csv', 'ndjson', 'koinly', 'parquet'])(
  'a file that may not grow ends %s with its name and the cause, and a run with room gives the same bytes',
  async (format) => {
    using folder = startFolder()
    const whole = folder.fileOf('whole')
    expect((await run(commandOf(whole, format))).code).toBe(0)
    const file = folder.fileOf('cut')
    const failed: string[] = []
    // In blocks of 512 bytes: too few for a state, then for the file, at other places of other rows.
    for (const blocks of [2, 20, 30, 41, 57]) {
      const limited = ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh']
      const child = startProgram(program, commandOf(file, format), limited)
      const [code] = await child.ended
      if (code === 0) continue
      expect(code).toBe(1)
      failed.push(await child.said())
      expect(failed.at(-1)).toMatch(
        /cut\S* cannot be read or written: it is larger than this process may write \(EFBIG\)\./,
      )
      expect(failed.at(-1)).not.toMatch(/\n\s+at /)
      expect(readdirSync(folder.fileOf('.')).filter((name) => /\.(lock|new)$/.test(name))).toEqual([])
    }
    expect(failed.length).toBeGreaterThan(0)
    expect((await run(commandOf(file, format))).code).toBe(0)
    expect(bytesOf(file).equals(bytesOf(whole))).toBe(true)
  },
)

/** Makes a small disk, if this user may. */
const isMounted = (folder: string, command: string, ...argv: string[]) =>
  spawnSync(command, [...argv, folder]).status === 0
const probe = mkdtempSync(join(tmpdir(), 'portolan-export-'))
const mayMount = isMounted(probe, 'mount', '-t', 'tmpfs', '-o', 'size=16k', 'tmpfs')
if (mayMount) isMounted(probe, 'umount')
rmSync(probe, { recursive: true })

// Without the right to mount, there is no full disk to try it with.
test.skipIf(!mayMount)('a full disk ends the export, and the same command goes on where there is room', async () => {
  using folder = startFolder()
  const whole = folder.fileOf('whole')
  await run(commandOf(whole, 'csv'))
  const disk = folder.fileOf('disk')
  mkdirSync(disk)
  expect(isMounted(disk, 'mount', '-t', 'tmpfs', '-o', 'size=32k', 'tmpfs')).toBe(true)
  try {
    const file = join(disk, 'a.csv')
    const { code, err } = await run(commandOf(file, 'csv'))
    expect(code).toBe(1)
    expect(err).toMatch(/a\.csv\S* cannot be read or written: the disk is full \(ENOSPC\)\./)
    const begun = readFileSync(file)
    expect(begun.length).toBeGreaterThan(0)
    expect(begun.equals(readFileSync(whole).subarray(0, begun.length))).toBe(true)
    expect(isMounted(disk, 'mount', '-o', 'remount,size=1m')).toBe(true)
    expect((await run(commandOf(file, 'csv'))).code).toBe(0)
    expect(bytesOf(file).equals(bytesOf(whole))).toBe(true)
  } finally {
    isMounted(disk, 'umount')
  }
})

/** What an owner does to a file. */
const changes: readonly (readonly [string, (text: string) => string])[] = [
  ['edited with the same length', (text) => text.replace('Sent', 'Sold')],
  ['edited in the middle', (text) => text.replace('\n', ',my own note\n')],
  ['cut in the middle', (text) => text.slice(0, text.length / 2)],
  ['cut by its last letter', (text) => text.slice(0, -1)],
  ['added to', (text) => `${text}my own note\n`],
  ['emptied', () => ''],
]

test.each(changes.flatMap(([what, change]) => ['csv', 'ndjson', 'koinly'].map((format) => ({ what, format, change }))))(
  'a file of $format that its owner $what is left alone',
  async ({ format, change }) => {
    using folder = startFolder()
    const file = folder.fileOf('a')
    await run(commandOf(file, format))
    const text = change(textOf(file))
    writeFileSync(file, text)
    const state = textOf(`${file}.state.json`)
    const { code, err } = await run(commandOf(file, format))
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${file} is not as this command left it`) })
    expect([textOf(file), textOf(`${file}.state.json`)]).toEqual([text, state])
  },
)

test('a file that grows while it is written is left alone', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.csv')
  let length = 0
  const { code, err } = await run(commandOf(file, 'csv'), {
    now() {
      if (length === 0 && existsSync(file)) {
        writeFileSync(file, 'mine\n', { flag: 'a' })
        length = statSync(file).size
      }
      return 0
    },
  })
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('is not as this command left it') })
  expect(statSync(file).size).toBe(length)
})

test.each<[string, (text: string) => string, string]>([
  ['cut', (text) => text.slice(0, -20), 'is damaged'],
  ['empty', () => '', 'is damaged'],
  ['no object', () => '7', 'is damaged'],
  ['null', () => 'null', 'is damaged'],
  ['edited at its cursor', (text) => text.replace(/"cursor": "./, '"cursor": "_'), 'is damaged'],
  ['edited at its rows', (text) => text.replace(/"rows": \d/, '"rows": 9'), 'is damaged'],
  ['that of another release', () => '{"purpose":{"version":1},"extent":7}', 'was written by another release'],
])('a state that is %s is refused in a sentence', async (_what, change, reason) => {
  using folder = startFolder()
  const file = folder.fileOf('a.csv')
  await run(commandOf(file, 'csv'))
  const before = textOf(file)
  writeFileSync(`${file}.state.json`, change(textOf(`${file}.state.json`)))
  const { code, err } = await run(commandOf(file, 'csv'))
  expect(code).toBe(1)
  expect(err).toContain(`${file}.state.json ${reason}`)
  expect(err).not.toMatch(/JSON\.parse|SyntaxError|\n\s+at /)
  expect(textOf(file)).toBe(before)
})

test('a file whose state is gone is refused, and one that is gone too', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.csv')
  await run(commandOf(file, 'csv'))
  const state = textOf(`${file}.state.json`)
  rmSync(`${file}.state.json`)
  const ran = await run(commandOf(file, 'csv'))
  expect(ran).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${file} cannot be continued: ${file}.state.json is not there`),
  })
  writeFileSync(`${file}.state.json`, state)
  rmSync(file)
  expect(await run(commandOf(file, 'csv'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not as this command left it'),
  })
  expect(existsSync(file)).toBe(false)
})

test('the mark of a file is that of its bytes', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.csv')
  await run(commandOf(file, 'csv'))
  const { state } = JSON.parse(textOf(`${file}.state.json`))
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  expect(state).toMatchObject({ extent: statSync(file).size, sha256, pending: '' })
})

test('a folder is no file, and a file is no folder', async () => {
  using folder = startFolder()
  mkdirSync(folder.fileOf('folder'))
  expect((await run(commandOf(folder.fileOf('folder'), 'csv'))).err).toContain(
    'is a folder. Use another name for --out.',
  )
  writeFileSync(folder.fileOf('file'), '')
  const { code, err } = await run(commandOf(folder.fileOf('file'), 'parquet'))
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('a part of its path is no folder (ENOTDIR).'),
  })
})

test('a file in a folder that is not there is refused in a sentence', async () => {
  using folder = startFolder()
  const { code, err } = await run(commandOf(folder.fileOf('no/a.csv'), 'csv'))
  expect(code).toBe(1)
  expect(err).toContain('cannot be read or written: its folder does not exist (ENOENT).')
})
