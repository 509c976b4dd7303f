import { expect, test } from 'vitest'
import { deliver } from '../src/deliver.ts'
import type { PostAnswer } from '../src/post/post.ts'
import { createIo, start } from './support/clock.ts'
import { toHook } from './support/hook.ts'

const hook = toHook({ url: 'https://hooks.example/secret-path' })
const node = { id: 'a', timestamp: '2026-11-21T11:00:00.5Z' }
const record = { id: 'evt_1', type: 'activity.record', cursor: 'c1', data: { node } }

/** Delivers to a receiver with these answers, of which the last one stays. */
async function run(answers: readonly (PostAnswer | Error)[], random = () => 0) {
  const test = createIo(() => {}, random)
  const sent: { at: number; body: unknown; headers: Readonly<Record<string, string>> }[] = []
  const delivered = await deliver(hook, record, {
    io: test.io,
    async post({ body, headers }) {
      sent.push({ at: (test.io.now() - start) / 1_000, body: JSON.parse(body), headers })
      const answer = answers[Math.min(sent.length, answers.length) - 1]
      if (answer instanceof Error || !answer) throw answer
      return answer
    },
  })
  return { ...test, delivered, sent }
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

test('Retry-After is kept to', async () => {
  const { sent } = await run([status(429, '60'), status(503, 'Fri, 31 Dec 2027 23:59:59 GMT'), status(200)])
  expect(sent.map(({ at }) => at)).toEqual([0, 60, 300])
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
  const { lines } = await run([error, new Error('https://hooks.example/secret-path'), status(500), status(200)])
  expect(lines).toEqual([
    'treasury: attempt 1 failed: no answer (ECONNREFUSED)',
    'treasury: attempt 2 failed: no answer (not allowed)',
    'treasury: attempt 3 failed: status 500',
  ])
})

test('an answer has twenty seconds', async () => {
  const { io, advance } = createIo()
  let attempts = 0
  const delivered = await deliver(hook, record, {
    io,
    post: ({ signal }) =>
      new Promise((resolve, reject) => {
        attempts += 1
        if (attempts > 1) return resolve(status(200))
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        advance(19_999)
        expect(signal.aborted).toBe(false)
        advance(1)
      }),
  })
  expect(delivered).toEqual({ kind: 'delivered' })
  expect(attempts).toBe(2)
})

test('when the hooks should stop, an attempt is given up', async () => {
  const { io, stop } = createIo()
  const delivered = await deliver(hook, record, {
    io,
    post: ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        stop()
      }),
  })
  expect(delivered).toEqual({ kind: 'stopped' })
})
