import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../src/engine/upstream/error.ts'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import { type RecordEvent, UnreadableAt } from '../../../src/engine/watch/sequenceSource.ts'
import type { Signal } from '../../../src/kit/clock/signal.ts'
import { type Block, failures, feedWorld, textOf, texts } from './feedWorld.ts'
import { collect, expectWithin, fault, gapsOf, minute, second } from './stateWorld.ts'

const bothRequests = ['onHead', 'onRange'] as const

describe('a listener of a feed', () => {
  test('without a start gets only the records after the current head', async () => {
    const { chain, listen, to } = feedWorld()
    const result = listen()
    await to(5)
    expect([result.seen, chain.ranges]).toEqual([[], []])
    await to(7)
    await to(8)
    expect(result).toEqual({ seen: ['6', '7', '8'], end: undefined })
    expect(chain.ranges.flat()).toEqual(result.seen)
  })

  test('is refused if its start fails the check', async () => {
    const { chain, feeds, listen, to } = feedWorld()
    chain.head = 9n
    const checkStart = (head: bigint) => {
      throw new Error(`too far from ${head}`)
    }
    const result = listen(1n, { checkStart })
    await to(9, 0)
    expect(result).toEqual({ seen: [], end: new Error('too far from 9') })
    expect([chain.ranges, feeds.size]).toEqual([[], 0])
  })

  test('that is slow misses no records and does not delay others', async () => {
    const { feeds, source, chain, listen, to } = feedWorld({ windowSize: 20 })
    const slow = feeds.listen(source, { after: 0n })
    const first = slow.next()
    const fast = listen(0n)
    for (let head = 1; head <= 100; head += 1) await to(head)
    expect(fast.seen).toEqual(texts(1, 100))
    const before = chain.ranges.length
    const rest = [textOf((await first).value)]
    for (let turn = 0; turn < 99; turn += 1) rest.push(textOf((await slow.next()).value))
    expect(rest).toEqual(fast.seen)
    // The records have left the window, so each is requested once more.
    expect(chain.ranges.slice(before).flat()).toEqual(texts(2, 100))
  })

  test('that starts within the window is served without a request', async () => {
    const { chain, listen, to } = feedWorld({ windowSize: 20 })
    chain.head = 39n
    listen(0n)
    await to(39, 0)
    const before = chain.ranges.length
    const late = listen(19n)
    await to(39, 0)
    expect([late.seen, chain.ranges.length]).toEqual([texts(20, 39), before])
    listen(18n)
    await to(39, 0)
    expect(chain.ranges[before]).toContain('19')
  })
})

describe('requests of a feed', () => {
  test('are shared by a thousand listeners: one poll an interval, one read a record', async () => {
    const { chain, feeds, listen, to } = feedWorld()
    const results = Array.from({ length: 1_000 }, () => listen())
    await to(0, 0)
    for (let head = 1; head <= 5; head += 1) await to(head)
    expect([feeds.size, feeds.listeners, feeds.inFlight]).toEqual([1, 1_000, 0])
    for (const wait of gapsOf(chain.polls)) expectWithin(wait, second / 2, 2 * second)
    expect(chain.ranges.flat()).toEqual(texts(1, 5))
    for (const { seen } of results) expect(seen).toEqual(texts(1, 5))
  })

  test('are shared by listeners that start at different heights', async () => {
    const { chain, listen, to } = feedWorld()
    chain.head = 39n
    const results = [4n, 7n, 4n].map((after) => listen(after))
    await to(39, 0)
    expect(results.map(({ seen }) => seen)).toEqual([texts(5, 39), texts(8, 39), texts(5, 39)])
    // The first page of each may end at another height. From then on they share each request.
    expect(chain.ranges.flat().filter((height) => Number(height) >= 15)).toEqual(texts(15, 39))
  })

  test('are not shared across keys, topics or upstreams', async () => {
    const { chain, feeds, heads, to } = feedWorld()
    const others = [{ key: 'chain-2' }, { topic: defineTopic<Block>('b') }, { upstream: {} }]
    const all = [heads(), ...others.map((more) => heads(more))]
    await to(0, 0)
    expect([feeds.size, chain.polls.length]).toEqual([4, 4])
    await to(1)
    for (const { seen } of all) expect(seen).toEqual([0, 1])
  })

  test('start with the first read, and stop when the last listener leaves', async () => {
    const { clock, feeds, chain, source } = feedWorld()
    const [first, other] = [feeds.listen(source), feeds.listen(source)]
    await clock.advance(minute)
    expect([feeds.size, chain.polls]).toEqual([0, []])
    void first.next()
    void other.next()
    await clock.advance(0)
    await first.return?.()
    expect([feeds.size, feeds.listeners]).toEqual([1, 1])
    await other.return?.()
    await clock.advance(minute)
    expect([feeds.size, feeds.listeners, chain.polls.length]).toEqual([0, 0, 1])
  })

  test('are aborted when the last listener that waits for them leaves', async () => {
    const { clock, feeds, chain, source } = feedWorld()
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
    await clock.advance(2 * second)
    for (const expected of [[], ['range'], ['range', 'head']]) {
      await iterators.shift()?.return?.()
      await clock.advance(0)
      expect(aborted).toEqual(expected)
    }
    expect(feeds.inFlight).toBe(0)
  })

  test('are aborted by close, without completing listeners', async () => {
    const { clock, feeds, chain, source, listen, heads } = feedWorld()
    const aborted: string[] = []
    chain.head = 5n
    chain.onRange = (_from, _to, signal) => {
      signal.addEventListener('abort', () => aborted.push('range'))
      return new Promise<never>(() => {})
    }
    const waiting = feeds.listen(source)
    const results = [listen(0n), collect(waiting), heads()]
    await clock.advance(0)
    feeds.close()
    const late = [listen(), heads()]
    await clock.advance(minute)
    for (const { end } of [...results, ...late]) expect(end).toBeUndefined()
    expect(late.map(({ seen }) => seen)).toEqual([[], []])
    expect([aborted, feeds.size, feeds.inFlight]).toEqual([['range'], 0, 0])
    expect(chain.polls).toHaveLength(1)
    expect(await waiting.return?.()).toEqual({ value: undefined, done: true })
  })

  test('are not sent for records that the head response includes', async () => {
    const { chain, listen, to } = feedWorld()
    chain.head = 5n
    chain.withHead = (head) => chain.read(head - 1n, head)
    const { seen } = listen()
    await to(5, 0)
    await to(7)
    expect([seen, chain.ranges]).toEqual([['6', '7'], []])
    await to(10)
    expect([seen, chain.ranges.flat()]).toEqual([texts(6, 10), ['8', '9']])
  })
})

describe('faults of a feed', () => {
  test.each(Object.entries(failures))(
    '%s of the head or of a range is tolerated for nine minutes',
    async (_name, fail) => {
      const { chain, listen, to } = feedWorld()
      const result = listen(0n)
      chain.onHead = fail
      await to(0, 9 * minute)
      expect(result).toEqual({ seen: [], end: undefined })
      chain.onHead = undefined
      chain.onRange = fail
      await to(2, 9 * minute)
      expect(result.seen.filter((text) => /^\d+$/.test(text))).toEqual([])
      chain.onRange = undefined
      await to(2, minute)
      expect(result.seen.slice(-2)).toEqual(['1', '2'])
      expect(result.end).toBeUndefined()
    },
  )

  describe.each(bothRequests)('%s', (part) => {
    test.each(Object.entries(failures))('%s for ten minutes ends all listeners with the error', async (_name, fail) => {
      const { clock, feeds, chain, listen } = feedWorld()
      chain.head = 2n
      chain[part] = fail
      const results = [listen(0n), listen(0n)]
      await clock.advance(10 * minute - 1)
      expect(results.map(({ end }) => end)).toEqual([undefined, undefined])
      await clock.advance(minute)
      for (const { end } of results) expect(end).toBeInstanceOf(Error)
      expect([feeds.size, feeds.inFlight]).toEqual([0, 0])
      expect((part === 'onHead' ? chain.polls : chain.ranges).length).toBeLessThan(170)
    })

    test.each([
      ['the first one, where no time is left for faults,', fault(503), 0],
      ['a fatal one', fault(400), undefined],
    ])('%s ends the listeners at once', async (_name, error, maxUnavailableMs) => {
      const { clock, chain, feeds, listen } = feedWorld({ maxUnavailableMs })
      chain.head = 2n
      chain[part] = (): Promise<never> => Promise.reject(error)
      const result = listen(0n)
      await clock.advance(0)
      expect([result.end, feeds.size]).toEqual([error, 0])
    })

    test.each([
      ['as long as a rate limit asks for', fault(429, 7_000), 7_000, 7_000],
      ['longer with each fault in a row, up to seconds', fault(503), 100, 7_000],
    ])('retries wait %s', async (_name, error, least, most) => {
      const { clock, chain, listen } = feedWorld()
      chain.head = 2n
      const sent: number[] = []
      chain[part] = (): Promise<never> => {
        sent.push(clock.now())
        return Promise.reject(error)
      }
      listen(0n)
      await clock.advance(minute)
      const waits = gapsOf(sent).map(Math.round)
      expect(waits).toEqual(waits.toSorted((a, b) => a - b))
      for (const wait of waits) expectWithin(wait, least, most)
      expect(waits.at(-1) === waits[0]).toBe(least === most)
    })
  })

  test('the retry delay of the head restarts after a successful poll', async () => {
    const { clock, chain, listen } = feedWorld()
    chain.onHead = async () => {
      if (chain.polls.length % 2 === 1) throw fault(503)
      return 0n
    }
    listen()
    await clock.advance(10 * second)
    const afterFaults = gapsOf(chain.polls).filter((_wait, index) => index % 2 === 0)
    for (const wait of afterFaults) expect(wait).toBeCloseTo(afterFaults[0] ?? 0)
  })

  test('a request that times out fails with the timeout message of its source', async () => {
    const { chain, listen, to } = feedWorld({ maxUnavailableMs: 0, timeoutMs: 5 * second })
    chain.onHead = () => new Promise(() => {})
    const result = listen()
    await to(0, 5 * second)
    expect(result.end).toEqual(new GatewayError('UPSTREAM_TIMEOUT', 'The request timed out.'))
  })

  test.each([
    ['records twice', [1n, 1n, 2n]],
    ['records out of order', [2n, 1n]],
    ['records before the range', [0n, 1n, 2n]],
    ['records after the range', [1n, 2n, 3n]],
  ])('a response with %s is a fault, and its records are not delivered', async (_name, heights) => {
    const { chain, listen, to } = feedWorld({ maxUnavailableMs: minute })
    chain.head = 2n
    chain.onRange = async () => heights.map((height) => ({ height }))
    const result = listen(0n)
    await to(2, 2 * minute)
    expect(result.seen.filter((text) => /^\d+$/.test(text))).toEqual([])
    expect(result.end).toEqual(new GatewayError('UPSTREAM_INVALID_RESPONSE', 'The response is out of order.'))
  })

  test('a listener whose records cannot be read gets a late event while the head moves', async () => {
    const stuck: string[] = []
    const { chain, listen, to } = feedWorld({ onStuck: (list) => stuck.push(list) })
    chain.head = 2n
    chain.onRange = () => Promise.reject(fault(500))
    const result = listen(0n)
    await to(2, second)
    expect(result.seen).toEqual([])
    const later = listen(0n)
    for (let head = 3; head <= 22; head += 1) await to(head)
    expect([result.seen, later.seen]).toEqual([['late at 0, head 2'], ['late at 0, head 2']])
    expect(stuck).toEqual(['blocks of chain-1'])
    chain.onRange = undefined
    await to(22, 10 * second)
    expect(result.seen.slice(1, 4)).toEqual(['1', '2', '3'])
  })
})

describe('missing records of a feed', () => {
  test('are waited for, then reported, and later records are delivered', async () => {
    const { chain, listen, to } = feedWorld({ maxGapMs: 15 * second })
    chain.missing = new Set([3n, 4n, 9n])
    chain.head = 9n
    const [result, after] = [listen(0n), listen(4n)]
    await to(9, 15 * second - 1)
    expect([result.seen, after.seen]).toEqual([['1', '2'], texts(5, 8)])
    await to(9, 20 * second)
    expect(result.seen).toEqual(['1', '2', 'missing 3-4', ...texts(5, 8)])
    // Until there is a later record, the list may only be behind the head.
    chain.withHead = (head) => chain.read(head, head)
    await to(10, 20 * second)
    expect(result.seen.slice(7)).toEqual(['missing 9-9', '10'])
    expect(result.end).toBeUndefined()
  })

  test('that arrive in time are delivered in order', async () => {
    const { chain, listen, to } = feedWorld({ maxGapMs: minute })
    chain.missing = new Set([3n, 4n])
    chain.head = 4n
    const result = listen(0n)
    await to(4, 10 * second)
    expect(result.seen).toEqual(['1', '2'])
    chain.missing.clear()
    await to(4, 10 * second)
    expect(result).toEqual({ seen: texts(1, 4), end: undefined })
  })

  test('are reported at once if maxGapMs is 0', async () => {
    const { chain, listen, to } = feedWorld({ maxGapMs: 0 })
    chain.missing.add(1n)
    chain.head = 2n
    const result = listen(0n)
    await to(2, 0)
    expect(result).toEqual({ seen: ['missing 1-1', '2'], end: undefined })
  })

  test('are reported at once if they are far below the head', async () => {
    const { chain, listen, to } = feedWorld({ maxGapMs: minute })
    const old = [55n, 155n, 255n]
    chain.missing = new Set([...old, 440n])
    chain.head = 450n
    const { seen } = listen(0n)
    await to(450, 14 * second)
    expect(seen.filter((text) => text.startsWith('missing'))).toEqual(
      old.map((height) => `missing ${height}-${height}`),
    )
    expect([seen.length, seen.at(-1)]).toEqual([439, '439'])
    chain.missing.clear()
    await to(450, 10 * second)
    expect(seen.slice(439)).toEqual(texts(440, 450))
  })

  test('are not reported while the list has no later record', async () => {
    const { chain, listen, to } = feedWorld({ maxGapMs: minute })
    chain.head = 1_000n
    chain.onRange = async (from, to) => chain.read(from, to).filter(({ height }) => height <= 205n)
    const { seen } = listen(203n)
    await to(1_000, 14 * second)
    expect(seen).toEqual(['204', '205'])
    chain.onRange = undefined
    await to(1_000, 10 * second)
    expect(seen.slice(0, 3)).toEqual(['204', '205', '206'])
  })

  test.each([
    ['amid others', 1n, [3n, 4n], 6, ['2', 'missing 3-4', '5', '6']],
    ['at the end of what there is', 6n, [8n, 9n], 9, ['7', 'missing 8-9']],
  ])('that are unreadable are reported at once, %s', async (_name, ...row) => {
    const [start, unreadable, head, expected] = row
    const { chain, feeds, source, to } = feedWorld()
    chain.head = start
    chain.onRange = async (from, to) =>
      chain
        .read(from, to)
        .map((record) => (unreadable.includes(record.height) ? new UnreadableAt(record.height) : record))
    const events: RecordEvent<Block>[] = []
    collect(feeds.listen(source), (event) => events.push(event))
    await to(Number(start))
    await to(head)
    expect(events.map(textOf)).toEqual(expected)
    expect(events[1]).toMatchObject({ isUnreadable: true })
  })
})

describe('the head of a feed', () => {
  test('that moves back is an event, and records are not delivered twice', async () => {
    const { chain, listen, to } = feedWorld()
    chain.head = 5n
    const result = listen(3n)
    await to(5, 0)
    for (const head of [2, 5, 4, 7]) await to(head, 5 * second)
    expect(result).toEqual({
      seen: ['4', '5', 'headBehind at 5, head 2', 'headBehind at 5, head 4', '6', '7'],
      end: undefined,
    })
  })

  test('that is low in a single poll is not an event', async () => {
    const { chain, listen, to } = feedWorld()
    chain.onHead = async () => (chain.polls.length % 2 === 0 ? 4n : 5n)
    const { seen } = listen(5n)
    await to(5, 10 * second)
    expect(chain.polls.length).toBeGreaterThan(4)
    expect(seen).toEqual([])
  })

  test('below a start is an event, and records follow once it passes the start', async () => {
    const { chain, listen, to } = feedWorld()
    chain.head = 5n
    const { seen } = listen(8n)
    await to(5, 5 * second)
    await to(10)
    expect(seen).toEqual(['headBehind at 8, head 5', '9', '10'])
  })

  test('that moves back while a record is missing does not end listeners', async () => {
    const { chain, listen, to } = feedWorld()
    chain.head = 5n
    chain.missing.add(5n)
    const result = listen(4n)
    await to(5, 10 * second)
    await to(4, 2 * minute)
    chain.missing.clear()
    await to(5)
    expect(result.seen.filter((text) => text === '5')).toHaveLength(1)
    expect(result.end).toBeUndefined()
  })

  test('that does not move gives one late event until it moves again', async () => {
    const { chain, listen, to } = feedWorld()
    chain.head = 5n
    const { seen } = listen()
    await to(5, 29 * second)
    expect(seen).toEqual([])
    await to(5, 3 * second)
    expect(seen).toEqual(['late at 5, head 5'])
    await to(5, minute)
    const newcomer = listen()
    await to(5, 0)
    expect(newcomer.seen).toEqual(['late at 5, head 5'])
    await to(6, minute)
    expect(seen.slice(1)).toEqual(['6', 'late at 6, head 6'])
  })

  test('reaches all listeners of heads, and slow ones get only the latest', async () => {
    const { clock, feeds, chain, source, heads, to } = feedWorld()
    chain.head = 5n
    const fast = heads()
    const slow = feeds.heads(source)
    const first = slow.next()
    await clock.advance(0)
    const late = heads()
    await clock.advance(0)
    expect(late.seen).toEqual([5])
    for (const head of [6, 4, 6, 8]) await to(head)
    expect(fast.seen).toEqual([5, 6, 8])
    expect([(await first).value, (await slow.next()).value]).toMatchObject([{ position: 5n }, { position: 8n }])
    expect(chain.ranges).toEqual([])
    await slow.return?.()
    expect(feeds.listeners).toBe(2)
  })

  test('that fails with a fatal error ends its listeners with that error', async () => {
    const { chain, heads, to } = feedWorld()
    chain.onHead = () => Promise.reject(fault(400))
    const result = heads()
    await to(0, 0)
    expect(result.end).toEqual(fault(400))
  })
})
