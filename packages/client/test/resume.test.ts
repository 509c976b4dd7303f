import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Live } from '../src/live.ts'
import type { LiveEvent } from '../src/readEvent.ts'
import { type BlocksData, blocksDocument, chainId, clientOf, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Reads until so many blocks have arrived. Returns their heights, and all other events. */
async function read(live: Live<BlocksData>, count: number, onBlock = (_index: number) => {}) {
  const heights: number[] = []
  const others: LiveEvent<BlocksData>[] = []
  /** How many blocks came before the last of the others. */
  let before = 0
  for await (const event of live) {
    if (event.kind === 'data') {
      heights.push(event.data.blocks.node?.height ?? -1)
      onBlock(heights.length)
    } else if (event.kind !== 'notice') {
      others.push(event)
      before = heights.length
    }
    if (heights.length >= count) break
  }
  return { heights, others, before }
}

const row = (first: number | undefined, count: number) =>
  Array.from({ length: count }, (_, index) => Number(first) + index)

test.each(['sockets', 'event streams'])('after a cut, %s continue at the next block', async (kind) => {
  const client = clientOf(world, kind === 'sockets' ? {} : { webSocketImpl: null })
  const live = client.subscribe<BlocksData, { chainId: string }>(blocksDocument, { chainId })
  const cuts = [2, 5, 6]
  const { heights, others } = await read(live, 9, (index) => {
    if (cuts.includes(index)) world.proxy.cut()
  })
  expect(heights).toEqual(row(heights[0], 9))
  expect(others).toEqual([])
  expect(live.status).toBe('ended')
})

test('a gateway restart loses nothing', async () => {
  const live = clientOf(world).subscribe<BlocksData, { chainId: string }>(blocksDocument, {
    chainId,
  })
  const statuses: string[] = []
  live.onStatus((status) => statuses.push(status))
  let restart: Promise<void> | undefined
  const { heights, others } = await read(live, 9, (index) => {
    if (index === 3) restart = world.stop().then(() => world.start())
  })
  await restart
  expect(heights).toEqual(row(heights[0], 9))
  expect(others).toEqual([])
  expect(statuses).toContain('offline')
})

test('a restart with new signing keys gives a gap, and the list continues', async () => {
  const live = clientOf(world).subscribe<BlocksData, { chainId: string }>(blocksDocument, {
    chainId,
  })
  let restart: Promise<void> | undefined
  const { heights, others, before } = await read(live, 12, (index) => {
    if (index !== 3) return
    restart = world.stop().then(() => world.start({ signingKeys: ['another key of thirty-two bytes!'] }))
  })
  await restart
  await world.stop()
  await world.start()
  expect(others).toHaveLength(1)
  expect(others[0]).toMatchObject({ kind: 'gap' })
  expect(heights.slice(0, before)).toEqual(row(heights[0], before))
  expect(heights.slice(before)).toEqual(row(heights[before], 12 - before))
})

test.each(['freeze', 'halfClose'] as const)('a connection after a %s is replaced', async (fault) => {
  // It soon misses a silent connection.
  const client = clientOf(world, { keepAlive: 1_000 })
  const live = client.subscribe<BlocksData, { chainId: string }>(blocksDocument, { chainId })
  const { heights, others } = await read(live, 6, (index) => {
    if (index === 2) world.proxy[fault]()
  })
  expect(heights).toEqual(row(heights[0], 6))
  expect(others).toEqual([])
})

test('all subscriptions of a client share one socket', async () => {
  const client = clientOf(world)
  const before = world.proxy.opened
  const lives = Array.from({ length: 5 }, () =>
    client.subscribe<BlocksData, { chainId: string }>(blocksDocument, { chainId }),
  )
  await Promise.all(lives.map((live) => read(live, 2)))
  expect(world.proxy.opened - before).toBe(1)
})

test.each(['socket', 'event stream'])('a new %s reconnects all waiting subscriptions', async (kind) => {
  let waits = 0
  const client = clientOf(world, {
    // One subscription tries again at once. The others would wait for an hour.
    retryDelay: () => (waits++ === 0 ? 0 : 3_600_000),
    ...(kind === 'event stream' && { webSocketImpl: null }),
  })
  const chains = ['harbor-1', 'galley-1', 'lantern-1']
  let begun = 0
  const readings = chains.map((chainId) => {
    const live = client.subscribe<BlocksData, { chainId: string }>(blocksDocument, { chainId })
    return read(live, 3, (blocks) => {
      if (blocks === 1 && ++begun === chains.length) world.proxy.cut()
    })
  })
  for (const { heights, others } of await Promise.all(readings)) {
    expect(heights).toEqual(row(heights[0], 3))
    expect(others).toEqual([])
  }
})

test('event streams are used if WebSockets are blocked', async () => {
  class Blocked extends EventTarget {
    onclose: ((event: object) => void) | undefined
    constructor() {
      super()
      queueMicrotask(() => this.onclose?.({ code: 1006, reason: '' }))
    }
    close() {}
  }
  const client = clientOf(world, { webSocketImpl: Blocked as unknown as typeof WebSocket })
  const live = client.subscribe<BlocksData, { chainId: string }>(blocksDocument, { chainId })
  const { heights } = await read(live, 3)
  expect(heights).toEqual(row(heights[0], 3))
})

test('a subscription resumes after the cursor of the option `resume`', async () => {
  const client = clientOf(world)
  const first = client.subscribe<BlocksData, { chainId: string }>(blocksDocument, { chainId })
  const { heights } = await read(first, 3)
  const resume = String(first.cursor)
  const second = client.subscribe<BlocksData, { chainId: string }>(blocksDocument, { chainId }, { resume })
  const later = await read(second, 2)
  expect(later.heights[0]).toBe(Number(heights.at(-1)) + 1)
})

test('client.status is that of its worst subscription', async () => {
  const client = clientOf(world, { retryDelay: () => 3_600_000, webSocketImpl: null })
  const open = () => client.subscribe<BlocksData, { chainId: string }>(blocksDocument, { chainId })
  const first = open()
  expect([first.status, client.status]).toEqual(['connecting', 'connecting'])
  await first.next()
  expect([first.status, client.status]).toEqual(['live', 'live'])
  const second = open()
  expect([first.status, second.status, client.status]).toEqual(['live', 'connecting', 'connecting'])
  await second.next()
  expect([first.status, second.status, client.status]).toEqual(['live', 'live', 'live'])
  world.proxy.cut()
  await expect.poll(() => [first.status, second.status]).toEqual(['offline', 'offline'])
  const third = open()
  expect([first.status, third.status, client.status]).toEqual(['offline', 'connecting', 'offline'])
  await Promise.all([first.return(), second.return(), third.return()])
  expect(client.status).toBe('live')
})

test('a transfer completes with its last state despite lost connections', async () => {
  const hash = `${'5AB1F6D0C3E94872B1D0A6F35E7C2984D6013FAE8B527C49E0D3915F7A26'}4B01`
  const text = `subscription WatchTransfer($hash: String!) { transfer(chainId: "osmosis-1", hash: $hash) { state } }`
  const live = clientOf(world).subscribe<{ transfer: { state: string } }, { hash: string }>(text, {
    hash,
  })
  const states: string[] = []
  for await (const event of live) {
    if (event.kind === 'data') {
      states.push(event.data.transfer.state)
      if (states.length < 3) world.proxy.cut()
    } else states.push(event.kind)
  }
  expect(states.at(-2)).toBe('COMPLETED_SUCCESS')
  expect(states.at(-1)).toBe('end')
  expect(states).not.toContain('gap')
})
