import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { deferred } from '../../../test/support/deferred.ts'
import { bundleProgram, startGate, startProgram } from './support/program.ts'
import { address, run, startFolder, startWorld } from './support/world.ts'

let world: TestGateway
let gate: Awaited<ReturnType<typeof startGate>>
const built = mkdtempSync(join(tmpdir(), 'portolan-export-'))
const program = join(built, 'program.mjs')
let whole: Buffer
beforeAll(async () => {
  world = await startWorld()
  gate = await startGate(world.url)
  await bundleProgram(program)
  using folder = startFolder()
  await run(['activity', '--url', world.url, '--address', address, '--out', folder.fileOf('a.csv')])
  whole = readFileSync(folder.fileOf('a.csv'))
})
afterAll(async () => {
  rmSync(built, { recursive: true })
  await gate[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const commandOf = (file: string) => ['activity', '--url', gate.url, '--address', address, '--out', file]

/** Holds the request with this number until `release`. `reached` resolves when it came. */
function holdRequest(number: number) {
  const reached = deferred<void>()
  const held = deferred<void>()
  gate.watch((count, moment) => {
    if (count !== number || moment !== 'before') return undefined
    reached.resolve()
    return held.promise
  })
  return { reached: reached.promise, release: () => held.resolve() }
}

test('a second process is refused as long as the first one runs, and the lock is given back', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.csv')
  const hold = holdRequest(2)
  const first = startProgram(program, commandOf(file))
  await hold.reached
  const second = startProgram(program, commandOf(file))
  expect(await second.ended).toEqual([1, null])
  expect(await second.said()).toMatch(/^Process \d+ on \S+ is writing \S+a\.csv\. Stop it first\.\s*$/)
  hold.release()
  expect(await first.ended).toEqual([0, null])
  expect(readFileSync(file).equals(whole)).toBe(true)
  expect(readdirSync(folder.fileOf('.')).toSorted()).toEqual(['a.csv', 'a.csv.state.json'])
})

test('of two processes that start at once over the lock of a killed one, one is refused', async () => {
  using folder = startFolder()
  for (const round of [1, 2, 3, 4]) {
    const file = folder.fileOf(`${round}.csv`)
    const hold = holdRequest(1)
    const killed = startProgram(program, commandOf(file))
    await hold.reached
    killed.kill()
    await killed.ended
    hold.release()
    expect(existsSync(`${file}.lock`)).toBe(true)
    const next = holdRequest(1)
    const both = [startProgram(program, commandOf(file)), startProgram(program, commandOf(file))]
    await Promise.race(both.map(({ ended }) => ended))
    next.release()
    expect((await Promise.all(both.map(({ ended }) => ended))).map(([code]) => code).toSorted()).toEqual([0, 1])
    expect(readFileSync(file).equals(whole)).toBe(true)
    expect(existsSync(`${file}.lock`)).toBe(false)
  }
})

/** Runs a command as the first process of a new namespace, as a container does. */
const inNamespace = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
const mayUnshare = spawnSync('unshare', [...inNamespace.slice(1), 'true']).status === 0

/** The process that a wrapper started. */
const childOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())

// Without Linux, or without the right to make namespaces, there is nothing to try it with.
test.skipIf(!mayUnshare)(
  'a container is refused while another one lives, follows it when it was silent for 20 s, and that one then writes no more',
  async () => {
    using folder = startFolder()
    const file = folder.fileOf('a.csv')
    const hold = holdRequest(2)
    const first = startProgram(program, commandOf(file), inNamespace)
    await hold.reached
    const second = startProgram(program, commandOf(file), inNamespace)
    expect(await second.ended).toEqual([1, null])
    expect(await second.said()).toContain('Process 1 on ')
    const inner = childOf(first.pid)
    process.kill(inner, 'SIGSTOP')
    const third = startProgram(program, commandOf(file), inNamespace)
    expect(await third.ended).toEqual([0, null])
    expect(await third.said()).toContain('Watching its lock for 20 s.')
    expect(readFileSync(file).equals(whole)).toBe(true)
    hold.release()
    process.kill(inner, 'SIGCONT')
    expect(await first.ended).toEqual([1, null])
    expect(await first.said()).toContain('was removed or taken over while this process was paused')
    expect(readFileSync(file).equals(whole)).toBe(true)
  },
)
