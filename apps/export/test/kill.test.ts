import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { bundleProgram, startGate, startProgram } from './support/program.ts'
import { address, now, run, startFolder, startWorld } from './support/world.ts'

let world: TestGateway
let gate: Awaited<ReturnType<typeof startGate>>
beforeAll(async () => {
  // Small pages make many moments at which the program can be killed.
  world = await startWorld({ gateway: { limits: { maxCost: 3_000 } } })
  gate = await startGate(world.url)
})
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

/** All bytes of an export, with those of its parts in order. */
function bytesOf(file: string, format: string): Buffer {
  if (format !== 'parquet') return readFileSync(file)
  return Buffer.concat(readdirSync(file).map((name) => readFileSync(`${file}/${name}`)))
}

test.each(['ndjson', 'csv', 'koinly', 'parquet'])(
  'killed at ten random moments, %s has each row once',
  async (format) => {
    using folder = startFolder()
    const program = folder.fileOf('program.mjs')
    await bundleProgram(program)
    const command = (name: string) => [
      ...['activity', '--url', gate.url, '--address', address, '--format', format],
      ...['--out', folder.fileOf(name)],
    ]
    let requests = 0
    gate.watch((count) => {
      requests = count
    })
    expect((await run(command('whole'))).code).toBe(0)
    expect(requests).toBeGreaterThan(9)
    const moments = fc.record({ count: fc.integer({ min: 1, max: 6 }), moment: fc.constantFrom('before', 'after') })
    const kills = fc.sample(moments, 10)
    let killed = 0
    for (const kill of kills) {
      const child = startProgram(program, command('killed'))
      gate.watch((count, moment) => {
        if (count === kill.count && moment === kill.moment) child.kill()
      })
      const [code, signal] = await child.ended
      if (signal === 'SIGKILL') killed += 1
      else expect(code).toBe(0)
    }
    expect(killed).toBeGreaterThan(2)
    gate.watch(() => {})
    const [code] = await startProgram(program, command('killed')).ended
    expect(code).toBe(0)
    const whole = bytesOf(folder.fileOf('whole'), format)
    expect(bytesOf(folder.fileOf('killed'), format).equals(whole)).toBe(true)
  },
)

test('a text that was torn anywhere is completed, and the rows after it follow', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.csv')
  const command = ['activity', '--url', world.url, '--address', address, '--out', file]
  // The time is read when the export starts, and after each page.
  const states: string[] = []
  const time = () => {
    if (existsSync(file)) states.push(readFileSync(`${file}.state.json`, 'utf8'))
    return now
  }
  expect((await run(command, { now: time })).code).toBe(0)
  expect(states.length).toBeGreaterThan(5)
  const whole = readFileSync(file)
  const moment = fc.record({ state: fc.constantFrom(...states), torn: fc.double({ min: 0, max: 1, noNaN: true }) })
  await fc.assert(
    fc.asyncProperty(moment, async ({ state, torn }) => {
      const { extent, pending } = JSON.parse(state).state
      const missing = Math.round(torn * Buffer.byteLength(pending))
      writeFileSync(file, whole.subarray(0, extent - missing))
      writeFileSync(`${file}.state.json`, state)
      expect((await run(command)).code).toBe(0)
      expect(readFileSync(file).equals(whole)).toBe(true)
    }),
    { numRuns: 10 },
  )
})
