import { describe, expect, test } from 'vitest'
import { keyedWorld, numbers, recordsOf } from './keyedWorld.ts'
import { expectWithin, gapsOf, second } from './stateWorld.ts'

const isPositive = (count: number) => count > 0

/** A promise of an answer, and the function that gives it. */
function held<T>(value: () => T) {
  let release = () => {}
  const answer = () =>
    new Promise<T>((resolve) => {
      release = () => resolve(value())
    })
  return { answer, release: () => release() }
}

describe('reads of a list and polls of its heads', () => {
  test('one listener: the list is read every few seconds, and heads are not polled while it grows', async () => {
    const { list, grow, listen, sentIn } = keyedWorld()
    const { seen } = listen()
    await sentIn(0)
    for (let time = 0; time < 20; time += 1) {
      grow()
      await sentIn(5 * second)
    }
    expect(list.polls).toBe(0)
    for (const wait of gapsOf(list.reads)) expectWithin(wait, 2 * second, 7 * second)
    await sentIn(7 * second)
    expect(seen).toEqual(numbers(501, 520))
  })

  test('a quiet list: heads are polled, and the list is read only after one with records', async () => {
    const { grow, listen, sentIn } = keyedWorld()
    const { seen } = listen()
    expect((await sentIn(15 * second)).polls).toBe(0)
    expect((await sentIn(25 * second)).polls).toBeGreaterThan(0)
    // The head at the start has records that may still come.
    await sentIn(120 * second)
    expect(await sentIn(20 * second)).toEqual({ reads: 0, polls: expect.toSatisfy(isPositive) })
    grow()
    await sentIn(10 * second)
    // No head has come for more than a minute.
    expect(seen).toEqual(['late', 501])
    await sentIn(5 * second)
    expect(await sentIn(10 * second)).toEqual({ reads: expect.toSatisfy(isPositive), polls: 0 })
  })

  test('five listeners: heads are polled, and the list is read only after one with records', async () => {
    const { grow, listenAll, sentIn } = keyedWorld()
    const all = listenAll()
    await sentIn(20 * second)
    expect(await sentIn(10 * second)).toEqual({ reads: 0, polls: expect.toSatisfy(isPositive) })
    grow(3n)
    expect((await sentIn(2 * second)).reads).toBe(1)
    for (const { seen } of all) expect(seen).toEqual([501, 502, 503])
    await all[0]?.leave()
    // Fewer have it read at their pace, and poll no head.
    expect((await sentIn(12 * second)).polls).toBe(0)
  })

  test('after faults, the list is retried soon and then read at its usual times', async () => {
    const { list, answers, grow, listen, sentIn } = keyedWorld()
    const { seen } = listen()
    await sentIn(12 * second)
    let failures = 2
    answers.after = () => {
      failures -= 1
      if (failures === 0) answers.after = undefined
      return Promise.reject(new Error('no list'))
    }
    for (let time = 0; time < 6; time += 1) {
      grow()
      await sentIn(5 * second)
    }
    await sentIn(7 * second)
    const [interval = 0] = list.reads
    const failed = list.reads.find((at) => at > 12 * second) ?? 0
    const [, retry = 0, ...later] = list.reads.filter((at) => at > failed)
    expectWithin(retry - failed, 1, 0.8 * interval)
    for (const wait of gapsOf([failed, ...later])) expectWithin(wait, 0.8 * interval, 1.2 * interval)
    expect(seen).toEqual(numbers(501, 506))
  })

  test('heads that others poll do not make a list with few listeners be read more often', async () => {
    const { feeds, source, grow, listen, sentIn } = keyedWorld()
    const heads = feeds.heads(source.heads, { isUrgent: true })
    void heads.next()
    listen()
    await sentIn(second)
    let reads = 0
    for (let time = 0; time < 20; time += 1) {
      grow()
      reads += (await sentIn(second)).reads
    }
    // Each head brings a record, but few of them a read.
    expectWithin(reads, 2, 10)
    await heads.return?.()
  })

  test('the interval between reads is random', async () => {
    const firstRead = async (random: number) => {
      const { list, listen, sentIn } = keyedWorld({ random: () => random })
      listen()
      await sentIn(10 * second)
      return list.reads[0] ?? expect.fail('The list was not read.')
    }
    expect(await firstRead(0)).toBeLessThan(await firstRead(0.5))
  })

  test('small pages are continued at the next read, and pages of equal size at once', async () => {
    const { list, answers, grow, listen, sentIn } = keyedWorld()
    const { seen } = listen()
    await sentIn(0)
    const pages = (size: () => bigint) => {
      answers.after = async (number) => {
        const most = number + size()
        const records = recordsOf(number + 1n, list.size < most ? list.size : most)
        return { records, isEnd: records.length === 0 }
      }
    }
    let size = 2n
    // Pages of different sizes are all that there is.
    pages(() => {
      size = size === 2n ? 3n : 2n
      return size
    })
    grow(100n)
    await sentIn(20 * second)
    for (const wait of gapsOf(list.reads)) expectWithin(wait, 2 * second, 7 * second)
    // Pages of one size are cut: a few show it, and the rest is read with them. One page a turn would take minutes.
    pages(() => 3n)
    const before = list.reads.length
    await sentIn(60 * second)
    expect(seen).toEqual(numbers(501, 600))
    expectWithin(gapsOf(list.reads.slice(before)).indexOf(0), 1, 9)
    // Large pages are read on at once.
    pages(() => 20n)
    grow(100n)
    await sentIn(7 * second)
    expect(seen).toEqual(numbers(501, 700))
  })

  test('an unreadable newest record does not cause repeated reads', async () => {
    const { list, answers, listen, sentIn } = keyedWorld()
    list.emptyTo = 500n
    answers.after = async (number) => ({ records: recordsOf(number + 1n, 499n), isEnd: true })
    for (let count = 0; count < 5; count += 1) listen(440n)
    await sentIn(20 * second)
    expect(await sentIn(10 * second)).toEqual({ reads: 0, polls: expect.toSatisfy(isPositive) })
  })

  test('five listeners: a list that lags behind its heads is read after each poll', async () => {
    const { list, answers, listenAll, sentIn } = keyedWorld()
    listenAll()
    await sentIn(2 * second)
    list.head += 1n
    await sentIn(2 * second)
    const { reads, polls } = await sentIn(8 * second)
    expect(reads).toBe(polls)
    expect(polls).toBeGreaterThan(4)
    answers.poll = () => new Promise(() => {})
    expect((await sentIn(4 * second)).reads).toBe(0)
  })

  test("close stops all reads and polls, and those of a listener's history", async () => {
    const { feeds, answers, listen, sentIn } = keyedWorld()
    let histories = 0
    answers.history = async () => {
      histories += 1
      return null
    }
    const { result } = listen(10n)
    await sentIn(second)
    expect(histories).toBeGreaterThan(0)
    feeds.close()
    await sentIn(0)
    const before = histories
    expect(await sentIn(60 * second)).toEqual({ reads: 0, polls: 0 })
    expect([histories, result]).toEqual([before, { seen: [], end: undefined }])
  })
})

describe('a list is late', () => {
  test('if it lags behind its heads while they move', async () => {
    const { list, listenAll, sentIn } = keyedWorld()
    const all = listenAll()
    await sentIn(2 * second)
    for (let time = 0; time < 65; time += 1) {
      list.head += 1n
      await sentIn(second)
      if (time === 58) expect(all[0]?.seen).toEqual([])
    }
    for (const { seen } of all) expect(seen).toEqual(['late'])
  })

  test('if records of a head do not arrive, also after a pause of the head polls', async () => {
    const { list, listenAll, sentIn } = keyedWorld()
    const [first, ...others] = listenAll()
    await sentIn(10 * second)
    for (const { leave } of others) await leave()
    expect((await sentIn(8 * second)).polls).toBe(0)
    // The list lacks the record of this head.
    list.head += 1n
    await sentIn(59 * second)
    expect(first?.seen).toEqual([])
    await sentIn(30 * second)
    expect(first?.seen).toEqual(['late'])
    list.size += 1n
    await sentIn(30 * second)
    expect(first?.seen).toContain(501)
  })

  test('but not because of heads polled before the start was known', async () => {
    const { list, answers, grow, listenAll, sentIn } = keyedWorld()
    const start = held(() => list.size)
    answers.newest = start.answer
    const all = listenAll()
    await sentIn(second)
    // The start comes after this record, whose head is polled only later.
    grow()
    start.release()
    await sentIn(30 * second)
    expect((await sentIn(10 * second)).reads).toBe(0)
    for (let time = 0; time < 60; time += 1) {
      list.head += 1n
      list.emptyTo = list.head
      await sentIn(second)
    }
    for (const { seen } of all) expect(seen).toEqual([])
  })

  test('once per outage, and continues when it can be read', async () => {
    const { answers, grow, listen, sentIn, stuck } = keyedWorld({ lateAfterMs: 600 * second })
    const fault = new Error('no list')
    const { seen } = listen()
    await sentIn(2 * second)
    answers.after = () => Promise.reject(fault)
    grow()
    await sentIn(4 * second)
    expect([seen, stuck]).toEqual([[], []])
    await sentIn(20 * second)
    expect([seen, stuck]).toEqual([['late'], [['list', fault]]])
    answers.after = undefined
    await sentIn(10 * second)
    expect(seen).toEqual(['late', 501])
    answers.after = () => Promise.reject(fault)
    grow()
    await sentIn(30 * second)
    expect(seen).toEqual(['late', 501, 'late'])
  })

  test('for one listener whose history cannot be read, until it can', async () => {
    const { answers, listen, sentIn } = keyedWorld()
    answers.history = () => Promise.reject(new Error('no history'))
    const { seen } = listen(300n)
    await sentIn(20 * second)
    expect(seen).toEqual(['late'])
    const place = { number: 500n, skip: 0 }
    answers.history = async () => ({ records: [{ record: { number: 400n }, place }], end: place })
    await sentIn(10 * second)
    expect(seen).toEqual(['late', 400])
  })
})

describe('faults of a list', () => {
  test('that are fatal end the list and its requests', async () => {
    const { answers, grow, listenAll, sentIn } = keyedWorld()
    const all = listenAll()
    await sentIn(2 * second)
    const fault = new RangeError('no list')
    answers.after = () => Promise.reject(fault)
    grow()
    await sentIn(2 * second)
    for (const { result } of all) expect(result).toEqual({ seen: ['failed'], end: fault })
    expect(await sentIn(30 * second)).toEqual({ reads: 0, polls: 0 })
  })

  test('that are fatal do not end listeners of its heads', async () => {
    const { feeds, source, answers, listenAll, sentIn } = keyedWorld()
    const heads = feeds.heads(source.heads)
    void heads.next()
    answers.newest = () => Promise.reject(new RangeError('no list'))
    listenAll()
    await sentIn(2 * second)
    expect(feeds.listeners).toBe(1)
    await heads.return?.()
  })

  test('at the start are retried before heads can be polled', async () => {
    const { answers, grow, listenAll, sentIn } = keyedWorld()
    const fail = () => Promise.reject(new Error('no answer'))
    Object.assign(answers, { newest: fail, poll: fail })
    const all = listenAll()
    await sentIn(2 * second)
    answers.newest = undefined
    await sentIn(20 * second)
    grow()
    answers.poll = undefined
    await sentIn(20 * second)
    // A start read only now would be after the record.
    for (const { seen } of all) expect(seen).toContain(501)
  })

  test('in the keys of a record skip only that record', async () => {
    const { answers, grow, listen, sentIn, stuck } = keyedWorld()
    const unreadable = new RangeError('too deep')
    answers.keysOf = ({ number }) => {
      if (number === 501n) throw unreadable
      return new Set(['key'])
    }
    answers.history = async () => ({ records: [], end: { number: 501n, skip: 0 } })
    const { seen } = listen()
    await sentIn(2 * second)
    for (let step = 0; step < 3; step += 1) {
      grow()
      await sentIn(10 * second)
    }
    expect([seen, stuck]).toEqual([[502, 503], [['list', unreadable]]])
  })
})

describe('a listener of a list', () => {
  test('that joins later starts at the newest record', async () => {
    const { grow, listen, sentIn } = keyedWorld()
    listen()
    await sentIn(0)
    grow(5n)
    await sentIn(10 * second)
    const later = listen()
    grow()
    await sentIn(10 * second)
    expect(later.seen).toEqual([506])
  })

  test('that resumes loses no records while a later read is in flight', async () => {
    const { list, answers, grow, listen, sentIn } = keyedWorld()
    const first = listen()
    await sentIn(0)
    grow()
    const page = held(() => ({ records: recordsOf(501n, list.size), isEnd: true }))
    answers.after = page.answer
    while (list.reads.length === 0) await sentIn(second)
    const later = listen(440n)
    await sentIn(0)
    page.release()
    answers.after = undefined
    await sentIn(10 * second)
    expect([first.seen, later.seen]).toEqual([[501], numbers(441, 501)])
  })

  test('gets no record twice from a list that lags', async () => {
    const { answers, listen, sentIn } = keyedWorld()
    let requests = 0
    answers.history = async (_key, { number, skip }) => {
      requests += 1
      // Of the three records after the place, two were delivered. The list has one of them at first.
      if (requests < 4) return null
      const end = { number: 500n, skip: 0 }
      if (number === 500n) return { records: [], end }
      expect(skip).toBe(2)
      return { records: [{ record: { number: 500n }, place: end }], end }
    }
    const { seen } = listen(497n, 2)
    await sentIn(50 * second)
    expect(seen).toEqual([500])
  })

  test('gets no record twice at the end of the list', async () => {
    const { answers, listen, sentIn } = keyedWorld()
    answers.history = async () => ({ records: [], end: { number: 500n, skip: 0 } })
    const { seen } = listen(497n, 3)
    await sentIn(50 * second)
    expect(seen).toEqual([])
  })

  test('stops waiting for records that the list has lost', async () => {
    const { listen, sentIn } = keyedWorld()
    const { seen } = listen(497n, 5)
    await sentIn(120 * second)
    expect(seen.filter((event) => event !== 'late')).toEqual([498, 499, 500])
  })

  test('gets records that shared reads skipped from the history of its key', async () => {
    const { list, answers, grow, listen, sentIn } = keyedWorld()
    // Of more than two, the oldest are left out.
    answers.after = async (number) => ({
      records: recordsOf(list.size - 1n, list.size).filter((record) => record.number > number),
      isEnd: true,
      hasGap: list.size - number > 2n,
    })
    answers.history = async (_key, { number }) => ({
      records: recordsOf(number + 1n, list.size).map(({ record }) => ({
        record,
        place: { ...record, skip: 0 },
      })),
      end: { number: list.size, skip: 0 },
    })
    const { seen } = listen()
    for (const by of [0n, 1n, 5n]) {
      grow(by)
      await sentIn(10 * second)
    }
    expect(seen).toEqual(numbers(501, 506))
  })
})
