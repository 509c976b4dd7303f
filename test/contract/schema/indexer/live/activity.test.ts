import { expect, test } from 'vitest'
import { makeAccount } from '../../../../../packages/sandbox/src/address.ts'
import { createWorld } from '../../../../../packages/sandbox/src/world/world.ts'
import { type RouterWorld, startRouterWorld, type Watch } from '../../../../support/routerWorld.ts'
import { type Data, youngChains } from '../../../../support/world.ts'

const document = `subscription ($address: Address!, $chainIds: [ChainId!], $after: String) {
  activity(address: $address, chainIds: $chainIds, after: $after) {
    cursor
    chain { chainId }
    node { ... on IndexedTransaction { hash height } }
    notice { kind }
  }
}`

const chainIds = ['harbor-1', 'galley-1', 'lantern-1']

const worlds = new Map(youngChains(60).map((chain) => [chain.chainId, createWorld(chain, 'portolan', Date.now)]))

const fixturesOf = (chainId: string) => {
  const world = worlds.get(chainId)
  if (!world) throw new Error('no chain')
  return world.fixtures
}

/** Accounts of every kind: users, the fee collector, contracts and collections. */
const accounts = chainIds.flatMap((chainId) => {
  const { users, feeCollector, relayer, token, dex, collections } = fixturesOf(chainId)
  return [...users, feeCollector, relayer, token, dex, ...collections.map(({ address }) => address)]
})

const recordsOf = ({ events }: Pick<Watch, 'events'>, chainId: string): string[] =>
  events
    .map(({ activity }: Data) => activity)
    .filter(({ chain, node }: Data) => node && chain.chainId === chainId)
    .map(({ node }: Data) => node.hash)

/** The list of an account in the indexer, oldest first, from a height on. */
async function listOf(world: RouterWorld, chainId: string, address: string, from: number) {
  const url = world.sandbox.indexers.find((indexer) => indexer.chainId === chainId)?.url
  const query = 'pagination.limit=1000&pagination.reverse=false'
  const response = await fetch(`${url}/indexer/tx/v1/txs/by_account/${address}?${query}`)
  const { txs }: Data = await response.json()
  const hashes = txs.filter(({ height }: Data) => Number(height) >= from)
  world.sandbox.requests.length = 0
  return hashes.map(({ txhash }: Data) => txhash)
}

const distinct = [...new Map(accounts.map((account) => [account.hex, account])).values()]

test('activity has exactly the new records of each account, in order', async () => {
  await using world = await startRouterWorld()
  const watches = await Promise.all(
    distinct.map(({ hex, bech32 }, index) => world.watch(document, { address: index % 2 ? hex : bech32 })),
  )
  await world.clock.advance(0)
  await world.clock.advance(200_999)
  let total = 0
  for (const [index, { hex }] of distinct.entries()) {
    for (const chainId of chainIds) {
      const expected = await listOf(world, chainId, hex, 61)
      expect([hex, recordsOf(watches[index] ?? { events: [] }, chainId)]).toEqual([hex, expected])
      total += expected.length
    }
  }
  expect(total).toBeGreaterThan(500)
})

/** New blocks of the three chains in a minute: they come every 5, 2 and 3 seconds. */
const blocksAMinute = 12 + 30 + 20

/** One of 25 clients, none of whom opens more than it may. */
const clientOf = (index: number) => `10.0.0.${index % 25}`

test('2,000 subscribers and 500 accounts take one poll and one read per block', async () => {
  await using world = await startRouterWorld()
  const others = Array.from(
    { length: 500 - distinct.length },
    (_, index) => `0x${(index + 1).toString(16).padStart(40, 'a')}`,
  )
  const addresses = [...distinct.map(({ hex }) => hex), ...others]
  await Promise.all([
    ...addresses.map((address, index) => world.watch(document, { address }, clientOf(index))),
    ...Array.from({ length: 750 }, (_, index) =>
      world.watch('subscription { chainHeads { height } }', {}, clientOf(index)),
    ),
    ...Array.from({ length: 750 }, (_, index) =>
      world.watch(
        'subscription ($id: ChainId!) { blocks(chainId: $id) { node { hash } } }',
        { id: chainIds[index % 3] },
        clientOf(index),
      ),
    ),
  ])
  await world.clock.advance(0)
  world.sandbox.requests.length = 0
  await world.clock.advance(60_000)
  const sent = world.sandbox.requests.splice(0)
  const polls = sent.filter((line) => line.includes('/indexer/block/v1/blocks'))
  const reads = sent.filter((line) => line.includes('/indexer/tx/v1/txs'))
  // At first, each chain is looked at every second.
  expect(polls.length).toBeGreaterThanOrEqual(blocksAMinute)
  expect(polls.length).toBeLessThanOrEqual(blocksAMinute + 15)
  expect(reads.length).toBeLessThanOrEqual(blocksAMinute)
  expect(sent).toHaveLength(polls.length + reads.length)
}, 120_000)

test('activity resumes after a cursor on every chain', async () => {
  await using world = await startRouterWorld({ feeds: { headPace: { fullPaceViewers: 1 } } })
  const [user] = fixturesOf('galley-1').users
  const { feeCollector } = fixturesOf('galley-1')
  for (const address of [user?.hex, feeCollector.bech32]) {
    const first = await world.watch(document, { address })
    await world.clock.advance(0)
    const from = new Map(
      await Promise.all(
        chainIds.map(async (chainId) => {
          const { chain } = await world.data(`{ chain(chainId: "${chainId}") { status { height } } }`)
          return [chainId, chain.status.height + 1] as const
        }),
      ),
    )
    await world.clock.advance(120_000)
    await first.leave()
    const { cursor } = first.events.at(-1).activity
    await world.clock.advance(300_000)
    const second = await world.watch(document, { address, after: cursor })
    await world.clock.advance(60_999)
    // In the middle of what was missed.
    const third = await world.watch(document, {
      address,
      after: second.events[5]?.activity.cursor ?? cursor,
    })
    await world.clock.advance(30_999)
    for (const chainId of chainIds) {
      const expected = await listOf(world, chainId, address ?? '', from.get(chainId) ?? 0)
      const before = recordsOf(first, chainId)
      expect([...before, ...recordsOf(second, chainId)]).toEqual(expected)
      const cut = { events: second.events.slice(0, 6) }
      expect([...before, ...recordsOf(cut, chainId), ...recordsOf(third, chainId)]).toEqual(expected)
    }
    await second.leave()
    await third.leave()
  }
})

test('a chain that fails gives a notice, loses nothing and does not block others', async () => {
  await using world = await startRouterWorld()
  const { feeCollector } = fixturesOf('galley-1')
  const watch = await world.watch(document, { address: feeCollector.hex })
  await world.clock.advance(20_000)
  const fault = { kind: 'status', status: 503 } as const
  world.sandbox.faults.set('galley-1', '/indexer/tx/v1/txs', fault)
  await world.clock.advance(90_000)
  world.sandbox.faults.set('lantern-1', '/', fault)
  await world.clock.advance(90_000)
  const notices = watch.events.flatMap(({ activity }: Data) =>
    activity.notice ? [`${activity.chain.chainId} ${activity.notice.kind}`] : [],
  )
  expect(notices).toEqual(['galley-1 LATE', 'lantern-1 LATE'])
  world.sandbox.faults.clear()
  await world.clock.advance(90_999)
  for (const chainId of chainIds) {
    const expected = await listOf(world, chainId, feeCollector.hex, 61)
    expect(recordsOf(watch, chainId)).toEqual(expected)
  }
})

test('a chain that fails for 25 minutes continues where it was', async () => {
  await using world = await startRouterWorld()
  const { feeCollector } = fixturesOf('lantern-1')
  const watch = await world.watch(document, { address: feeCollector.hex })
  await world.clock.advance(20_000)
  world.sandbox.faults.set('lantern-1', '/', { kind: 'status', status: 503, times: 10_000 })
  await world.clock.advance(25 * 60_000)
  world.sandbox.faults.clear()
  const later = await world.watch(document, { address: feeCollector.hex, chainIds: ['lantern-1'] })
  await world.clock.advance(30_000)
  await world.clock.advance(60_999)
  const expected = await listOf(world, 'lantern-1', feeCollector.hex, 61)
  expect(expected.length).toBeGreaterThan(3)
  expect(recordsOf(watch, 'lantern-1')).toEqual(expected)
  const seen = recordsOf(later, 'lantern-1')
  expect(seen.length).toBeGreaterThan(0)
  expect(expected.slice(-seen.length)).toEqual(seen)
}, 60_000)

test('activity without listeners sends no requests', async () => {
  await using world = await startRouterWorld()
  const { feeCollector } = fixturesOf('galley-1')
  const watch = await world.watch(document, { address: feeCollector.hex, chainIds: ['galley-1'] })
  await world.clock.advance(10_000)
  expect(world.sandbox.requests.every((line) => line.startsWith('galley-1'))).toBe(true)
  await watch.leave()
  world.sandbox.requests.length = 0
  await world.clock.advance(60_000)
  expect(world.sandbox.requests).toEqual([])
})

test('activity refuses invalid arguments', async () => {
  await using world = await startRouterWorld()
  const [one, other] = fixturesOf('galley-1').users
  const watch = await world.watch(document, { address: fixturesOf('galley-1').feeCollector.hex })
  await world.clock.advance(20_000)
  const { cursor } = watch.events.at(-1).activity
  for (const args of [
    { address: one?.hex, chainIds: ['nowhere-1'] },
    { address: one?.hex, after: 'x' },
    { address: other?.hex, after: cursor },
    { address: 'init1nonsense' },
  ]) {
    const refusal = await world.watch(document, args).catch((error: Data) => error)
    expect(refusal.code ?? refusal.extensions.code).toBe('BAD_USER_INPUT')
  }
})

test('activity without chains completes at once', async () => {
  await using world = await startRouterWorld()
  const watch = await world.watch(document, { address: accounts[0]?.hex, chainIds: [] })
  await world.clock.advance(0)
  expect(watch.end).toBe('completed')
  expect(watch.events).toEqual([])
})

test('a deeply nested attribute does not end activity', async () => {
  await using world = await startRouterWorld({ feeds: { headPace: { fullPaceViewers: 1 } } })
  const [user] = fixturesOf('galley-1').users
  const { feeCollector } = fixturesOf('galley-1')
  const nested = { key: 'data', value: '['.repeat(20_000) + ']'.repeat(20_000) }
  let changed = 0
  world.sandbox.faults.set('galley-1', '/indexer/tx/v1/txs', {
    kind: 'change',
    change: (json: Data) => {
      const txs = json.txs?.map((tx: Data) => {
        if (Number(tx.height) % 7 !== 0) return tx
        changed += 1
        return { ...tx, events: [{ type: 'odd', attributes: [nested] }, ...tx.events] }
      })
      return { ...json, ...(txs && { txs }) }
    },
  })
  const args = { chainIds: ['galley-1'] }
  const watches = await Promise.all(
    [user?.hex, feeCollector.bech32].map((address) => world.watch(document, { address, ...args })),
  )
  await world.clock.advance(0)
  await world.clock.advance(60_999)
  expect(changed).toBeGreaterThan(0)
  const [watch] = watches.toReversed()
  const expected = await listOf(world, 'galley-1', feeCollector.bech32, 61)
  expect(expected.length).toBeGreaterThan(20)
  expect(recordsOf(watch ?? { events: [] }, 'galley-1')).toEqual(expected)
})

/** Makes the transactions of each seventh block of a chain unreadable, in all lists. */
const breakSevenths = (world: RouterWorld, chainId: string) =>
  world.sandbox.faults.set(chainId, '/indexer/tx/v1/txs', {
    kind: 'change',
    change: ({ txs, ...json }: Data) => ({
      ...json,
      ...(txs && {
        txs: txs.map((tx: Data) => (Number(tx.height) % 7 === 0 ? { ...tx, gas_used: 'many' } : tx)),
      }),
    }),
  } as Parameters<RouterWorld['sandbox']['faults']['set']>[2])

test('an unreadable transaction is a notice in its place, also when missed', async () => {
  await using world = await startRouterWorld({ feeds: { headPace: { fullPaceViewers: 1 } } })
  const { feeCollector } = fixturesOf('galley-1')
  const address = feeCollector.bech32
  const args = { address, chainIds: ['galley-1'] }
  breakSevenths(world, 'galley-1')
  const watch = await world.watch(document, args)
  await world.clock.advance(0)
  await world.clock.advance(60_999)
  const told = ({ events }: Watch) =>
    events.map(({ activity: { node, notice } }: Data) => node?.height % 7 || notice.kind)
  const unreadable = told(watch).filter((kind) => kind === 'UNREADABLE')
  const all = await listOf(world, 'galley-1', address, 61)
  // The fee collector is in all transactions.
  expect(unreadable.length).toBeGreaterThan(3)
  expect(told(watch).length).toBe(all.length)
  expect(recordsOf(watch, 'galley-1').length).toBe(all.length - unreadable.length)
  expect(recordsOf(watch, 'galley-1')).not.toContain(undefined)

  const [first] = watch.events
  const again = await world.watch(document, { ...args, after: first?.activity.cursor })
  await world.clock.advance(10_000)
  expect(told(again).slice(0, all.length - 1)).toEqual(told(watch).slice(1, all.length))
})

test('an unreadable transaction is null with an error in account activity', async () => {
  await using world = await startRouterWorld()
  const { feeCollector } = fixturesOf('galley-1')
  breakSevenths(world, 'galley-1')
  const { data, errors } = await world.ask(
    `{ account(address: "${feeCollector.bech32}") { activity(first: 80, filter: { chainIds: ["galley-1"] }) { nodes { hash } } } }`,
  )
  const nodes = data.account.activity.nodes.map((node: Data, index: number) => node?.hash ?? index)
  const missing = nodes.filter((node: unknown) => typeof node === 'number')
  expect(missing.length).toBeGreaterThan(0)
  expect(errors).toMatchObject(
    missing.map((index: number) => ({
      path: ['account', 'activity', 'nodes', index],
      extensions: { code: 'UPSTREAM_INVALID_RESPONSE', service: 'galley-1' },
    })),
  )
})

test('an unreadable list gives a notice with the reason, and then continues', async () => {
  await using world = await startRouterWorld({ feeds: { headPace: { fullPaceViewers: 1 } } })
  const { feeCollector } = fixturesOf('galley-1')
  const address = feeCollector.bech32
  const watch = await world.watch(document.replace('notice { kind }', 'notice { kind message headHeight }'), {
    address,
    chainIds: ['galley-1'],
  })
  await world.clock.advance(10_999)
  world.sandbox.faults.set('galley-1', '/indexer/tx/v1/txs', { kind: 'answer', json: { txs: 1 } })
  await world.clock.advance(20_000)
  const notices = watch.events.flatMap(({ activity }: Data) => activity.notice ?? [])
  expect(notices).toEqual([
    {
      kind: 'LATE',
      message: expect.stringMatching(/^The new transactions of galley-1 cannot be read: .+\. They/),
      headHeight: expect.any(Number),
    },
  ])
  world.sandbox.faults.clear()
  await world.clock.advance(20_000)
  const expected = await listOf(world, 'galley-1', address, 61)
  expect(recordsOf(watch, 'galley-1')).toEqual(expected)
})

test('activity after `liveCursor` starts right after the page', async () => {
  await using world = await startRouterWorld()
  const { feeCollector } = fixturesOf('galley-1')
  const address = feeCollector.hex
  const { account } = await world.data(
    `{ account(address: "${address}") { activity(first: 50) { liveCursor nodes { hash chain { chainId } } } } }`,
  )
  const { liveCursor, nodes } = account.activity
  // Blocks arrive before the page leads on.
  await world.clock.advance(30_000)
  const live = await world.watch(document, { address, after: liveCursor })
  await world.clock.advance(30_999)
  let seen = 0
  for (const chainId of chainIds) {
    const onPage = nodes.filter(({ chain }: Data) => chain.chainId === chainId).map(({ hash }: Data) => hash)
    const all = [...onPage.toReversed(), ...recordsOf(live, chainId)]
    expect(all).toEqual((await listOf(world, chainId, address, 0)).slice(-all.length))
    seen += recordsOf(live, chainId).length
  }
  expect(seen).toBeGreaterThan(10)
})

test('`liveCursor` takes no request, and is null on all but the newest page', async () => {
  await using world = await startRouterWorld()
  const { hex } = fixturesOf('galley-1').feeCollector
  const page = async (args: string, fields: string) => {
    world.sandbox.requests.length = 0
    const { account } = await world.data(
      `{ account(address: "${hex}") { activity(${args}) { ${fields} nodes { hash } pageInfo { endCursor } } } }`,
    )
    return { ...account.activity, requests: world.sandbox.requests.length }
  }
  const newest = await page('first: 5', 'liveCursor')
  expect(newest.liveCursor).toEqual(expect.any(String))
  expect(newest.requests).toBe((await page('first: 5', '')).requests)
  const others = [`after: "${newest.pageInfo.endCursor}"`, 'order: ASC', 'last: 5']
  for (const args of [...others, 'filter: { signedOnly: true }']) {
    expect([args, (await page(args, 'liveCursor')).liveCursor]).toEqual([args, null])
  }
})

test('activity after the `liveCursor` of an account without transactions has its first', async () => {
  await using world = await startRouterWorld()
  const { hex, bech32 } = makeAccount('init', 20, 'newcomer')
  const { account } = await world.data(`{ account(address: "${hex}") { activity { liveCursor nodes { hash } } } }`)
  expect(account.activity.nodes).toEqual([])
  const live = await world.watch(document, { address: hex, after: account.activity.liveCursor })
  await world.clock.advance(20_000)
  expect(live.end).toBeUndefined()
  expect(live.events).toEqual([])
  const received = { type: 'coin_received', attributes: [{ key: 'receiver', value: bech32 }] }
  let first: string | undefined
  world.sandbox.faults.set('galley-1', '/indexer/tx/v1/txs', {
    kind: 'change',
    change: ({ txs, ...json }: Data) => {
      first ??= txs?.at(-1)?.txhash
      const withEvent = (tx: Data) => (tx.txhash === first ? { ...tx, events: [...tx.events, received] } : tx)
      return { ...json, ...(txs && { txs: txs.map(withEvent) }) }
    },
  })
  await world.clock.advance(20_000)
  expect(first).toEqual(expect.any(String))
  expect(recordsOf(live, 'galley-1')).toEqual([first])
  expect(live.events).toHaveLength(1)
  expect(live.end).toBeUndefined()
})
