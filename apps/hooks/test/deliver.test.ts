import { expect, test } from 'vitest'
import { type Attempts, deliver } from '../src/deliver.ts'
import { type Message, type PostAnswer, PostRefusal } from '../src/post/post.ts'
import { systemIo } from '../src/systemIo.ts'
import { createIo, start } from './support/clock.ts'
import { toHook } from './support/hook.ts'

const hook = toHook({ url: 'https://hooks.example/secret-path' })
const node = { id: 'a', timestamp: '2026-11-21T11:00:00.5Z' }
const record = { id: 'evt_1', type: 'activity.record', cursor: 'c1', data: { node } }

/** Delivers to a receiver with these answers, of which the last one stays. */
async function run(answers: readonly (PostAnswer | Error)[], random = () => 0, attempts?: Attempts) {
  const test = createIo(() => {}, random)
  const sent: { at: number; body: unknown; headers: Readonly<Record<string, string>> }[] = []
  const kept: Attempts[] = []
  const post = async ({ body, headers }: Message) => {
    sent.push({ at: (test.io.now() - start) / 1_000, body: JSON.parse(body), headers })
    const answer = answers[Math.min(sent.length, answers.length) - 1]
    if (answer instanceof Error || !answer) throw answer
    return answer
  }
  const keep = async (failed: Attempts) => void kept.push(failed)
  const delivered = await deliver(hook, record, { io: test.io, post }, { attempts, keep })
  return { ...test, delivered, sent, kept }
}

const status = (code: number, retryAfter?: string): PostAnswer => ({ status: code, retryAfter })
const hour = 3_600

test('a message has the event with its type, time and cursor, and its id as a header', async () => {
  const { sent, delivered } = await run([status(200)])
  expect(delivered).toEqual({ kind: 'delivered' })
  expect(sent[0]?.body).toEqual({
    ...{ type: 'activity.record', timestamp: '2026-11-21T11:00:00.5Z', cursor: 'c1', data: { node } },
  })
  expect(sent[0]?.headers).toMatchObject({ 'webhook-id': 'evt_1', 'webhook-timestamp': String(start / 1_000) })
})

test('it is tried for a day, and then refused with the last reason', async () => {
  const { sent, delivered } = await run([status(500)])
  const hours = [2, 5, 10, 14, 20, 24].map((each) => each * hour)
  expect(sent.map(({ at }) => at)).toEqual([0, 5, 300, 1_800, ...hours])
  expect(delivered).toEqual({ kind: 'refused', reason: 'status 500' })
  expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['evt_1']))
  expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

test('each attempt is late by up to a tenth, and its signature has its own time', async () => {
  const { sent } = await run([status(500), status(500), status(200)], () => 0.5)
  expect(sent.map(({ at }) => at)).toEqual([0, 5.25, 315])
  expect(sent.map(({ headers }) => Number(headers['webhook-timestamp']) - start / 1_000)).toEqual([0, 5, 315])
})

const day = 24 * hour
const dateIn = (seconds: number) => new Date(start + 1_000 * seconds).toUTCString()

test.each([
  ['60', 60],
  [dateIn(90), 90],
  // A wait that is shorter than the usual one does not shorten it.
  ['1', 5],
  [dateIn(1), 5],
  [dateIn(-3_600), 5],
  // Nobody makes a hook wait for longer than a day.
  [String(day), day],
  [String(day + 1), day],
  ['2592000', day],
  ['9'.repeat(400), day],
  ['Fri, 31 Dec 2099 23:59:59 GMT', day],
  // Anything else says nothing.
  ['soon', 5],
  ['-7', 5],
  ['1e9', 5],
  ['0x7f', 5],
  ['', 5],
])('Retry-After: %s is the next attempt after %i seconds', async (header, seconds) => {
  const { sent } = await run([status(503, header), status(200)])
  expect(sent.map(({ at }) => at)).toEqual([0, seconds])
})

test('with a real timer, a receiver that asks for a month gets no second attempt at once', async () => {
  const io = systemIo()
  const stop = new AbortController()
  let attempts = 0
  const post = async () => {
    attempts += 1
    return status(503, '2592000')
  }
  let onFailed = () => {}
  const failed = new Promise<void>((resolve) => {
    onFailed = resolve
  })
  const keep = async () => onFailed()
  const own = { ...io, log: () => {}, signal: stop.signal, wait: (ms: number) => io.wait(ms, stop.signal) }
  const delivered = deliver(hook, record, { io: own, post }, { keep })
  await failed
  // A timer that is too long for Node would run before this one.
  await new Promise((resolve) => setTimeout(resolve, 50))
  stop.abort()
  expect(await delivered).toEqual({ kind: 'stopped' })
  expect(attempts).toBe(1)
})

test('a program that starts again goes on with the next attempt, and waits as long as the receiver asked for', async () => {
  const before = { id: 'evt_1', count: 2, nextAt: start + 600_000, reason: 'status 503' }
  const { sent, kept, lines } = await run([status(500), status(200)], () => 0, before)
  expect(lines[0]).toBe('treasury: waits until 2026-11-21T12:10:00.000Z, since attempt 2 failed: status 503')
  expect(sent.map(({ at }) => at)).toEqual([600, 2_100])
  expect(kept).toEqual([{ id: 'evt_1', count: 3, nextAt: start + 2_100_000, reason: 'status 500' }])
  // After its last attempt, it is refused without another one.
  const last = await run([status(200)], () => 0, { ...before, count: 10 })
  expect(last).toMatchObject({ sent: [], delivered: { kind: 'refused', reason: 'status 503' } })
})

test('after a long wait, the attempts that would have been due meanwhile are not made up for at once', async () => {
  const { sent } = await run([status(503, String(day)), status(500), status(500), status(200)])
  expect(sent.map(({ at }) => at)).toEqual([0, day, day + 295, day + 1_795])
})

test('a wait holds for another event too, and a clock that was set back makes none longer than a day', async () => {
  const before = { id: 'evt_0', count: 9, nextAt: start + 60_000, reason: 'status 429' }
  const other = await run([status(500), status(200)], () => 0, before)
  expect(other.sent.map(({ at }) => at)).toEqual([60, 65])
  const { sent } = await run([status(200)], () => 0, { ...before, id: 'evt_1', count: 1, nextAt: start + 9e9 })
  expect(sent.map(({ at }) => at)).toEqual([day])
})

test.each([301, 308, 400, 404, 413, 502])('status %i is no success', async (code) => {
  const { sent, delivered } = await run([status(code), status(299)])
  expect(sent).toHaveLength(2)
  expect(delivered).toEqual({ kind: 'delivered' })
})

test('410 ends it at once', async () => {
  const { sent, delivered } = await run([status(410)])
  expect(sent).toHaveLength(1)
  expect(delivered).toEqual({ kind: 'refused', reason: 'status 410' })
})

test('the log has no URL, secret or answer', async () => {
  const error = Object.assign(new Error('connect https://hooks.example/secret-path'), { code: 'ECONNREFUSED' })
  const refusal = new PostRefusal('its host was not found')
  const { lines } = await run([
    error,
    new Error('https://hooks.example/secret-path'),
    refusal,
    status(500),
    status(200),
  ])
  expect(lines).toEqual([
    'treasury: attempt 1 failed: no answer (ECONNREFUSED)',
    'treasury: attempt 2 failed: no answer (unknown fault)',
    'treasury: attempt 3 failed: its host was not found',
    'treasury: attempt 4 failed: status 500',
  ])
})

test('an answer has twenty seconds', async () => {
  const { io, advance } = createIo()
  let attempts = 0
  const post = ({ signal }: Message) =>
    new Promise<PostAnswer>((resolve, reject) => {
      attempts += 1
      if (attempts > 1) return resolve(status(200))
      signal.addEventListener('abort', () => reject(new Error('aborted')))
      advance(19_999)
      expect(signal.aborted).toBe(false)
      advance(1)
    })
  const delivered = await deliver(hook, record, { io, post }, { keep: async () => {} })
  expect(delivered).toEqual({ kind: 'delivered' })
  expect(attempts).toBe(2)
})

test('when the hooks should stop, an attempt is given up', async () => {
  const { io, stop } = createIo()
  const post = ({ signal }: Message) =>
    new Promise<PostAnswer>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
      stop()
    })
  const delivered = await deliver(hook, record, { io, post }, { keep: async () => {} })
  expect(delivered).toEqual({ kind: 'stopped' })
})
