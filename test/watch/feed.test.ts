import { expect, test } from 'vitest'
import type { Signal } from '../../src/kit/clock/signal.ts'
import { GatewayError } from '../../src/upstream/error.ts'
import { UpstreamHttpError } from '../../src/upstream/upstreamError.ts'
import { createFeeds, type FeedOptions } from '../../src/watch/feed.ts'
import {
  type Ranged,
  type RecordEvent,
  type SequenceSource,
  UnreadableAt,
} from '../../src/watch/sequenceSource.ts'
import { defineTopic } from '../../src/watch/topic.ts'
import { fakeClock } from '../support/fakeClock.ts'

const second = 1_000
const minute = 60 * second

interface Block {
  readonly height: bigint
}

const blocks = defineTopic<Block>('blocks')

const fault = (status: number) => new UpstreamHttpError('chain-1', status, 'no')

/** A chain whose head and missing blocks a test sets. */
function createChain(key = 'chain-1') {
  const chain = {
    head: 0n,
    missing: new Set<bigint>(),
    /** Set to replace the response to a request. */
    onHead: undefined as ((signal: Signal) => Promise<bigint>) | undefined,
    onRange: undefined as
      | ((from: bigint, to: bigint, signal: Signal) => Promise<Ranged<Block>[]>)
      | undefined,
    /** The records that the response with the head has. */
    withHead: (_head: bigint): Block[] => [],
    headPolls: 0,
    ranges: [] as string[],
    read: (from: bigint, to: bigint): Block[] =>
      Array.from({ length: Number(to - from) + 1 }, (_, index) => ({
        height: from + BigInt(index),
      })).filter(({ height }) => height <= chain.head && !chain.missing.has(height)),
  }
  const source: SequenceSource<Block> = {
    topic: blocks,
    key,
    upstream: chain,
    head: async (signal) => {
      chain.headPolls += 1
      const position = chain.onHead ? await chain.onHead(signal) : chain.head
      return { position, records: chain.withHead(position) }
    },
    range: async (from, to, signal) => {
      chain.ranges.push(`${from}-${to}`)
      return chain.onRange ? chain.onRange(from, to, signal) : chain.read(from, to)
    },
    rangeSize: 10,
    positionOf: ({ height }) => height,
    intervalMs: second,
    lateAfterMs: 30 * second,
    isFatal: (error) => error instanceof UpstreamHttpError && error.status === 400,
    messages: {
      timeout: 'The request timed out.',
      invalid: 'The response is out of order.',
    },
  }
  return { chain, source }
}

function setup(options: FeedOptions = {}) {
  const clock = fakeClock()
  const feeds = createFeeds({ random: () => 0.5, ...options, clock })
  return { clock, feeds, ...createChain() }
}

const textOf = (event: RecordEvent<Block>): string =>
  event.kind === 'record'
    ? `${event.record.height}`
    : event.kind === 'missing'
      ? `missing ${event.first}-${event.position}`
      : `${event.kind} at ${event.position}, head ${event.head}`

/** What a listener gets, as text, until it ends, and how it ended. */
function collect<T>(iterator: AsyncIterableIterator<T>, format: (value: T) => string) {
  const result: { seen: string[]; end: unknown } = { seen: [], end: undefined }
  const run = async () => {
    for await (const value of iterator) result.seen.push(format(value))
    result.end = 'completed'
  }
  run().catch((error: unknown) => {
    result.end = error
  })
  return result
}

const recordsOf = ({ seen }: { seen: string[] }) => seen.filter((text) => /^\d+$/.test(text))

const settled = () => new Promise((done) => setImmediate(done))

test('a listener without a start gets the records after the head it finds, each once', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 5n
  const result = collect(feeds.listen(source), textOf)
  await clock.advance(second)
  expect([result.seen, chain.ranges]).toEqual([[], []])
  chain.head = 7n
  await clock.advance(3 * second)
  chain.head = 8n
  await clock.advance(3 * second)
  expect(result).toEqual({ seen: ['6', '7', '8'], end: undefined })
  expect(chain.ranges).toEqual(['6-7', '8-8'])
})

test('a listener with a start gets the history after it first, then what is new', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 23n
  const result = collect(feeds.listen(source, { after: 7n }), textOf)
  await clock.advance(0)
  expect(result.seen).toEqual(Array.from({ length: 16 }, (_, index) => `${8 + index}`))
  expect(chain.ranges).toEqual(['8-9', '10-19', '20-23'])
  chain.head = 24n
  await clock.advance(second)
  expect(result.seen.at(-1)).toBe('24')
})

test('a thousand listeners cost one poll an interval and one request for each new record', async () => {
  const { clock, feeds, chain, source } = setup()
  const results = Array.from({ length: 1_000 }, () => collect(feeds.listen(source), textOf))
  await clock.advance(0)
  for (let turn = 0; turn < 5; turn += 1) {
    chain.head += 1n
    await clock.advance(second)
  }
  expect([feeds.size, feeds.listeners, feeds.inFlight]).toEqual([1, 1_000, 0])
  expect(chain.headPolls).toBe(6)
  expect(chain.ranges).toEqual(['1-1', '2-2', '3-3', '4-4', '5-5'])
  for (const { seen } of results) expect(seen).toEqual(['1', '2', '3', '4', '5'])
})

test('listeners that start at different positions share the requests from the next range on', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 39n
  const results = [4n, 7n, 4n].map((after) => collect(feeds.listen(source, { after }), textOf))
  await clock.advance(0)
  expect(results.map(({ seen }) => seen.length)).toEqual([35, 32, 35])
  expect(chain.ranges).toEqual(['5-9', '8-9', '10-19', '20-29', '30-39'])
})

test('two topics and two keys are two feeds', async () => {
  const { clock, feeds, source } = setup()
  const sources = [
    source,
    { ...source, key: 'chain-2' },
    { ...source, topic: defineTopic<Block>('b') },
  ]
  for (const each of sources) collect(feeds.listen(each), textOf)
  await clock.advance(0)
  expect(feeds.size).toBe(3)
})

test('nothing is requested before a listener reads, nor after the last one leaves', async () => {
  const { clock, feeds, chain, source } = setup()
  const [first, other] = [feeds.listen(source), feeds.listen(source)]
  await clock.advance(minute)
  expect([feeds.size, chain.headPolls]).toEqual([0, 0])
  void first.next()
  void other.next()
  await clock.advance(0)
  await first.return?.()
  expect([feeds.size, feeds.listeners]).toEqual([1, 1])
  await other.return?.()
  await clock.advance(minute)
  expect([feeds.size, feeds.listeners, chain.headPolls]).toEqual([0, 0, 1])
})

test('requests in flight are aborted with the last listener that waits for them', async () => {
  const { clock, feeds, chain, source } = setup()
  const aborted: string[] = []
  const hang = (name: string) => (signal: Signal) => {
    signal.addEventListener('abort', () => aborted.push(name))
    return new Promise<never>(() => {})
  }
  chain.head = 5n
  chain.onRange = (_from, _to, signal) => hang('range')(signal)
  const iterators = [0n, 0n, 5n].map((after) => feeds.listen(source, { after }))
  for (const iterator of iterators) void iterator.next()
  await clock.advance(0)
  chain.onHead = hang('head')
  await clock.advance(second)
  await iterators[0]?.return?.()
  await settled()
  expect(aborted).toEqual([])
  await iterators[1]?.return?.()
  await settled()
  expect(aborted).toEqual(['range'])
  await iterators[2]?.return?.()
  await settled()
  expect(aborted).toEqual(['range', 'head'])
  expect(feeds.inFlight).toBe(0)
})

test('a slow listener delays no other, and loses nothing', async () => {
  const { clock, feeds, chain, source } = setup({ windowSize: 20 })
  const slow = feeds.listen(source, { after: 0n })
  const first = slow.next()
  const fast = collect(feeds.listen(source, { after: 0n }), textOf)
  for (let turn = 0; turn < 100; turn += 1) {
    chain.head += 1n
    await clock.advance(second)
  }
  expect(fast.seen).toHaveLength(100)
  const before = chain.ranges.length
  expect(textOf((await first).value)).toBe('1')
  const rest: string[] = []
  for (let turn = 0; turn < 99; turn += 1) rest.push(textOf((await slow.next()).value))
  expect(rest).toEqual(fast.seen.slice(1))
  // Up to 80 the records have left the window.
  expect(chain.ranges.slice(before)).toEqual([
    ...['2-9', '10-19', '20-29', '30-39', '40-49', '50-59', '60-69', '70-79', '80-89'],
    '90-99',
    '100-100',
  ])
})

test('a listener within the window is served without a request', async () => {
  const { clock, feeds, chain, source } = setup({ windowSize: 20 })
  chain.head = 39n
  collect(feeds.listen(source, { after: 0n }), textOf)
  await clock.advance(0)
  const before = chain.ranges.length
  const late = collect(feeds.listen(source, { after: 19n }), textOf)
  await settled()
  expect([late.seen.length, late.seen[0], chain.ranges.length]).toEqual([20, '20', before])
  collect(feeds.listen(source, { after: 18n }), textOf)
  await settled()
  expect(chain.ranges[before]).toBe('19-19')
})

const faults: Record<string, () => Promise<never>> = {
  'an outage': () => Promise.reject(fault(503)),
  'an upstream that hangs': () => new Promise(() => {}),
  'an error of any kind': () => Promise.reject(new TypeError('x')),
}

for (const [name, fail] of Object.entries(faults)) {
  test(`a listener survives ${name} of the head and of a range`, async () => {
    const { clock, feeds, chain, source } = setup()
    const result = collect(feeds.listen(source, { after: 0n }), textOf)
    chain.onHead = fail
    await clock.advance(9 * minute)
    expect(result).toEqual({ seen: [], end: undefined })
    chain.onHead = undefined
    chain.onRange = fail
    chain.head = 2n
    await clock.advance(9 * minute)
    expect(recordsOf(result)).toEqual([])
    chain.onRange = undefined
    await clock.advance(minute)
    expect(recordsOf(result)).toEqual(['1', '2'])
    expect(result.end).toBeUndefined()
  })

  for (const part of ['onHead', 'onRange'] as const) {
    test(`${name} that lasts ten minutes ends the listeners with the error (${part})`, async () => {
      const { clock, feeds, chain, source } = setup()
      chain.head = 2n
      chain[part] = fail
      const results = [0n, 0n].map((after) => collect(feeds.listen(source, { after }), textOf))
      await clock.advance(10 * minute - 1)
      expect(results.map(({ end }) => end)).toEqual([undefined, undefined])
      await clock.advance(minute)
      for (const { end } of results) expect(end).toBeInstanceOf(Error)
      expect([feeds.size, feeds.inFlight]).toEqual([0, 0])
      expect(part === 'onHead' ? chain.headPolls : chain.ranges.length).toBeLessThan(170)
    })
  }
}

for (const part of ['onHead', 'onRange'] as const) {
  test(`without time for faults, the first one ends the listeners (${part})`, async () => {
    const { clock, feeds, chain, source } = setup({ maxUnavailableMs: 0 })
    chain.head = 2n
    chain[part] = (): Promise<never> => Promise.reject(fault(503))
    const result = collect(feeds.listen(source, { after: 0n }), textOf)
    await clock.advance(0)
    expect(result.end).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  })

  test(`a feed waits as long as a rate limit asks for (${part})`, async () => {
    const { clock, feeds, chain, source } = setup()
    chain.head = 2n
    let requests = 0
    chain[part] = (): Promise<never> => {
      requests += 1
      return Promise.reject(new UpstreamHttpError('chain-1', 429, 'no', 7_000))
    }
    collect(feeds.listen(source, { after: 0n }), textOf)
    await clock.advance(6_999)
    expect(requests).toBe(1)
    await clock.advance(1)
    expect(requests).toBe(2)
  })

  test(`the retry delay grows with each fault in a row (${part})`, async () => {
    const { clock, feeds, chain, source } = setup()
    chain.head = 2n
    const times: number[] = []
    chain[part] = (): Promise<never> => {
      times.push(clock.now())
      return Promise.reject(fault(503))
    }
    collect(feeds.listen(source, { after: 0n }), textOf)
    await clock.advance(8 * second)
    expect(times).toEqual([0, 500, 1_500, 3_500, 5_500, 7_500])
  })
}

test('one good poll resets the retry delay of the head', async () => {
  const { clock, feeds, chain, source } = setup()
  const times: number[] = []
  chain.onHead = () => {
    times.push(clock.now())
    return times.length % 2 === 0 ? Promise.resolve(0n) : Promise.reject(fault(503))
  }
  collect(feeds.listen(source), textOf)
  await clock.advance(5 * second)
  expect(times).toEqual([0, 500, 1_500, 2_000, 3_000, 3_500, 4_500, 5_000])
})

test('without time for a gap, a missing record is told at once', async () => {
  const { clock, feeds, chain, source } = setup({ maxGapMs: 0 })
  chain.head = 2n
  chain.missing.add(1n)
  const result = collect(feeds.listen(source, { after: 0n }), textOf)
  await clock.advance(0)
  expect(result).toEqual({ seen: ['missing 1-1', '2'], end: undefined })
})

test('a request that takes too long has the timeout message of its source', async () => {
  const { clock, feeds, chain, source } = setup({ maxUnavailableMs: 0, timeoutMs: 5 * second })
  chain.onHead = () => new Promise(() => {})
  const result = collect(feeds.listen(source), textOf)
  await clock.advance(5 * second)
  expect(result.end).toEqual(new GatewayError('UPSTREAM_TIMEOUT', 'The request timed out.'))
})

for (const part of ['onHead', 'onRange'] as const) {
  test(`a fatal error ends the listeners at once (${part})`, async () => {
    const { clock, feeds, chain, source } = setup()
    chain.head = 2n
    chain[part] = (): Promise<never> => Promise.reject(fault(400))
    const result = collect(feeds.listen(source, { after: 0n }), textOf)
    await clock.advance(0)
    expect(result.end).toMatchObject({ code: 'UPSTREAM_REJECTED' })
    expect(feeds.size).toBe(0)
  })
}

test('records that stay missing are told, and what follows them is delivered', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 9n
  chain.missing = new Set([3n, 4n, 9n])
  const result = collect(feeds.listen(source, { after: 0n }), textOf)
  await clock.advance(15 * second - 1)
  expect(result).toEqual({ seen: ['1', '2'], end: undefined })
  await clock.advance(20 * second)
  expect(result.seen).toEqual(['1', '2', 'missing 3-4', '5', '6', '7', '8'])
  // Until there is a later record, the list may only be behind the head.
  chain.head = 10n
  chain.withHead = (head) => chain.read(head, head)
  await clock.advance(20 * second)
  expect(result.seen.slice(7)).toEqual(['missing 9-9', '10'])
  expect(result.end).toBeUndefined()
})

test('a gap does not delay the listeners that are past it', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 9n
  chain.missing.add(3n)
  collect(feeds.listen(source, { after: 0n }), textOf)
  const after = collect(feeds.listen(source, { after: 3n }), textOf)
  await clock.advance(0)
  expect(after).toEqual({ seen: ['4', '5', '6', '7', '8', '9'], end: undefined })
})

test('records that come with the head are not requested', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 5n
  chain.withHead = (head) => chain.read(head - 1n, head)
  const result = collect(feeds.listen(source), textOf)
  await clock.advance(0)
  chain.head = 7n
  await clock.advance(second)
  expect([result.seen, chain.ranges]).toEqual([['6', '7'], []])
  chain.head = 10n
  await clock.advance(second)
  expect([result.seen.slice(2), chain.ranges]).toEqual([['8', '9', '10'], ['8-9']])
})

test('a listener can refuse the place that it would start from', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 9n
  const checkStart = (head: bigint) => {
    throw new Error(`too far from ${head}`)
  }
  const result = collect(feeds.listen(source, { after: 1n, checkStart }), textOf)
  await clock.advance(0)
  expect(result).toEqual({ seen: [], end: new Error('too far from 9') })
  expect([chain.ranges, feeds.size]).toEqual([[], 0])
})

test('sources of different upstreams do not share a feed', async () => {
  const { clock, feeds, chain, source } = setup()
  const old = collect(feeds.heads(source), ({ position }) => `${position}`)
  const moved = collect(feeds.heads({ ...source, upstream: {} }), ({ position }) => `${position}`)
  await clock.advance(0)
  expect([feeds.size, chain.headPolls]).toEqual([2, 2])
  chain.head = 1n
  await clock.advance(second)
  expect([old.seen, moved.seen]).toEqual([
    ['0', '1'],
    ['0', '1'],
  ])
  feeds.close()
  expect(feeds.size).toBe(0)
})

test('a record that is missing for a moment is waited for', async () => {
  const { clock, feeds, chain, source } = setup({ maxGapMs: minute })
  chain.head = 4n
  chain.missing = new Set([3n, 4n])
  const result = collect(feeds.listen(source, { after: 0n }), textOf)
  await clock.advance(20 * second)
  expect(result.seen).toEqual(['1', '2'])
  chain.missing.clear()
  await clock.advance(8 * second)
  expect(result).toEqual({ seen: ['1', '2', '3', '4'], end: undefined })
})

test('a record that is there and cannot be read is told at once, and the next ones come', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 1n
  chain.onRange = async (from, to) =>
    chain
      .read(from, to)
      .map((record) =>
        record.height === 3n || record.height === 4n ? new UnreadableAt(record.height) : record,
      )
  const events: RecordEvent<Block>[] = []
  const listen = feeds.listen(source)
  const result = collect(listen, (event) => {
    events.push(event)
    return textOf(event)
  })
  await clock.advance(second)
  chain.head = 6n
  await clock.advance(second)
  expect(result.seen).toEqual(['2', 'missing 3-4', '5', '6'])
  expect(events[1]).toMatchObject({ isUnreadable: true })
})

test('unreadable records at the end of what there is are told, and so are those after them', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 9n
  chain.onRange = async (from, to) =>
    chain
      .read(from, to)
      .map((record) => (record.height > 7n ? new UnreadableAt(record.height) : record))
  const result = collect(feeds.listen(source, { after: 6n }), textOf)
  await clock.advance(0)
  expect(result.seen).toEqual(['7', 'missing 8-9'])
})

test('records far below the head that are missing are told at once', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 1_000n
  const missing = Array.from({ length: 9 }, (_, index) => BigInt(index * 100 + 55))
  chain.missing = new Set(missing)
  const result = collect(feeds.listen(source, { after: 0n }), textOf)
  await clock.advance(0)
  expect(result.seen).toHaveLength(1_000)
  expect(result.seen.filter((text) => text.startsWith('missing'))).toEqual(
    missing.map((height) => `missing ${height}-${height}`),
  )
  expect(result.seen.at(-1)).toBe('1000')
})

test('a record less than a hundred below the head is waited for', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 150n
  chain.missing = new Set([45n, 52n])
  const result = collect(feeds.listen(source, { after: 43n }), textOf)
  await clock.advance(14 * second)
  expect(result.seen).toEqual(['44', 'missing 45-45', '46', '47', '48', '49', '50', '51'])
  chain.missing.clear()
  await clock.advance(4 * second)
  expect(result.seen.slice(8, 10)).toEqual(['52', '53'])
})

test('nothing is taken for missing that a source without later records does not show', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 1_000n
  chain.onRange = async (from, to) => chain.read(from, to).filter(({ height }) => height <= 205n)
  const result = collect(feeds.listen(source, { after: 203n }), textOf)
  await clock.advance(14 * second)
  expect(result.seen).toEqual(['204', '205'])
  chain.onRange = undefined
  await clock.advance(4 * second)
  expect(result.seen.slice(0, 3)).toEqual(['204', '205', '206'])
})

test('a listener is told that its next records cannot be requested while the head moves', async () => {
  const stuck: string[] = []
  const { clock, feeds, chain, source } = setup({ onStuck: (list) => stuck.push(list) })
  chain.head = 2n
  chain.onRange = () => Promise.reject(fault(500))
  const result = collect(feeds.listen(source, { after: 0n }), textOf)
  await clock.advance(5 * second)
  expect(result.seen).toEqual([])
  const later = collect(feeds.listen(source, { after: 0n }), textOf)
  for (let step = 0; step < 20; step += 1) {
    chain.head += 1n
    await clock.advance(second)
  }
  expect(result.seen).toEqual(['late at 0, head 2'])
  expect(later.seen).toEqual(['late at 0, head 2'])
  expect(stuck).toEqual(['blocks of chain-1'])
  chain.onRange = undefined
  await clock.advance(5 * second)
  expect(result.seen.slice(1, 4)).toEqual(['1', '2', '3'])
})

const invalid: Record<string, bigint[]> = {
  'records twice': [1n, 1n, 2n],
  'records out of order': [2n, 1n],
  'records before the range': [0n, 1n, 2n],
  'records after the range': [1n, 2n, 3n],
}

for (const [name, heights] of Object.entries(invalid)) {
  test(`a response that holds ${name} is a fault, and none of it is delivered`, async () => {
    const { clock, feeds, chain, source } = setup({ maxUnavailableMs: minute })
    chain.head = 2n
    chain.onRange = async () => heights.map((height) => ({ height }))
    const result = collect(feeds.listen(source, { after: 0n }), textOf)
    await clock.advance(10 * second)
    expect(result).toEqual({ seen: ['late at 0, head 2'], end: undefined })
    await clock.advance(minute)
    expect(result.end).toEqual(
      new GatewayError('UPSTREAM_INVALID_RESPONSE', 'The response is out of order.'),
    )
  })
}

test('a head that falls back is an event, and no record is delivered twice', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 5n
  const result = collect(feeds.listen(source, { after: 3n }), textOf)
  await clock.advance(0)
  chain.head = 2n
  await clock.advance(5 * second)
  expect(result.seen).toEqual(['4', '5', 'headBehind at 5, head 2'])
  chain.head = 5n
  await clock.advance(second)
  chain.head = 4n
  await clock.advance(5 * second)
  chain.head = 7n
  await clock.advance(second)
  expect(result.seen.slice(3)).toEqual(['headBehind at 5, head 4', '6', '7'])
  expect(result.end).toBeUndefined()
})

test('a head that is low in one poll only is no event', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 5n
  const result = collect(feeds.listen(source, { after: 5n }), textOf)
  await clock.advance(0)
  for (let turn = 0; turn < 5; turn += 1) {
    chain.head = 4n
    await clock.advance(second)
    chain.head = 5n
    await clock.advance(second)
  }
  expect(result.seen).toEqual([])
})

test('a start above the head is an event, and its records follow when the head passes it', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 5n
  const result = collect(feeds.listen(source, { after: 8n }), textOf)
  await clock.advance(5 * second)
  expect(result.seen).toEqual(['headBehind at 8, head 5'])
  chain.head = 10n
  await clock.advance(second)
  expect(result.seen.slice(1)).toEqual(['9', '10'])
})

test('a head that falls below a record amid its request ends no listener', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 5n
  chain.missing.add(5n)
  const result = collect(feeds.listen(source, { after: 4n }), textOf)
  await clock.advance(10 * second)
  chain.head = 4n
  await clock.advance(2 * minute)
  chain.missing.clear()
  chain.head = 5n
  await clock.advance(second)
  expect(recordsOf(result)).toEqual(['5'])
  expect(result.end).toBeUndefined()
})

test('a head that does not move is an event, once until it moves again', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 5n
  const result = collect(feeds.listen(source), textOf)
  await clock.advance(29 * second)
  expect(result.seen).toEqual([])
  await clock.advance(second)
  expect(result.seen).toEqual(['late at 5, head 5'])
  await clock.advance(minute)
  const newcomer = collect(feeds.listen(source), textOf)
  await settled()
  expect(newcomer.seen).toEqual(['late at 5, head 5'])
  chain.head = 6n
  await clock.advance(minute)
  expect(result.seen.slice(1)).toEqual(['6', 'late at 6, head 6'])
})

test('the newest head reaches every listener of heads at once, and a slow one gets the latest', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.head = 5n
  const fast = collect(feeds.heads(source), ({ position }) => `${position}`)
  const slow = feeds.heads(source)
  const first = slow.next()
  await clock.advance(0)
  const late = collect(feeds.heads(source), ({ position }) => `${position}`)
  await settled()
  expect(late.seen).toEqual(['5'])
  for (const head of [6n, 4n, 6n, 8n]) {
    chain.head = head
    await clock.advance(second)
  }
  expect(fast.seen).toEqual(['5', '6', '8'])
  expect([(await first).value, (await slow.next()).value]).toMatchObject([
    { position: 5n },
    { position: 8n },
  ])
  expect([chain.headPolls, chain.ranges.length]).toEqual([5, 0])
  await slow.return?.()
  expect(feeds.listeners).toBe(2)
})

test('a listener of heads gets the error that ends the polls', async () => {
  const { clock, feeds, chain, source } = setup()
  chain.onHead = () => Promise.reject(fault(400))
  const result = collect(feeds.heads(source), ({ position }) => `${position}`)
  await clock.advance(0)
  expect(result.end).toMatchObject({ code: 'UPSTREAM_REJECTED' })
})

test('close aborts all requests, and completes no listener', async () => {
  const { clock, feeds, chain, source } = setup()
  const aborted: string[] = []
  chain.head = 5n
  chain.onRange = (_from, _to, signal) => {
    signal.addEventListener('abort', () => aborted.push('range'))
    return new Promise<never>(() => {})
  }
  const waiting = feeds.listen(source)
  const results = [
    collect(feeds.listen(source, { after: 0n }), textOf),
    collect(waiting, textOf),
    collect(feeds.heads(source), () => 'head'),
  ]
  await clock.advance(0)
  feeds.close()
  await clock.advance(minute)
  expect(results.map(({ end }) => end)).toEqual([undefined, undefined, undefined])
  expect(aborted).toEqual(['range'])
  expect([feeds.size, feeds.inFlight, chain.headPolls]).toEqual([0, 0, 1])
  const after = [
    collect(feeds.listen(source), textOf),
    collect(feeds.heads(source), ({ position }) => `${position}`),
  ]
  await clock.advance(minute)
  expect(after.map(({ seen, end }) => [seen, end])).toEqual([
    [[], undefined],
    [[], undefined],
  ])
  expect(chain.headPolls).toBe(1)
  expect(await waiting.return?.()).toEqual({ value: undefined, done: true })
})
