import { readFileSync, writeFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { sandboxChains } from '../../../packages/sandbox/src/chains.ts'
import { startTestGateway } from '../../../src/testing.ts'
import { readFollowed } from '../src/followed.ts'
import { stream } from '../src/stream.ts'
import { runStream } from '../src/streamCli.ts'
import { createChain, createRandom } from './support/chain.ts'
import { createIo } from './support/clock.ts'
import { createGraph } from './support/graph.ts'
import { activityDocument, startFolder } from './support/hook.ts'

/** An output that keeps its lines, and does with each what `onLine` does. */
function createOutput(onLine: (count: number, done: (error?: Error) => void) => void = (_count, done) => done()) {
  const lines: string[] = []
  const output = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      onLine(lines.length, done)
    },
  })
  return { output, lines }
}

const optionsOf = (output: Writable, count: number, afterFile?: string) => ({
  ...{ client: createChain(count, createRandom(1)), variables: {}, output, afterFile },
  ...{ followed: readFollowed(activityDocument), log: () => {}, signal: new AbortController().signal },
})

test('each event is a line with its id, type, cursor and data', async () => {
  const { output, lines } = createOutput()
  await stream(optionsOf(output, 3))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    [1, 2, 3].map((index) => ({
      ...{ id: expect.stringMatching(/^evt_/), type: 'activity.record', cursor: expect.any(String) },
      data: { node: { id: `record-${index}` } },
    })),
  )
  for (const line of lines) expect(line.endsWith('}\n')).toBe(true)
})

test('it continues after the cursor of its file', async () => {
  using folder = startFolder()
  const file = folder.fileOf('cursor')
  const first = createOutput()
  await stream(optionsOf(first.output, 2, file))
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.parse(first.lines[1] ?? '').cursor}\n`)
  const second = createOutput()
  await stream(optionsOf(second.output, 4, file))
  expect(second.lines.map((line) => JSON.parse(line).data.node.id)).toEqual(['record-3', 'record-4'])
})

test('it waits for a slow reader', async () => {
  const waiting: (() => void)[] = []
  const { output, lines } = createOutput((_count, done) => void waiting.push(done))
  const done = stream(optionsOf(output, 100))
  for (let count = 1; count <= 100; count += 1) {
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(lines).toHaveLength(count)
    waiting.pop()?.()
  }
  await done
})

test('it ends quietly when its reader leaves, and keeps the cursor of what was read', async () => {
  using folder = startFolder()
  const file = folder.fileOf('cursor')
  const { output } = createOutput((count, done) =>
    done(count > 2 ? Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) : undefined),
  )
  await stream(optionsOf(output, 100, file))
  expect(readFileSync(file, 'utf8')).toMatch(/^2 /)
})

test('any other fault of the output is an error', async () => {
  const { output } = createOutput((_count, done) => done(Object.assign(new Error('disk full'), { code: 'ENOSPC' })))
  await expect(stream(optionsOf(output, 3))).rejects.toThrow('disk full')
})

test('the command writes the blocks of a chain', async () => {
  const now = Date.UTC(2026, 10, 21, 12)
  const chains = sandboxChains.map((chain) => ({ ...chain, genesis: now - 100 * chain.blockTime }))
  await using world = await startTestGateway({ date: now, chains })
  using folder = startFolder()
  const file = folder.fileOf('blocks.graphql')
  writeFileSync(
    file,
    `subscription ($after: String) {
      blocks(chainId: "galley-1", after: $after) { cursor node { id height } notice { kind } }
    }`,
  )
  const stop = new AbortController()
  const { output, lines } = createOutput((count, done) => {
    if (count === 5) stop.abort()
    done()
  })
  const io = { ...createIo().io, env: {}, output, signal: stop.signal }
  const running = runStream([file, '--url', world.url], io)
  while (!stop.signal.aborted) await world.advance(1_000)
  expect(await running).toBe(0)
  const heights = lines.map((line) => JSON.parse(line).data.node.height)
  expect(heights).toEqual(heights.map((_, index) => heights[0] + index))
})

test.each([
  [[], 'Name one document'],
  [['subscription { chainHeads { height } }'], '--url'],
  [['{ chains { chainId } }', '--url', 'http://127.0.0.1:1/'], 'one subscription'],
  [['subscription { chainHeads { height } }', '--url', 'http://127.0.0.1:1/', '--variables', '{'], 'JSON'],
])('wrong options end with 2 (%j)', async (argv, reason) => {
  const log: string[] = []
  const { output } = createOutput()
  expect(await runStream(argv, { ...createIo().io, env: {}, output, log: (line) => void log.push(line) })).toBe(2)
  expect(log.join('').split('\n\n')[0]).toContain(reason)
})

/** A client of one balance, which a connection tells anew and then follows. */
const balancesOf = (...amounts: readonly number[]) =>
  createGraph({
    subscription: 'balances',
    open: () =>
      amounts.map((amount) => ({
        balances: { balances: [{ chain: { chainId: 'a' }, denom: 'uinit', amount: String(amount) }] },
        changed: [{ formattedAmount: String(amount) }],
      })),
    salt: () => '',
  })

test('states that come again have other ids, and one that is in the file is not written again', async () => {
  using folder = startFolder()
  const afterFile = folder.fileOf('states')
  const followed = readFollowed('subscription { balances(address: "init1") { changed { formattedAmount } } }')
  const signal = new AbortController().signal
  const run = async (...amounts: readonly number[]) => {
    const { output, lines } = createOutput()
    const client = balancesOf(...amounts)
    await stream({ client, followed, variables: {}, afterFile, output, log: () => {}, signal })
    return lines.map((line) => JSON.parse(line))
  }
  const first = await run(5, 5, 7, 5)
  expect(first.map(({ data }) => data)).toEqual(
    ['5', '7', '5'].map((formattedAmount) => ({ changed: [{ formattedAmount }] })),
  )
  const second = await run(5, 7)
  expect(second).toHaveLength(1)
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(4)
})

test('a state whose line was not passed on has the same id when it comes again', async () => {
  using folder = startFolder()
  const afterFile = folder.fileOf('states')
  const followed = readFollowed('subscription { balances(address: "init1") { changed { formattedAmount } } }')
  const signal = new AbortController().signal
  const failing = createOutput((_count, done) => done(Object.assign(new Error('disk full'), { code: 'ENOSPC' })))
  const options = { client: balancesOf(5), followed, variables: {}, afterFile, log: () => {}, signal }
  await expect(stream({ ...options, output: failing.output })).rejects.toThrow('disk full')
  const { output, lines } = createOutput()
  await stream({ ...options, output })
  const [before, after] = [failing.lines, lines].map(([line]) => JSON.parse(line ?? ''))
  expect(after.id).toBe(before.id)
})

test('the file of a stream of records is refused for one of states', async () => {
  using folder = startFolder()
  const afterFile = folder.fileOf('cursor')
  writeFileSync(afterFile, 'abc\n')
  const followed = readFollowed('subscription { chainHeads { height } }')
  const { output } = createOutput()
  const signal = new AbortController().signal
  const options = { client: balancesOf(), followed, variables: {}, afterFile, output, log: () => {}, signal }
  await expect(stream(options)).rejects.toThrow(`${afterFile} is not the --after-file of a stream of states`)
})
