import { type FeedOptions, Feeds } from '../../../src/engine/watch/feeds.ts'
import type { KeyedSource, ListOffset, NewRecords } from '../../../src/engine/watch/keyedSource.ts'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { collect, second } from './stateWorld.ts'

export interface Tx {
  readonly number: bigint
}

type Source = KeyedSource<Tx, Tx>

const topic = defineTopic<Tx>('blocks of one transaction')

/** The records from one number to another. */
export const recordsOf = (first: bigint, last: bigint): { number: bigint; record: Tx }[] =>
  Array.from({ length: Math.max(0, Number(last - first) + 1) }, (_, index) => {
    const number = first + BigInt(index)
    return { number, record: { number } }
  })

/**
 * A feed of a list that a test lets grow: 500 records at first, each the only one of its head and all of one key.
 * What is set in `answers` replaces the answer to a request.
 */
export function keyedWorld(options: FeedOptions & { readonly lateAfterMs?: number } = {}) {
  const { lateAfterMs = 60 * second, ...rest } = options
  const clock = fakeClock()
  const stuck: unknown[] = []
  const onStuck = (list: string, error: unknown) => stuck.push([list, error])
  const feeds = new Feeds({ clock, random: () => 0.5, windowSize: 1_000, onStuck, ...rest })
  const list = { size: 500n, head: 500n, emptyTo: 0n, polls: 0, reads: [] as number[] }
  const answers: {
    poll?: () => Promise<never>
    newest?: () => Promise<bigint>
    after?: (number: bigint) => Promise<NewRecords<Tx>>
    history?: Source['history']
    keysOf?: Source['keysOf']
  } = {}
  const source: Source = {
    key: 'list',
    heads: {
      ...{ topic, key: 'list', upstream: {} },
      async head() {
        list.polls += 1
        if (answers.poll) return answers.poll()
        return { position: list.head, records: [{ number: list.head }] }
      },
      range: async () => [],
      rangeSize: 10,
      positionOf: ({ number }) => number,
      intervalMs: second,
      fullPaceListeners: 5,
      lateAfterMs,
      isFatal: () => false,
      messages: { timeout: '', invalid: '' },
    },
    hasRecords: ({ number }) => number > list.emptyTo,
    headOf: ({ number }) => number,
    newest: async () => answers.newest?.() ?? list.size,
    async after(number) {
      list.reads.push(clock.now())
      return answers.after?.(number) ?? { records: recordsOf(number + 1n, list.size), isEnd: true }
    },
    keysOf: (record) => answers.keysOf?.(record) ?? new Set(['key']),
    history: async (...request) => answers.history?.(...request) ?? null,
    isFatal: (error) => error instanceof RangeError,
    timeoutMessage: '',
  }
  /** What a listener gets after a number of the list, or from now on: numbers, and the kinds of other events. */
  const listen = (number?: bigint, skip = 0) => {
    const after = new Map<string, ListOffset>(number === undefined ? [] : [['list', { number, skip }]])
    const events = feeds.follow([source], { key: 'key', after })
    const result = collect(events, ({ event }) => (event.kind === 'record' ? Number(event.record.number) : event.kind))
    return { ...result, result, leave: () => events.return?.() }
  }
  return {
    ...{ clock, feeds, list, answers, source, stuck, listen },
    listenAll: () => Array.from({ length: 5 }, () => listen()),
    grow(by = 1n) {
      list.size += by
      list.head += by
    },
    /** The reads of the list, and the polls of its heads, within that time. */
    async sentIn(milliseconds: number) {
      const [reads, polls] = [list.reads.length, list.polls]
      await clock.advance(milliseconds)
      return { reads: list.reads.length - reads, polls: list.polls - polls }
    },
  }
}

/** The numbers from one to another. */
export const numbers = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
