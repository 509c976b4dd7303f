import { expect, test } from 'vitest'
import type { Quirks } from '../../../../packages/sandbox/src/sandbox.ts'
import { createWorld } from '../../../../packages/sandbox/src/world/world.ts'
import { heightTail } from '../../../../src/schema/indexer/live/heightTail.ts'
import type { TransactionRecord } from '../../../../src/schema/indexer/transaction/wire.ts'
import { type RouterWorld, startRouterWorld, type Watch } from '../../../support/routerWorld.ts'
import { type Data, youngChains } from '../../../support/world.ts'

const document = `subscription ($address: Address!, $chainIds: [ChainId!], $after: String) {
  activity(address: $address, chainIds: $chainIds, after: $after) {
    cursor
    chain { chainId }
    node { ... on IndexedTransaction { hash height } }
    notice { kind }
  }
}`

/** Indexers whose page keys do not say which transaction is the last of a page. */
const others: readonly { readonly name: string; readonly quirks: Quirks }[] = [
  { name: 'opaque page keys', quirks: { opaqueKeys: true } },
  {
    name: 'opaque page keys, except on the last page',
    quirks: { opaqueKeys: true, keylessEnd: true },
  },
  { name: 'no key on the last page', quirks: { keylessEnd: true } },
  { name: 'no key on the last of short pages', quirks: { keylessEnd: true, maxLimit: 7 } },
  { name: 'short pages with opaque keys', quirks: { opaqueKeys: true, maxLimit: 7 } },
]

const chainId = 'galley-1'

/** Each viewer gets the records of a block within a second. */
const feeds = { headPace: { fullPaceViewers: 1 } }

const chainsWith = (quirks: Quirks) =>
  youngChains(60).map((chain) => (chain.chainId === chainId ? { ...chain, quirks } : chain))

/** Users and contracts of the chain. */
function accountsOf(quirks: Quirks): readonly string[] {
  const chain = chainsWith(quirks).find((each) => each.chainId === chainId)
  if (!chain) throw new Error('no chain')
  const { users, feeCollector, token, dex } = createWorld(chain, 'portolan', Date.now).fixtures
  return [...users, feeCollector, token, dex].map(({ hex }) => hex)
}

/** The new transactions of an account in the indexer, oldest first. */
async function listOf(world: RouterWorld, address: string, from: number): Promise<string[]> {
  const url = world.sandbox.indexers.find((indexer) => indexer.chainId === chainId)?.url
  const hashes: string[] = []
  for (let key: string | undefined; ; ) {
    const query = new URLSearchParams({
      'pagination.reverse': 'false',
      ...(key && { 'pagination.key': key }),
    })
    const response = await fetch(`${url}/indexer/tx/v1/txs/by_account/${address}?${query}`)
    const { txs, pagination }: Data = await response.json()
    hashes.push(...txs.filter((tx: Data) => Number(tx.height) >= from).map((tx: Data) => tx.txhash))
    if (txs.length === 0 || pagination.next_key === null) return hashes
    key = pagination.next_key
  }
}

const hashesOf = ({ events }: Pick<Watch, 'events'>): string[] =>
  events.flatMap(({ activity }: Data) => (activity.node ? [activity.node.hash] : []))

test.each(others)('activity of an indexer with $name has exactly the new transactions', async ({ quirks }) => {
  await using world = await startRouterWorld({ chains: chainsWith(quirks) })
  const accounts = accountsOf(quirks)
  const watches = await Promise.all(accounts.map((address) => world.watch(document, { address, chainIds: [chainId] })))
  await world.clock.advance(0)
  await world.clock.advance(100_999)
  let total = 0
  for (const [index, address] of accounts.entries()) {
    const expected = await listOf(world, address, 61)
    expect([address, hashesOf(watches[index] ?? { events: [] })]).toEqual([address, expected])
    total += expected.length
  }
  expect(total).toBeGreaterThan(50)
})

test.each(others)('activity of an indexer with $name resumes from every cursor', async ({ quirks }) => {
  await using world = await startRouterWorld({ chains: chainsWith(quirks), feeds })
  // Its transactions are several in a block, so that a cursor can be within one.
  const address = accountsOf(quirks).at(-3) ?? ''
  const chains = [chainId]
  const first = await world.watch(document, { address, chainIds: chains })
  await world.clock.advance(0)
  await world.clock.advance(20_999)
  await first.leave()
  const before = hashesOf(first)
  expect(new Set(first.events.map(({ activity }: Data) => activity.node.height)).size).toBeLessThan(before.length)
  await world.clock.advance(60_000)
  for (const [index, { activity }] of first.events.entries()) {
    const later = await world.watch(document, {
      address,
      chainIds: chains,
      after: activity.cursor,
    })
    await world.clock.advance(2_999)
    // The cursors of what was missed lead on as well.
    const again = await world.watch(document, {
      ...{ address, chainIds: chains },
      after: later.events[2]?.activity.cursor,
    })
    await world.clock.advance(2_999)
    const expected = await listOf(world, address, 61)
    expect([...before.slice(0, index + 1), ...hashesOf(later)]).toEqual(expected)
    expect([...before.slice(0, index + 1), ...hashesOf(later).slice(0, 3), ...hashesOf(again)]).toEqual(expected)
    await Promise.all([later.leave(), again.leave()])
  }
})

test('an indexer with opaque keys is read once per block with transactions', async () => {
  const quirks = { opaqueKeys: true }
  await using world = await startRouterWorld({ chains: chainsWith(quirks), feeds })
  for (const address of accountsOf(quirks)) await world.watch(document, { address, chainIds: [chainId] })
  await world.clock.advance(10_000)
  world.sandbox.requests.length = 0
  await world.clock.advance(60_000)
  const reads = world.sandbox.requests.filter((line) => line.includes('/indexer/tx/v1/txs'))
  expect(reads.length).toBeGreaterThan(10)
  expect(reads.length).toBeLessThanOrEqual(30)
})

test('activity with too many missed transactions gives a notice and can start again', async () => {
  const quirks = { opaqueKeys: true, maxLimit: 1 }
  await using world = await startRouterWorld({ chains: chainsWith(quirks), feeds })
  const address = accountsOf(quirks).at(-3) ?? ''
  const first = await world.watch(document, { address, chainIds: [chainId] })
  await world.clock.advance(0)
  await world.clock.advance(4_999)
  await first.leave()
  await world.clock.advance(120_000)
  const after = first.events.at(-1).activity.cursor
  const both = await world.watch(document, { address, chainIds: [chainId, 'harbor-1'], after })
  const alone = await world.watch(document, { address, chainIds: [chainId], after })
  const anew = await world.watch(document, { address, chainIds: [chainId] })
  await world.clock.advance(30_999)
  const notices = ({ events }: Watch) =>
    events.flatMap(({ activity: { chain, notice } }: Data) => (notice ? [[chain.chainId, notice.kind]] : []))
  expect(notices(both)).toEqual([[chainId, 'UNSUPPORTED']])
  expect(both.end).toBeUndefined()
  expect(notices(alone)).toEqual([[chainId, 'UNSUPPORTED']])
  expect(alone.end).toMatchObject({ code: 'UPSTREAM_REJECTED', reason: 'TOO_FAR_BACK' })
  expect(hashesOf(anew).length).toBeGreaterThan(5)
})

const { signal } = new AbortController()

/** Transactions of a chain, three in each block, newest first. */
const transactions = (count: number): TransactionRecord[] =>
  Array.from({ length: count }, (_, index) => count - 1 - index).map(
    (number) => ({ txhash: `${number}`, height: BigInt(Math.floor(number / 3)) }) as TransactionRecord,
  )

/** Reads a list by pages whose keys are indexes. */
const readsOf = (list: readonly TransactionRecord[]) =>
  heightTail({ chainId: 'a-1', bech32Prefix: undefined }, async (_path, { key, limit }) => {
    const end = Number(key ?? 0) + limit
    return { items: list.slice(end - limit, end), nextKey: `${end}`, isShort: false }
  })

test('an indexer that lists the oldest first is refused', async () => {
  const tail = readsOf(transactions(30).toReversed())
  await expect(tail.after(0n, signal)).rejects.toMatchObject({
    ...{ code: 'UPSTREAM_REJECTED', reason: 'NO_SEQUENCES' },
  })
})

test('too many new transactions give a gap, and then whole blocks', async () => {
  const all = transactions(9_001)
  const page = await readsOf(all).after(0n, signal)
  expect(page.hasGap).toBe(true)
  const heights = page.records.map(({ record }) => Number(record.height))
  expect(heights).toEqual(
    all
      .slice(0, heights.length)
      .map(({ height }) => Number(height))
      .toReversed(),
  )
  expect(heights.filter((height) => height === heights[0])).toHaveLength(3)
  expect(heights.length).toBeGreaterThan(4_990)
  const rest = await readsOf(all).after(page.records.at(-2)?.number ?? 0n, signal)
  expect(rest).toMatchObject({ hasGap: false, records: [{ record: { txhash: '9000' } }] })
})
