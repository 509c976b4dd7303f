import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { takeLock } from '../src/lock/takeLock.ts'
import { compileKit, startFolder, startProgram } from './support/program.ts'

const kit = compileKit()
afterAll(() => kit[Symbol.dispose]())

/** Only Linux tells whether another process still runs. */
const seesProcesses = process.platform === 'linux'

/** A process that takes a lock, says so, and gives it back when it should stop; or says why it cannot take it. */
const holder = `import { takeLock } from ${kit.importOf('lock/takeLock')}
  const io = { wait: () => new Promise(() => {}), err: () => {}, signal: new AbortController().signal }
  try {
    const lock = await takeLock(process.argv[1], io)
    process.once('SIGTERM', async () => {
      await lock[Symbol.asyncDispose]()
      process.exit(0)
    })
    setInterval(() => {}, 1_000)
    process.stdout.write('taken')
  } catch (error) {
    process.stdout.write(error.message)
  }`

test.skipIf(!seesProcesses)(
  'another process is refused while the owner lives, and gets the lock when it is given back',
  async () => {
    using folder = startFolder()
    const file = folder.fileOf('state')
    const first = startProgram(holder, [file])
    expect(await first.first).toBe('taken')
    const { io, waits } = watcher()
    await expect(takeLock(file, io)).rejects.toThrow(`Process ${first.pid} on `)
    expect(await startProgram(holder, [file]).first).toMatch(
      /^Process \d+ on \S+ is writing \S+state\. Stop it first\.$/,
    )
    first.kill('SIGTERM')
    expect(await first.ended).toEqual([0, null])
    expect(existsSync(`${file}.lock`)).toBe(false)
    await using _lock = await takeLock(file, io)
    expect(waits()).toBe(0)
  },
)

test.skipIf(!seesProcesses)('a killed owner on this machine is followed at once, by one of those who try', async () => {
  using folder = startFolder()
  const file = folder.fileOf('state')
  const first = startProgram(holder, [file])
  await first.first
  first.kill('SIGKILL')
  await first.ended
  expect(existsSync(`${file}.lock`)).toBe(true)
  const next = [1, 2, 3].map(() => startProgram(holder, [file]))
  const words = await Promise.all(next.map((each) => each.first))
  expect(words.filter((word) => word === 'taken')).toHaveLength(1)
  for (const each of next) each.kill('SIGKILL')
  await Promise.all(next.map(({ ended }) => ended))
})

/** A world for locks, with its own waits and what was said. */
function watcher() {
  const texts: string[] = []
  let waits = 0
  const io = {
    err: (text: string) => void texts.push(text),
    async wait(milliseconds: number) {
      waits += 1
      await wait(milliseconds)
    },
    signal: new AbortController().signal,
  }
  return { io, texts, waits: () => waits }
}

const foreign = { token: 'a', after: null, host: 'elsewhere', pid: 1, place: 'another', begun: '1' }

test('an owner on another machine is followed only after all looks found nothing new', async () => {
  using folder = startFolder()
  const file = folder.fileOf('state')
  writeFileSync(`${file}.lock`, `\n${JSON.stringify(foreign)}`)
  const { io, texts, waits } = watcher()
  await using lock = await takeLock(file, io, { beatMs: 20, beats: 5 })
  expect(waits()).toBe(5)
  expect(texts.join('')).toContain('A process on elsewhere may be writing')
  await lock.check()
})

test('a lock that lives is found alive after its first beat', async () => {
  using folder = startFolder()
  const file = folder.fileOf('state')
  writeFileSync(`${file}.lock`, `\n${JSON.stringify(foreign)}`)
  const { io } = watcher()
  const taken = takeLock(file, {
    ...io,
    wait: async () => writeFileSync(`${file}.lock`, `\n${JSON.stringify(foreign)}\n`),
  })
  await expect(taken).rejects.toThrow('Process 1 on elsewhere is writing')
})

test('of claims on the same place the first counts, and pieces of claims are none', async () => {
  using folder = startFolder()
  const file = folder.fileOf('state')
  const lines = [
    foreign,
    { ...foreign, token: 'b' },
    { ...foreign, token: 'c', after: 'a' },
    { token: 'd', after: 'a' },
  ]
  writeFileSync(`${file}.lock`, ['4711', ...lines.map((line) => JSON.stringify(line)), '{"token":"e","af'].join('\n'))
  const { io } = watcher()
  await using _lock = await takeLock(file, io, { beatMs: 1, beats: 1 })
  const last = readFileSync(`${file}.lock`, 'utf8').split('\n').at(-1) ?? ''
  expect(JSON.parse(last)).toMatchObject({ after: 'c', pid: process.pid })
})

test('a process that lost its lock does not remove that of its follower', async () => {
  using folder = startFolder()
  const file = folder.fileOf('state')
  const { io } = watcher()
  const lock = await takeLock(file, io, { beatMs: 10, beats: 1 })
  rmSync(`${file}.lock`)
  await using follower = await takeLock(file, io)
  await expect(lock.check()).rejects.toThrow('was removed or taken over')
  await lock[Symbol.asyncDispose]()
  await follower.check()
})

test('a lock is refused to a second owner in the same process', async () => {
  using folder = startFolder()
  const { io } = watcher()
  await using _lock = await takeLock(folder.fileOf('state'), io)
  await expect(takeLock(folder.fileOf('state'), io)).rejects.toThrow(`Process ${process.pid} on `)
})
