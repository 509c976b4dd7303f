import { expect, test } from 'vitest'
import type { Upstream } from '../../../../src/engine/upstream/client.ts'
import { Feeds } from '../../../../src/engine/watch/feeds.ts'
import type { ListOffset } from '../../../../src/engine/watch/keyedSource.ts'
import { noPeers } from '../../../../src/engine/watch/peers.ts'
import { CacheStore } from '../../../../src/kit/cache/cache.ts'
import { transactionTail } from '../../../../src/schema/indexer/live/transactionTail.ts'
import { fakeClock } from '../../../support/fakeClock.ts'
import { fakeChain } from '../../../support/testServer.ts'

const { signal } = new AbortController()
const pageLimit = 100

const transaction = (number: number) => ({
  ...{ txhash: `${number}`, height: `${number}`, timestamp: '2024-01-01T00:00:00Z', events: [] },
  ...{ code: 0, gas_wanted: '1', gas_used: '1' },
})

/** The key of a page that ends at a transaction. Null if it has none. */
type KeyOf = (last: number, isEnd: boolean) => string | null

/** An account that has all transactions of its chain, of which `counts` gives the number at each request. */
function tailOf(keyOf: KeyOf, counts: (request: number) => number) {
  let requests = 0
  const send: Upstream['send'] = async (request) => {
    const count = counts(requests++)
    const query = new URL(request.target, 'http://a').searchParams
    const key = Buffer.from(query.get('pagination.key') ?? '', 'base64').toString()
    const bound = /\d+/.exec(key)
    const isReverse = query.get('pagination.reverse') === 'true'
    const all = Array.from({ length: count }, (_, index) => (isReverse ? count - index : index + 1))
    const left = all.filter((number) => (isReverse ? number < Number(bound ?? count + 1) : number > Number(bound ?? 0)))
    const items = left.slice(0, Math.min(Number(query.get('pagination.limit')), pageLimit))
    const next = keyOf(items.at(-1) ?? 0, items.length === left.length)
    const pagination = { next_key: next && Buffer.from(next).toString('base64') }
    return request.read({ txs: items.map(transaction), pagination }, '')
  }
  const cache = new CacheStore(fakeClock())
  return transactionTail(fakeChain('a-1', send), {
    feeds: new Feeds(),
    cache,
    peers: noPeers,
  })
}

/** The missed transactions of the account, from the start of the chain. */
async function historyOf(tail: ReturnType<typeof tailOf>): Promise<string[]> {
  const hashes: string[] = []
  for (let place: ListOffset = { number: 0n, skip: 0 }; ; ) {
    const page = await tail.history('00', place, signal)
    const last = page?.records.at(-1)
    if (!page || !last) return hashes
    hashes.push(...page.records.map(({ record }) => ('txhash' in record ? record.txhash : 'unreadable')))
    place = last.place
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`)

test('history from an empty chain is complete with opaque page keys', async () => {
  const tail = tailOf(
    (last) => `~${last}`,
    () => 250,
  )
  expect(await historyOf(tail)).toEqual(numbers(250))
})

test('transactions that arrive while the last page is read again are not lost', async () => {
  const tail = tailOf(
    (last, isEnd) => (isEnd ? null : `{"sequence":${last}}`),
    (request) => (request < 4 ? pageLimit : pageLimit + 20),
  )
  expect(await historyOf(tail)).toEqual(numbers(pageLimit + 20))
})

test('history of an indexer that lags is null', async () => {
  const tail = tailOf(
    (last, isEnd) => (isEnd ? null : `{"sequence":${last}}`),
    (request) => (request === 2 ? 0 : 5),
  )
  expect(await tail.history('00', { number: 0n, skip: 0 }, signal)).toBeNull()
})
