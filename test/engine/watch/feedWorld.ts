import { type FeedOptions, Feeds } from '../../../src/engine/watch/feeds.ts'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import type { Ranged, RecordEvent, SequenceSource } from '../../../src/engine/watch/sequenceSource.ts'
import type { Signal } from '../../../src/kit/clock/signal.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { collect, fault, minute, second } from './stateWorld.ts'

export interface Block {
  readonly height: bigint
}

const blocks = defineTopic<Block>('blocks')
const rangeSize = 10

/** An event as text: the height of a record, or what is told of others. */
export const textOf = (event: RecordEvent<Block>): string =>
  event.kind === 'record'
    ? `${event.record.height}`
    : event.kind === 'missing'
      ? `missing ${event.first}-${event.position}`
      : `${event.kind} at ${event.position}, head ${event.head}`

/** A feed of a chain whose head and missing blocks a test sets. */
export function feedWorld(options: FeedOptions = {}) {
  const clock = fakeClock()
  const feeds = new Feeds({ random: () => 0.5, maxUnavailableMs: 10 * minute, ...options, clock })
  const chain = {
    head: 0n,
    missing: new Set<bigint>(),
    /** Set to replace the answer to a request. */
    onHead: undefined as ((signal: Signal) => Promise<bigint>) | undefined,
    onRange: undefined as ((from: bigint, to: bigint, signal: Signal) => Promise<Ranged<Block>[]>) | undefined,
    /** The records that come with the head. */
    withHead: (_head: bigint): Block[] => [],
    /** When the head was polled, and the heights of each range that was requested. */
    polls: [] as number[],
    ranges: [] as string[][],
    read: (from: bigint, to: bigint): Block[] =>
      Array.from({ length: Number(to - from) + 1 }, (_, index) => ({
        height: from + BigInt(index),
      })).filter(({ height }) => height <= chain.head && !chain.missing.has(height)),
  }
  const source: SequenceSource<Block> = {
    topic: blocks,
    key: 'chain-1',
    upstream: chain,
    head: async (signal) => {
      chain.polls.push(clock.now())
      const position = chain.onHead ? await chain.onHead(signal) : chain.head
      return { position, records: chain.withHead(position) }
    },
    range: async (from, to, signal) => {
      chain.ranges.push(texts(Number(from), Number(to)))
      // An upstream refuses a range that is larger than its page.
      if (to - from >= rangeSize) throw fault(400)
      return chain.onRange ? chain.onRange(from, to, signal) : chain.read(from, to)
    },
    rangeSize,
    positionOf: ({ height }) => height,
    intervalMs: second,
    lateAfterMs: 30 * second,
    isFatal: (error) => error instanceof Error && 'status' in error && error.status === 400,
    messages: { timeout: 'The request timed out.', invalid: 'The response is out of order.' },
  }
  return {
    ...{ clock, feeds, chain, source },
    /** What a listener gets, as text: after that height, or after the head. */
    listen: (after?: bigint, more: object = {}) => collect(feeds.listen(source, { after, ...more }), textOf),
    /** The heads that a listener of heads gets. */
    heads: (more: Partial<SequenceSource<Block>> = {}) =>
      collect(feeds.heads({ ...source, ...more }), ({ position }) => Number(position)),
    /** Moves the head, and the time: by default so far that the head is polled, whatever the jitter. */
    async to(head: number, milliseconds = 2 * second) {
      chain.head = BigInt(head)
      await clock.advance(milliseconds)
    },
  }
}

/** An answer that fails, or never comes. */
export const failures: Readonly<Record<string, () => Promise<never>>> = {
  'an outage': () => Promise.reject(fault(503)),
  'an upstream that hangs': () => new Promise(() => {}),
  'an error of any kind': () => Promise.reject(new TypeError('x')),
}

/** The numbers from one to another, as text. */
export const texts = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`)
