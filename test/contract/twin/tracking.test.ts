import { describe, expect, test } from 'vitest'
import { hashOf, startRouterWorld } from '../../support/routerWorld.ts'
import type { Data } from '../../support/world.ts'
import { plainRouter, type RouterChoices, startTwinRouter, untrackedReplies } from './router.ts'

// The contract: a router knows nothing of a transaction before POST /v2/tx/track, which is sent once. Then its status is read
// until it is terminal.

const watch = `subscription ($hash: String!, $track: Boolean! = true) {
  transfer(chainId: "twin-1", hash: $hash, track: $track) { state rawState isTerminal outcome hops { state } search { isTracked } }
}`

const hash = hashOf('07')

/** Watches a transfer of a router with these choices, beside another who watches it, and a third who comes late. */
async function play(choices: Partial<RouterChoices>, seconds = 120) {
  await using router = await startTwinRouter({ ...plainRouter, ...choices })
  await using world = await startRouterWorld({ routerUrl: router.url })
  const early = [await world.watch(watch, { hash }), await world.watch(watch, { hash: `0x${hash.toLowerCase()}` })]
  await world.clock.advance(1_000)
  const late = await world.watch(watch, { hash })
  await world.clock.advance(seconds * 1_000)
  const requests = [...router.requests]
  const after = await world.watch(watch, { hash })
  await world.clock.advance(1_000)
  return { watches: [...early, late, after], requests, all: router.requests }
}

const tracks = (requests: readonly string[]) => requests.filter((request) => request === 'POST /v2/tx/track').length

describe.each(Object.keys(untrackedReplies))('a router that answers an untracked hash with %s', (untracked) => {
  test.each([0, 3])(
    'is asked to track once, and the watch ends as the router says, %i polls later',
    async (slowPolls) => {
      const { watches, requests, all } = await play({ untracked, slowPolls })
      expect(requests[0]).toBe('POST /v2/tx/track')
      expect(tracks(all)).toBe(1)
      for (const { events, end } of watches) {
        expect(end).toBe('completed')
        expect(events.at(-1)).toMatchObject({ transfer: { state: 'COMPLETED_SUCCESS', outcome: 'SUCCEEDED' } })
        // What was said before was never an end.
        for (const { transfer } of events.slice(0, -1))
          expect(transfer).toMatchObject({ isTerminal: false, outcome: 'PENDING' })
      }
    },
  )

  test('is not asked to track by a query, or by a watch that only looks', async () => {
    await using router = await startTwinRouter({ ...plainRouter, untracked })
    await using world = await startRouterWorld({ routerUrl: router.url })
    await world.ask(`{ transfer(chainId: "twin-1", hash: "${hash}") { state } }`)
    const looking = await world.watch(watch, { hash, track: false })
    await world.clock.advance(20_000)
    expect(tracks(router.requests)).toBe(0)
    expect(looking.end).toBeUndefined()
    // Another one tracks it. Who looks sees the same end.
    const other = await world.watch(watch, { hash })
    await world.clock.advance(120_000)
    expect(tracks(router.requests)).toBe(1)
    for (const { events, end } of [looking, other]) {
      expect(end).toBe('completed')
      expect(events.at(-1)).toMatchObject({ transfer: { outcome: 'SUCCEEDED' } })
    }
  })
})

test('a tracking that fails is tried again with the polls, until it is taken', async () => {
  const trackingFaults = [
    [503, ''],
    [500, { fault: 'internal' }],
    [404, { fault: 'not seen yet' }],
  ] as const
  const { watches, all } = await play({ trackingFaults })
  expect(tracks(all)).toBe(4)
  for (const { events, end } of watches) {
    expect(end).toBe('completed')
    expect(events.at(-1)).toMatchObject({ transfer: { outcome: 'SUCCEEDED' } })
  }
})

test('a router that fails whatever it is asked about an untracked hash does not end the watch', async () => {
  const trackingFaults = [
    [500, ''],
    [500, ''],
    [500, ''],
  ] as const
  const { watches, all } = await play({ untracked: '500', trackingFaults }, 300)
  expect(tracks(all)).toBe(4)
  for (const { end } of watches) expect(end).toBe('completed')
})

test('a router that will not track a transaction ends the watch with its refusal', async () => {
  const trackingFaults = Array.from({ length: 20 }, () => [400, { message: 'malformed hash' }] as const)
  await using router = await startTwinRouter({ ...plainRouter, trackingFaults })
  await using world = await startRouterWorld({ routerUrl: router.url })
  // It may have ended before it is opened.
  const watched = await world.watch(watch, { hash }).catch((end: unknown) => ({ end }))
  await world.clock.advance(1_000)
  expect(watched.end).toMatchObject({ code: 'UPSTREAM_REJECTED', service: 'router' })
  expect(tracks(router.requests)).toBe(1)
})

test('a mutation that tracks counts: a watch after it does not track again', async () => {
  await using router = await startTwinRouter(plainRouter)
  await using world = await startRouterWorld({ routerUrl: router.url })
  const track = `mutation { trackTransfer(input: { chainId: "twin-1", hash: "${hash}" }) { transfer { state } } }`
  expect((await world.data(track)).trackTransfer.transfer.state).toBe('PENDING')
  const watched = await world.watch(watch, { hash })
  await world.clock.advance(60_000)
  expect(watched.end).toBe('completed')
  expect(tracks(router.requests)).toBe(1)
})

test('a state that is never an end is watched for ten minutes and more', async () => {
  await using router = await startTwinRouter({ ...plainRouter, states: ['STATE_ASTRAY'] })
  await using world = await startRouterWorld({ routerUrl: router.url })
  const watched = await world.watch(watch, { hash })
  await world.clock.advance(15 * 60_000)
  expect(watched.end).toBeUndefined()
  expect(watched.events.map(({ transfer }: Data) => transfer.rawState)).toEqual(['STATE_ASTRAY'])
})

test('a transfer that the router knows nothing of ends its watch with an error after ten minutes', async () => {
  await using router = await startTwinRouter({ ...plainRouter, states: ['STATE_UNKNOWN'] })
  await using world = await startRouterWorld({ routerUrl: router.url })
  const watched = await world.watch(watch, { hash })
  await world.clock.advance(9 * 60_000)
  expect(watched.end).toBeUndefined()
  await world.clock.advance(2 * 60_000)
  expect(watched.end).toMatchObject({ code: 'UPSTREAM_REJECTED' })
})
