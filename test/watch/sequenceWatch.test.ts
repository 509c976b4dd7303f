import { expect, test } from 'vitest'
import { createMemoryCacheStore } from '../../src/kit/cache/cache.ts'
import type { PeerObservation } from '../../src/watch/peers.ts'
import { createRequests } from '../../src/watch/requests.ts'
import type { SequenceTop } from '../../src/watch/sequenceSource.ts'
import { openSequenceWatch } from '../../src/watch/sequenceWatch.ts'
import { defineTopic } from '../../src/watch/topic.ts'
import { fakeClock } from '../support/fakeClock.ts'

const second = 1_000

interface Block {
  readonly height: bigint
}

const topic = defineTopic<Block>('blocks')
const listener = { wake: () => {}, abort: () => {} }

/** A channel whose head is polled each second for five listeners, and each five seconds for one. */
function openChannel() {
  const clock = fakeClock()
  let timers = 0
  const counting: typeof clock = {
    ...clock,
    after(milliseconds, run) {
      timers += 1
      let isOver = false
      const end = () => {
        if (!isOver) timers -= 1
        isOver = true
      }
      const cancel = clock.after(milliseconds, () => {
        end()
        run()
      })
      return () => {
        end()
        cancel()
      }
    },
  }
  const state = {
    head: 10n,
    polls: 0,
    /** How old what others have read may be for the last poll. */
    maxAgeMs: undefined as number | undefined,
    isFollowed: false,
    fault: undefined as Error | undefined,
    /** Set to have polls wait. */
    held: undefined as Promise<void> | undefined,
    see: (_sight: PeerObservation<SequenceTop<Block>>) => {},
  }
  const channel = openSequenceWatch<Block>(
    {
      topic,
      key: 'chain-1',
      upstream: {},
      async head(_signal, look) {
        state.polls += 1
        state.maxAgeMs = look?.maxAgeMs
        await state.held
        if (state.fault) throw state.fault
        return { position: state.head }
      },
      range: async () => [],
      rangeSize: 10,
      positionOf: ({ height }) => height,
      intervalMs: second,
      fullPaceListeners: 5,
      lateAfterMs: 30 * second,
      isFatal: (error) => error instanceof RangeError,
      messages: { timeout: '', invalid: '' },
      follow(see) {
        state.see = see
        state.isFollowed = true
        return () => {
          state.isFollowed = false
        }
      },
    },
    {
      requests: createRequests({
        clock: counting,
        random: () => 0.5,
        maxUnavailableMs: 60 * second,
      }),
      missingSince: createMemoryCacheStore(clock).open({ name: 'missing', maxEntries: 10 }),
      ...{ maxGapMs: 15 * second, windowSize: 10, onStuck: () => {}, onStop: () => {} },
    },
  )
  /** How many polls there are within that time. */
  const pollsIn = async (milliseconds: number) => {
    const before = state.polls
    await clock.advance(milliseconds)
    return state.polls - before
  }
  return { clock, state, channel, pollsIn, timers: () => timers }
}

test('a head that has stepped back is polled at the interval of the source, however few listen', async () => {
  const { clock, state, channel, pollsIn } = openChannel()
  channel.join(listener)
  await clock.advance(0)
  expect(await pollsIn(10 * second)).toBe(2)
  state.head = 8n
  await clock.advance(5 * second)
  expect(await pollsIn(5 * second)).toBe(5)
  state.head = 11n
  await clock.advance(second)
  expect(await pollsIn(10 * second)).toBe(2)
})

test('the head is not polled for listeners that count for nothing, and no timer is left', async () => {
  const { clock, channel, pollsIn, timers } = openChannel()
  const leave = channel.join(listener)
  const leaveOther = channel.join({ ...listener }, 0)
  await clock.advance(0)
  leave()
  expect(timers()).toBe(0)
  expect(await pollsIn(20 * second)).toBe(0)
  channel.join({ ...listener })
  expect(await pollsIn(0)).toBe(1)
  leaveOther()
})

test('the last listener takes the timers with it, and one that leaves twice only itself', async () => {
  const { clock, state, channel, pollsIn, timers } = openChannel()
  const leave = channel.join(listener)
  const leaveOther = channel.join({ ...listener })
  await clock.advance(0)
  leave()
  leave()
  expect(await pollsIn(5 * second)).toBe(1)
  // What others have read since the last poll will do.
  expect([state.isFollowed, state.maxAgeMs]).toEqual([true, 3_500])
  leaveOther()
  expect([state.isFollowed, timers()]).toEqual([false, 0])
})

test('nobody who comes after a pause is told that the head is late, or that it was not seen', async () => {
  const { clock, state, channel } = openChannel()
  const leave = channel.join(listener)
  channel.join({ ...listener }, 0)
  await clock.advance(0)
  leave()
  await clock.advance(100 * second)
  state.fault = new Error('down')
  channel.join({ ...listener })
  await clock.advance(0)
  expect(channel.isLate()).toBe(false)
  expect(channel.head()?.position).toBe(10n)
  await clock.advance(29 * second)
  expect(channel.isLate()).toBe(false)
  await clock.advance(second)
  expect(channel.isLate()).toBe(true)
})

test('one poll is under way at a time, whoever comes and leaves meanwhile', async () => {
  const { clock, state, channel, pollsIn } = openChannel()
  let release = () => {}
  state.held = new Promise((resolve) => {
    release = resolve
  })
  const leave = channel.join(listener)
  channel.join({ ...listener }, 0)
  await clock.advance(0)
  leave()
  channel.join({ ...listener })
  // What others see meanwhile starts none either.
  state.see({ ageMs: 0, value: { position: 11n } })
  state.see({ ageMs: 0, error: new Error('down') })
  expect(await pollsIn(3 * second)).toBe(0)
  release()
  await clock.advance(0)
  expect(channel.head()).toMatchObject({ position: 10n })
})

test('the next poll comes sooner for who cannot wait', async () => {
  const { clock, channel, pollsIn } = openChannel()
  channel.join(listener)
  await clock.advance(500)
  channel.join({ ...listener }, 5)
  expect(await pollsIn(500)).toBe(1)
  expect(await pollsIn(5 * second)).toBe(5)
})

test('a head that another gateway has seen is as good as an own poll', async () => {
  const { clock, state, channel, pollsIn } = openChannel()
  channel.join(listener, 5)
  await clock.advance(0)
  // It looks next, by the time of its poll, and this gateway some time later.
  for (let time = 0; time < 5; time += 1) {
    await clock.advance(900)
    state.see({ ageMs: 200, value: { position: 20n + BigInt(time) } })
  }
  expect([state.polls, channel.head()?.position]).toEqual([1, 24n])
  expect(await pollsIn(1_425 - 200 - 1)).toBe(0)
  expect(await pollsIn(1)).toBe(1)
  // A 404 of another gateway shows nothing.
  state.see({ ageMs: 0, value: null })
  expect(channel.head()?.position).toBe(10n)
})

test('a fault that another gateway has seen delays the next poll, and a fatal one is left to it', async () => {
  const { clock, state, channel, pollsIn } = openChannel()
  channel.join(listener, 5)
  await clock.advance(900)
  state.see({ ageMs: 0, error: new Error('down') })
  // After a first fault the other one waits for half a second.
  expect(await pollsIn(712)).toBe(0)
  expect(await pollsIn(1)).toBe(1)
  await clock.advance(900)
  state.see({ ageMs: 0, error: new RangeError('gone') })
  expect(await pollsIn(100)).toBe(1)
})
