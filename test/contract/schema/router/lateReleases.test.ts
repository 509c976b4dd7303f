import { describe, expect, test } from 'vitest'
import { hashOf, type RouterWorld, startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

// A router says that a transfer has failed before it knows where the funds are.

const ref = { chainId: 'harbor-1', hash: hashOf('00') }
const parts = 'isTerminal outcome assetRelease { chainId amount isReleased } error { message }'
const one = `subscription ($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) { ${parts} } }`
const several = `subscription ($inputs: [TransferInput!]) { transfers(inputs: $inputs) { ${parts} } }`
const query = `query ($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) { ${parts} } }`

const release = { chain_id: 'galley-1', denom: 'uinit', amount: '7', released: true }
const found = { chainId: 'galley-1', amount: '7', isReleased: true }
const error = { message: 'The packet timed out.' }

/** What the router answers from now on. */
const answer = ({ sandbox }: RouterWorld, body: object) =>
  sandbox.faults.set('router', '/v2/tx/status', {
    kind: 'answer',
    json: { transfer_sequence: [], error, ...body },
  })

const statusCalls = (world: RouterWorld) => world.requests().filter((line) => line.includes('/v2/tx/status')).length

const failures = [
  ['STATE_COMPLETED_ERROR', 'FAILED'],
  ['STATE_FAILED', 'FAILED'],
  ['STATE_ABANDONED', 'ABANDONED'],
] as const

describe.each(failures)('after %s without a release', (state, outcome) => {
  test.each([
    ['transfer', one, ref],
    ['transfers', several, { inputs: [ref] }],
  ])('`%s` sends one more event once the release is known, and completes', async (field, document, variables) => {
    await using world = await startRouterWorld()
    answer(world, { state, transfer_asset_release: null })
    const watch = await world.watch(document, variables)
    await world.clock.advance(6_000)
    const events = () => watch.events.map((event: Data) => event[field])
    expect(events()).toMatchObject([{ isTerminal: true, outcome, assetRelease: null }])
    expect(watch.end).toBeUndefined()
    answer(world, { state, transfer_asset_release: release })
    await world.clock.advance(9_000)
    expect(events().slice(1)).toMatchObject([{ isTerminal: true, outcome, assetRelease: found }])
    expect(watch.end).toBe('completed')
  })

  test('the subscription completes after at most 30 s, with few polls', async () => {
    await using world = await startRouterWorld()
    answer(world, { state, transfer_asset_release: null })
    const watches = await Promise.all([1, 2, 3].map(() => world.watch(one, ref)))
    await world.clock.advance(28_500)
    for (const { events, end } of watches) {
      expect(events).toHaveLength(1)
      expect(end).toBe('completed')
    }
    // The polls of three listeners are those of one.
    expect(statusCalls(world)).toBeLessThanOrEqual(6)
    expect(world.poller.size).toBe(0)
  })

  test('a router that fails does not end the subscription with an error', async () => {
    await using world = await startRouterWorld()
    answer(world, { state, transfer_asset_release: null })
    const watch = await world.watch(one, ref)
    await world.clock.advance(500)
    world.sandbox.faults.set('router', '/v2/tx/status', {
      kind: 'status',
      status: 500,
    })
    await world.clock.advance(30_000)
    expect(watch).toMatchObject({ end: 'completed', events: [{ transfer: { outcome } }] })
  })

  test('a query has the release once the router has it', async () => {
    await using world = await startRouterWorld()
    answer(world, { state, transfer_asset_release: null })
    const watch = await world.watch(one, ref)
    await world.clock.advance(3_000)
    expect((await world.data(query, ref)).transfer).toMatchObject({ outcome, assetRelease: null })
    answer(world, { state, transfer_asset_release: release })
    expect((await world.data(query, ref)).transfer).toMatchObject({ assetRelease: found })
    await watch.leave()
  })

  test('without the release in the selection, the terminal event is the last', async () => {
    await using world = await startRouterWorld()
    answer(world, { state, transfer_asset_release: null })
    const watch = await world.watch(one.replace(parts, 'outcome'), ref)
    await world.clock.advance(500)
    expect(watch).toMatchObject({ end: 'completed', events: [{ transfer: { outcome } }] })
  })
})

test('a late release and a late error are sent as events', async () => {
  await using world = await startRouterWorld()
  const state = 'STATE_COMPLETED_ERROR'
  const held = { ...release, released: false }
  answer(world, { state, transfer_asset_release: held, error: null })
  const watch = await world.watch(one, ref)
  await world.clock.advance(500)
  answer(world, { state, transfer_asset_release: held })
  await world.clock.advance(4_000)
  answer(world, { state, transfer_asset_release: release })
  await world.clock.advance(12_000)
  expect(watch.events.map(({ transfer }: Data) => transfer)).toMatchObject([
    { assetRelease: { isReleased: false }, error: null },
    { assetRelease: { isReleased: false }, error },
    { assetRelease: found, error },
  ])
  expect(watch.end).toBe('completed')
})

test('a router replica that lags does not undo a release', async () => {
  await using world = await startRouterWorld()
  const state = 'STATE_COMPLETED_ERROR'
  answer(world, { state, transfer_asset_release: release })
  const watch = await world.watch(one, ref)
  await world.clock.advance(500)
  expect(watch.end).toBe('completed')
  answer(world, { state, transfer_asset_release: null })
  await world.clock.advance(5_000)
  expect((await world.data(query, ref)).transfer).toMatchObject({ assetRelease: found })
})

test('an abandoned transfer that resumes stays completed for its subscription', async () => {
  await using world = await startRouterWorld()
  answer(world, { state: 'STATE_ABANDONED', transfer_asset_release: null })
  const watch = await world.watch(one, ref)
  await world.clock.advance(500)
  answer(world, { state: 'STATE_PENDING', transfer_asset_release: null })
  await world.clock.advance(30_000)
  expect(watch).toMatchObject({ end: 'completed', events: [{ transfer: { isTerminal: true } }] })
})
