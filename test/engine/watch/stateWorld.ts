import { expect } from 'vitest'
import { UpstreamHttpError } from '../../../src/engine/upstream/upstreamError.ts'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import { Poller, type PollerOptions } from '../../../src/engine/watch/poller.ts'
import type { StateSource } from '../../../src/engine/watch/stateSource.ts'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import type { Signal } from '../../../src/kit/clock/signal.ts'
import { fakeClock } from '../../support/fakeClock.ts'

export const second = 1_000
export const minute = 60 * second

export const numbers = defineTopic<number>('numbers')

/** What a poll is answered: a state, that there is none, an error, or nothing ever. */
export type StateAnswer = number | null | Error | 'hangs'

/** The answers one after another, of which the last one stays; or the answer to that poll. */
export type StateAnswers =
  | readonly StateAnswer[]
  | ((turn: number, signal: Signal) => StateAnswer | Promise<number | null>)

/** An answer of a router with that status, which asks for so many milliseconds of pause. */
export const fault = (status: number, retryAfterMs?: number): UpstreamHttpError =>
  new UpstreamHttpError('router', status, 'no', retryAfterMs)

/** Milliseconds from each of these times to the next one. */
export const gapsOf = (times: readonly number[]): number[] =>
  times.slice(1).map((at, index) => at - (times[index] ?? 0))

/** Fails unless the number is within these bounds. */
export function expectWithin(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least)
  expect(value).toBeLessThanOrEqual(most)
}

/** What an iterator yields until it ends, and how it ended. */
export function collect<T, R = T>(
  iterator: AsyncIterableIterator<T>,
  format: (value: T) => R = (value) => value as never,
): { readonly seen: R[]; end: unknown } {
  const result: { seen: R[]; end: unknown } = { seen: [], end: undefined }
  const run = async () => {
    for await (const value of iterator) result.seen.push(format(value))
    result.end = 'completed'
  }
  run().catch((error: unknown) => {
    result.end = error
  })
  return result
}

/** Polls of numbers that grow until 100, which is settled. 101 is final only; from 110 on, it is irreversible too. */
export function stateWorld(options: Partial<PollerOptions> = {}) {
  const clock = fakeClock()
  const poller = new Poller({
    ...{ cache: new CacheStore(clock), random: () => 0.5, clock, maxUnavailableMs: 10 * minute },
    ...options,
  })
  const sent: { readonly key: string; readonly at: number }[] = []
  const target = (answers: StateAnswers, more: Partial<StateSource<number>> = {}): StateSource<number> => {
    const key = more.key ?? 'key'
    let turn = 0
    const answer = (signal: Signal) =>
      typeof answers === 'function' ? answers(turn, signal) : answers[Math.min(turn, answers.length) - 1]
    return {
      ...{ topic: numbers, key },
      fetch: async (signal) => {
        sent.push({ key, at: clock.now() })
        turn += 1
        const answered = await answer(signal)
        if (answered instanceof Error) throw answered
        return answered === 'hangs' ? new Promise<never>(() => {}) : (answered ?? null)
      },
      equals: (before, now) => before === now,
      isStale: (before, now) => now < before,
      isFinal: (state) => state >= 100,
      isIrreversible: (state) => state === 100 || state >= 110,
      isSettled: (state) => state === 100,
      isFatal: (error) => error instanceof UpstreamHttpError && error.status === 400,
      messages: {
        timeout: 'The request timed out.',
        notFound: 'There is no such number.',
        stillPending: (deadlineMs) => `Pending after ${deadlineMs} ms.`,
      },
      ...more,
    }
  }
  /** Watches a target that is answered so. */
  const watch = (answers: StateAnswers, more?: Partial<StateSource<number>>) =>
    collect(poller.watch(target(answers, more)))
  /** How many polls are sent within that time. */
  const pollsIn = async (milliseconds: number) => {
    const before = sent.length
    await clock.advance(milliseconds)
    return sent.length - before
  }
  return { clock, poller, sent, target, watch, pollsIn }
}
