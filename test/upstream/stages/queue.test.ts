import { expect, test } from 'vitest'
import { createSingleFlight } from '../../../src/kit/cache/singleFlight.ts'
import { typedKey } from '../../../src/kit/cache/typedKey.ts'
import { createSignal } from '../../../src/kit/clock/signal.ts'
import { FairQueue } from '../../../src/kit/queue/fairQueue.ts'
import type { Requester } from '../../../src/upstream/requester.ts'
import type { Call, EndCall, Result } from '../../../src/upstream/stages/call.ts'
import { createQueue } from '../../../src/upstream/stages/queue.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { callOf, recordEnds } from '../../support/upstreamCall.ts'

/** The stage with one slot, over a rest of the stages that waits for the test to end it. */
function setup(maxWaiting = 100) {
  const clock = fakeClock()
  const slots = new FairQueue({ slots: 1, maxWaiting })
  const waits: number[] = []
  const events = { onQueued: (_: string, seconds: number) => void waits.push(seconds) }
  const stage = createQueue({ service: 'evm-1', clock, slots, events })
  const flights = createSingleFlight<Requester>()
  const running: { target: string; client: string; end: () => void }[] = []
  const { ends, end } = recordEnds()
  const next = <T>(call: Call<T>, endCall: EndCall<T>) => {
    const { target } = call.request
    running.push({ target, client: call.client, end: () => endCall({ value: null }) })
  }
  /** Adds a caller of a target. Returns what makes it leave. */
  const join = (target: string, client = 'a') => {
    const signal = createSignal()
    const ignore = () => {}
    const caller = { member: { client }, signal, resolve: ignore, reject: ignore }
    flights.run(typedKey<Result<string>>(target), caller, (flight) =>
      stage(callOf(flight, { target }, caller.member), next, end),
    )
    return () => signal.abort(new Error('left'))
  }
  return { clock, slots, join, running, ends, waits }
}

test('a call holds its slot until it ends, and then the next call starts', async () => {
  const { clock, join, running, ends, slots, waits } = setup()
  join('/1')
  join('/2')
  await clock.advance(2_000)
  expect(running.map(({ target }) => target)).toEqual(['/1'])
  running[0]?.end()
  expect(running.map(({ target }) => target)).toEqual(['/1', '/2'])
  expect([ends, slots.active, waits]).toEqual([[{ value: null }], 1, [0, 2]])
})

test('the caller whose turn comes first starts a shared call, and the others wait no more', () => {
  const { join, running, slots } = setup()
  join('/slow', 'a')
  for (let n = 0; n < 6; n += 1) join(`/${n}`, 'a')
  join('/shared', 'a')
  join('/shared', 'b')
  expect(slots.waiting).toBe(8)
  running[0]?.end()
  running[1]?.end()
  // Client b has waited for one call of client a.
  expect(running[2]).toMatchObject({ target: '/shared', client: 'b' })
  expect(slots.waiting).toBe(5)
})

test('a caller that leaves keeps a shared call in the queue, and the last one ends it', () => {
  const { join, running, ends, slots } = setup()
  join('/slow')
  const [first, second] = [join('/shared', 'a'), join('/shared', 'b')]
  first()
  expect([slots.waiting, ends]).toEqual([1, []])
  second()
  expect([slots.waiting, ends]).toEqual([0, [undefined]])
  running[0]?.end()
  expect(running).toHaveLength(1)
})

test('a call is refused once the queue has dropped its last caller', () => {
  const { join, ends, slots } = setup(1)
  join('/slow')
  join('/waiting')
  join('/refused')
  expect(ends).toMatchObject([
    { isRefusal: true, error: { code: 'UPSTREAM_UNAVAILABLE', limit: 'queue' } },
  ])
  expect(slots.waiting).toBe(1)
})
