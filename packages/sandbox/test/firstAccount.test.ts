import { expect, test } from 'vitest'
import { parseAddress } from '../src/address.ts'
import { sandboxChains } from '../src/chains.ts'
import { keysetPage, readPageRequest } from '../src/indexer/paging.ts'
import type { Series } from '../src/world/series.ts'
import { createTransactions } from '../src/world/transactions.ts'
import type { Workload } from '../src/world/workload.ts'
import { createWorld } from '../src/world/world.ts'

// What the first account costs a fresh sandbox, by what is looked at for it. To make the record of one transaction takes a fifth
// of a millisecond, and to rank an account takes those of all transactions of a period.

const address = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const now = Date.UTC(2026, 10, 21, 12)

/** A series that counts what is asked of it. */
function counting({ rank, at, has }: Series) {
  const counts = { ranks: 0, looks: 0 }
  const series: Series = {
    rank(position) {
      counts.ranks += 1
      return rank(position)
    },
    at(n) {
      counts.ranks += 1
      return at(n)
    },
    has(position) {
      counts.looks += 1
      return has(position)
    },
  }
  return { series, counts }
}

const pageOf = (query: string) => readPageRequest(new URLSearchParams(query))

for (const chain of sandboxChains) {
  test(`the first page of an account ranks nothing, and looks at few transactions: ${chain.chainId}`, () => {
    const { transactions, height } = createWorld(chain, 'portolan', () => now)
    const account = parseAddress(address, chain.bech32Prefix) ?? ''
    const { series, counts } = counting(transactions.byAccount(account, false))
    const list = { field: 'sequence', series, low: 1, high: transactions.lastAt(height()) } as const
    const { rows } = keysetPage(pageOf('pagination.limit=21'), list)
    expect(rows).toHaveLength(21)
    expect(counts.ranks).toBe(0)
    expect(counts.looks).toBeLessThan(1_000)
  })

  test(`rows by looks and by ranks are the same, in each order and from each place: ${chain.chainId}`, () => {
    const { transactions, height } = createWorld(chain, 'portolan', () => now)
    const account = parseAddress(address, chain.bech32Prefix) ?? ''
    const series = transactions.byAccount(account, false)
    // Its members are looked at too late, so that only ranks find them.
    const ranked: Series = { ...series, has: () => false }
    const high = transactions.lastAt(height())
    const list = { field: 'sequence', low: 1, high } as const
    const middle = series.at(Math.floor(series.rank(high) / 2))
    const key = encodeURIComponent(btoa(`{"sequence":${middle}}`))
    const places = ['', 'pagination.offset=3', 'pagination.offset=1000000000', `pagination.key=${key}`]
    for (const place of places) {
      for (const reverse of [true, false]) {
        const page = (each: Series) =>
          keysetPage(pageOf(`pagination.limit=5&pagination.reverse=${reverse}&${place}`), { ...list, series: each })
        expect(page(series)).toEqual(page(ranked))
      }
    }
    const short = { ...list, low: middle - 40, high: middle + 40 }
    const members = Array.from({ length: 81 }, (_, i) => middle - 40 + i).filter(series.has)
    expect(members).toContain(middle)
    expect(keysetPage(pageOf('pagination.limit=100'), { ...short, series }).rows).toEqual(members.toReversed())
    expect(keysetPage(pageOf('pagination.limit=100'), { ...short, series, high: 5, low: 6 }).rows).toEqual([])
  })
}

test('once all is prepared, an account that nobody names costs no record', () => {
  const [chain] = sandboxChains
  if (!chain) throw new Error('no chain')
  const { fixtures, workload, height } = createWorld(chain, 'portolan', () => now)
  let made = 0
  const counted: Workload = {
    ...workload,
    shapeAt(sequence) {
      made += 1
      return workload.shapeAt(sequence)
    },
  }
  const traffic = createTransactions(fixtures, counted)
  const steps = traffic.prepare(height())
  while (!steps.next().done);
  expect(made).toBeGreaterThan(2_000)
  made = 0
  expect(traffic.byAccount(`0x${'17'.repeat(20)}`, false).rank(1_000_000)).toBe(0)
  expect(made).toBe(0)
})
