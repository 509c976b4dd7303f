import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hashOf, type RouterWorld, startFakeRouter, startRouterWorld } from '../../support/routerWorld.ts'

// What a router says about transfers that cannot be right, numbered U32 to U35 and U37.

let router: Awaited<ReturnType<typeof startFakeRouter>>
let world: RouterWorld
/** The bodies of the next statuses. The last one is repeated. Null for a 404. */
let statuses: (object | null)[] = []

beforeAll(async () => {
  router = await startFakeRouter(() => {
    const [status = null] = statuses.length > 1 ? statuses.splice(0, 1) : statuses
    if (status) return { body: JSON.stringify({ transfer_sequence: [], ...status }) }
    return { status: 404, body: '{"code":5,"message":"tx not found","details":[]}' }
  })
  world = await startRouterWorld({ routerUrl: router.url })
})

afterEach(() => {
  expect(world.poller.size).toBe(0)
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await router[Symbol.asyncDispose]()
})

/** The states that a subscription gives for these statuses, and how it ends. */
async function watch(name: string, ...given: (object | null)[]) {
  statuses = given
  const subscription = await world.watch(
    'subscription ($txHash: String!) { transfer(chainId: "a", hash: $txHash, track: false) { state hops { state } } }',
    { txHash: hashOf(name) },
  )
  for (let second = 0; second < 40 && subscription.end === undefined; second += 1) {
    await world.clock.advance(1_000)
  }
  const states = subscription.events.map(({ transfer }) => transfer?.state)
  const { events, end } = subscription
  await subscription.leave()
  return { states, end, hops: events.map(({ transfer }) => transfer?.hops.length) }
}

const state = (name: string) => ({ state: `STATE_${name}` })
const hop = (name: string) => ({
  ibc_transfer: { from_chain_id: 'a', to_chain_id: 'b', state: `TRANSFER_${name}`, packet_txs: {} },
})

test('U32 a finished transfer stays finished', async () => {
  const flapping = [state('PENDING'), state('COMPLETED_SUCCESS'), state('PENDING')]
  const first = await watch('32', ...flapping)
  expect(first).toMatchObject({ states: ['PENDING', 'COMPLETED_SUCCESS'], end: 'completed' })
  const late = await watch('32', state('PENDING'))
  expect(late).toMatchObject({ states: ['COMPLETED_SUCCESS'], end: 'completed' })
})

test('U33 an unknown state does not end a transfer', async () => {
  const { states, end } = await watch('33', state('WAITING'), state('COMPLETED_SUCCESS'))
  expect([states, end]).toEqual([['UNKNOWN', 'COMPLETED_SUCCESS'], 'completed'])
})

test('U34 a final state in either field ends a transfer, and the more precise one wins', async () => {
  const [pending] = [state('PENDING')]
  const ends: [body: object, expected: string][] = [
    [{ status: 'STATE_COMPLETED' }, 'COMPLETED_SUCCESS'],
    [{ state: 'STATE_COMPLETED_ERROR' }, 'COMPLETED_ERROR'],
    [{ status: 'STATE_COMPLETED', state: 'STATE_COMPLETED_ERROR' }, 'COMPLETED_ERROR'],
    [{ status: 'STATE_PENDING', state: 'STATE_COMPLETED_SUCCESS' }, 'COMPLETED_SUCCESS'],
  ]
  for (const [index, [body, expected]] of ends.entries()) {
    const { states, end } = await watch(`a${index}`, pending, body)
    expect([body, states, end]).toEqual([body, ['PENDING', expected], 'completed'])
  }
  const body = { status: 'STATE_COMPLETED', state: 'STATE_PENDING' }
  expect(await watch('a9', body)).toMatchObject({ states: ['PENDING'], end: undefined })
})

test('U35 a transfer that the router temporarily forgets is still watched', async () => {
  const { states, end } = await watch('35', ...[state('PENDING'), null, null, state('COMPLETED_SUCCESS')])
  expect([states, end]).toEqual([['PENDING', 'COMPLETED_SUCCESS'], 'completed'])
})

test('U37 an older status after a newer one is ignored', async () => {
  const one = { ...state('PENDING'), transfer_sequence: [hop('SUCCESS'), hop('PENDING')] }
  const two = { ...state('PENDING'), transfer_sequence: [hop('SUCCESS'), hop('SUCCESS')] }
  const older = { ...state('SUBMITTED'), transfer_sequence: [] }
  const done = { ...two, ...state('COMPLETED_SUCCESS') }
  const { states, hops, end } = await watch('37', one, older, two, one, two, done)
  expect(states).toEqual(['PENDING', 'PENDING', 'COMPLETED_SUCCESS'])
  expect([hops, end]).toEqual([[2, 2, 2], 'completed'])
})
