import { PortolanError, type ResponseError } from '@portolan/client/errors'
import { expect, test } from 'vitest'
import { ChainsUnavailable, readPages } from '../src/readPages.ts'
import type { Page } from '../src/subjects/subject.ts'

/** A list of numbers, behind a gateway with faults. */
interface Script {
  readonly records: number
  /** What becomes of a request, by its number from 1. */
  fault?(request: { readonly count: number; readonly first: number; readonly from: number }): unknown
}

function readAll({ records, fault }: Script, { skipsUnreadable = false } = {}) {
  const waits: number[] = []
  const asked: string[] = []
  let count = 0
  const query = async (_document: unknown, variables: unknown) => {
    const { first, after } = variables as { first: number; after?: string }
    const from = Number(after ?? 0)
    count += 1
    asked.push(`${first} after ${from}`)
    const edges = Array.from({ length: Math.min(first, records - from) }, (_, index) => from + index + 1)
    const page: Page<number> = {
      ...{ edges, hasNextPage: from + first < records, unavailable: [] },
      endCursor: edges.length > 0 ? String(from + edges.length) : null,
    }
    const failed = fault?.({ count, first, from })
    if (failed instanceof Function) throw failed(page)
    if (failed) return failed
    return page
  }
  const signal = new AbortController().signal
  const pages = readPages<number>({
    client: { query } as never,
    source: {
      document: '',
      variablesAt: (place) => place,
      pageIn: (data) => (data as Page<number> | undefined) ?? undefined,
      identify: () => undefined,
    },
    ...{ after: undefined, skipsUnreadable },
    io: { signal, wait: async (milliseconds) => void waits.push(milliseconds) },
  })
  const read: number[] = []
  const faulty: number[] = []
  const done = (async () => {
    for await (const page of pages) (page.isFaulty ? faulty : read).push(...page.edges)
  })()
  return { done, read, faulty, waits, asked }
}

const coded = (code: string, more: Record<string, unknown> = {}) => {
  const error: ResponseError = { message: code, extensions: { code, ...more } }
  return (page?: unknown) => new PortolanError(code, code, { errors: [error], partialData: page })
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

test.each([
  ['costs too much', coded('QUERY_TOO_COMPLEX')],
  ['has more records than the gateway allows', coded('BAD_USER_INPUT', { reason: 'PAGE_TOO_LARGE' })],
])('a page that %s is asked for once', async (_what, fault) => {
  const all = readAll({ records: 60, fault: ({ first }) => (first > 20 ? () => fault() : undefined) })
  await all.done
  expect(all.read).toEqual(upTo(60))
  expect(all.asked).toEqual(['40 after 0', '20 after 0', '20 after 20', '20 after 40'])
})

test('all pages are read, in order', async () => {
  const all = readAll({ records: 100 })
  await all.done
  expect(all.read).toEqual(upTo(100))
  expect(all.asked).toEqual(['40 after 0', '40 after 40', '40 after 80'])
})

test('faults that pass are waited for: as long as the gateway asks, or ever longer', async () => {
  const all = readAll({
    records: 10,
    fault: ({ count }) => {
      if (count === 1) return coded('RATE_LIMITED', { retryAfter: 20 })
      if (count === 2) return coded('UPSTREAM_UNAVAILABLE')
      return (
        count === 3 && { edges: [], hasNextPage: true, endCursor: null, unavailable: [{ chainId: 'a', code: 'B' }] }
      )
    },
  })
  await all.done
  expect(all.read).toEqual(upTo(10))
  expect(all.waits).toEqual([20_000, 4_000, 8_000])
})

test('a fault that does not pass ends the list after six attempts', async () => {
  const all = readAll({ records: 10, fault: () => coded('UPSTREAM_UNAVAILABLE') })
  await expect(all.done).rejects.toThrow('UPSTREAM_UNAVAILABLE')
  expect(all.waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000])
})

test('if only chains are left that cannot be read, they are named', async () => {
  const page = { edges: [], hasNextPage: true, endCursor: null, unavailable: [{ chainId: 'a-1', code: 'DOWN' }] }
  const all = readAll({ records: 10, fault: () => page })
  const error = await all.done.catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(ChainsUnavailable)
  expect(String(error)).toContain('a-1 (DOWN)')
})

test('what no smaller page would change ends the list at once', async () => {
  const all = readAll({ records: 50, fault: () => () => coded('UNAUTHENTICATED')() })
  await expect(all.done).rejects.toThrow('UNAUTHENTICATED')
  expect(all.asked).toEqual(['40 after 0'])
})

test.each([{ code: 'QUERY_TOO_COMPLEX' }, { code: 'BAD_USER_INPUT', reason: 'PAGE_TOO_LARGE' }])(
  'a page that is too large is read in parts (%j)',
  async ({ code, ...rest }) => {
    const all = readAll({ records: 50, fault: ({ first }) => first > 10 && (() => coded(code, rest)()) })
    await all.done
    expect(all.read).toEqual(upTo(50))
    expect(all.waits).toEqual([])
  },
)

test.each([null, '40'])(
  'a list that does not come to its end is an error, and is not asked without end (%s)',
  async (endCursor) => {
    const empty = { edges: [], hasNextPage: true, endCursor, unavailable: [] }
    const all = readAll({ records: 50, fault: ({ count }) => count > 1 && empty })
    await expect(all.done).rejects.toThrow('no cursor that leads to them')
    expect(all.read).toEqual(upTo(40))
    expect(all.asked).toHaveLength(2)
  },
)

/** Record 23 cannot be read, in whatever page it is. */
const badRecord = ({ first, from }: { first: number; from: number }) =>
  from < 23 && from + first >= 23 && coded('UPSTREAM_INVALID_RESPONSE')

test('an unreadable record ends the list, after all records before it', async () => {
  const all = readAll({ records: 50, fault: badRecord })
  await expect(all.done).rejects.toThrow('UPSTREAM_INVALID_RESPONSE')
  expect(all.read).toEqual(upTo(22))
})

test('or is left out, alone', async () => {
  const all = readAll({ records: 50, fault: badRecord }, { skipsUnreadable: true })
  await all.done
  expect(all.faulty).toEqual([23])
  expect(all.read).toEqual(upTo(50).filter((record) => record !== 23))
})
