import { expect, test } from 'vitest'
import type { Sink } from '../src/transport.ts'
import { event, eventsOf, liveOver, refusal, rule } from './support/standIn.ts'

const lost = (sink: Sink) => sink.end({ kind: 'lost' })
const sent =
  (...events: object[]) =>
  (sink: Sink) => {
    for (const item of events) sink.next(item)
    lost(sink)
  }
const stop = (sink: Sink) => sink.next({ errors: [{ message: 'no', extensions: { code: 'UNAUTHENTICATED' } }] })

test('each connection resumes after the last event', async () => {
  const { live, asked } = liveOver([sent(event(1), event(2)), lost, sent(event(3)), stop])
  expect((await eventsOf(live)).slice(0, 3)).toEqual(['1', '2', '3'])
  expect(asked.slice(0, 4)).toEqual([undefined, '2', '2', '3'])
})

test('repeated events are yielded once', async () => {
  const { live } = liveOver([sent(event(1)), sent(event(1), event(2)), stop])
  expect((await eventsOf(live)).slice(0, 2)).toEqual(['1', '2'])
})

test('a refused cursor gives a gap, and the stream continues from now', async () => {
  const { live, asked } = liveOver([
    sent(event(1)),
    (sink) => sink.next(refusal('BAD_USER_INPUT')),
    sent(event(9)),
    stop,
  ])
  expect((await eventsOf(live)).slice(0, 3)).toEqual(['1', 'gap BAD_USER_INPUT', '9'])
  expect(asked.slice(0, 4)).toEqual([undefined, '1', undefined, '9'])
})

test('a refused cursor from the variables is dropped', async () => {
  const { live, asked } = liveOver([(sink) => sink.next(refusal('BAD_USER_INPUT')), sent(event(9)), stop], {
    variables: { after: '1' },
  })
  expect((await eventsOf(live)).slice(0, 2)).toEqual(['gap BAD_USER_INPUT', '9'])
  expect(asked.slice(0, 3)).toEqual(['1', undefined, '9'])
})

test('a GAP notice gives a gap, and its cursor is used', async () => {
  const { live, asked } = liveOver([sent(event(1), event(7, 'GAP')), stop])
  expect((await eventsOf(live)).slice(0, 2)).toEqual(['1', 'gap GAP'])
  expect(asked[1]).toBe('7')
})

test('other notices are yielded, and the status is behind until the next record', async () => {
  const statuses: string[] = []
  const { live } = liveOver([
    async (sink) => {
      await Promise.resolve()
      sink.next(event(1, 'LATE'))
      sink.next(event(2))
      sink.end({ kind: 'lost' })
    },
    stop,
  ])
  live.onStatus((status) => statuses.push(status))
  expect(await eventsOf(live)).toEqual(['notice', '2', 'error UNAUTHENTICATED'])
  expect(statuses).toEqual(['behind', 'live', 'offline', 'live', 'ended'])
})

test('a fault at one cursor is retried, and the third one drops the cursor', async () => {
  const fault = (sink: Sink) => sink.next(refusal('INTERNAL_SERVER_ERROR'))
  const { live, asked } = liveOver([sent(event(1)), fault, fault, fault, sent(event(5)), stop])
  expect((await eventsOf(live)).slice(0, 3)).toEqual(['1', 'gap CURSOR_STUCK', '5'])
  expect(asked.slice(0, 6)).toEqual([undefined, '1', '1', '1', undefined, '5'])
})

test('a fault without a cursor ends the stream after three attempts', async () => {
  const { live, asked } = liveOver([(sink) => sink.next(refusal('INTERNAL_SERVER_ERROR'))])
  expect((await eventsOf(live)).at(-1)).toBe('error INTERNAL_SERVER_ERROR')
  expect(asked).toHaveLength(3)
})

test.each(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'RATE_LIMITED'])('%s never drops a cursor', async (code) => {
  const busy = (sink: Sink) => sink.next(refusal(code))
  const { live, asked } = liveOver([sent(event(1)), busy, busy, busy, busy, sent(event(2)), stop])
  expect((await eventsOf(live)).slice(0, 2)).toEqual(['1', '2'])
  expect(asked.slice(1, 6)).toEqual(['1', '1', '1', '1', '1'])
})

test('an invalid API key ends the stream at once', async () => {
  const { live, asked } = liveOver([stop])
  expect(await eventsOf(live)).toEqual(['error UNAUTHENTICATED'])
  expect(asked).toHaveLength(1)
})

test('a reconnect without a cursor gives a gap', async () => {
  const { live } = liveOver([sent(event(1)), sent(event(2)), stop], { rule: undefined })
  expect((await eventsOf(live)).slice(0, 3)).toEqual(['1', 'gap NO_CURSOR', '2'])
})

test('a subscription that starts with the current state has no gap', async () => {
  const { live } = liveOver([sent(event(1)), sent(event(1)), stop], { rule: {} })
  expect((await eventsOf(live)).slice(0, 2)).toEqual(['1', '1'])
})

test('a connection lost before the first cursor gives a gap', async () => {
  const { live } = liveOver([lost, sent(event(4)), stop])
  expect((await eventsOf(live)).slice(0, 2)).toEqual(['gap NO_CURSOR', '4'])
})

test('a completed stream with cursors reconnects, and ends if it stays empty', async () => {
  const over = (sink: Sink) => sink.end({ kind: 'complete' })
  const { live, asked } = liveOver([
    (sink) => {
      sink.next(event(1))
      over(sink)
    },
    over,
  ])
  expect(await eventsOf(live)).toEqual(['1', 'end'])
  expect(asked).toEqual([undefined, '1', '1', '1'])
})

test('a stream without cursors ends when completed', async () => {
  const { live, asked } = liveOver([(sink) => sink.end({ kind: 'complete' })], { rule: {} })
  expect(await eventsOf(live)).toEqual(['end'])
  expect(asked).toHaveLength(1)
})

test('a rule whose cursor is not in the event is an error', async () => {
  const { live } = liveOver([sent(event(1))], { rule: { cursor: 'n.place', variable: 'after' } })
  expect(await eventsOf(live)).toEqual(['error NO_CURSOR'])
})

test('a slow reader gets all events, and the buffer is bounded', async () => {
  const total = 2_500
  const { live, asked } = liveOver([
    (sink, after) => {
      const first = Number(after ?? 0) + 1
      for (let n = first; n <= total; n++) sink.next(event(n))
      if (first > total) sink.next(refusal('UNAUTHENTICATED'))
      else lost(sink)
    },
  ])
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toHaveLength(1)
  const words = await eventsOf(live)
  expect(words.slice(0, total)).toEqual(Array.from({ length: total }, (_, n) => String(n + 1)))
})

test('`cursor` is that of the last event read', async () => {
  const { live } = liveOver([sent(event(1), event(2))], { from: '0' })
  expect(live.cursor).toBe('0')
  await live.next()
  expect(live.cursor).toBe('1')
  await live.return()
  expect(live.status).toBe('ended')
  expect(await live.next()).toEqual({ value: undefined, done: true })
})

test('an abort ends the stream while a reader waits', async () => {
  const abort = new AbortController()
  const { live } = liveOver([() => {}], { signal: abort.signal, rule })
  const next = live.next()
  abort.abort()
  expect(await next).toEqual({ value: undefined, done: true })
})
