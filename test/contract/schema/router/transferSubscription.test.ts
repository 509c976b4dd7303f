import { expect, test } from 'vitest'
import { startCountingUpstream } from '../../../support/countingUpstream.ts'
import { hashOf, type RouterWorld, startRouterWorld, type Watch } from '../../../support/routerWorld.ts'
import { type Data, now } from '../../../support/world.ts'

const watch = `subscription ($chainId: ChainId!, $txHash: String!, $track: Boolean) {
  transfer(chainId: $chainId, hash: $txHash, track: $track) {
    hash state rawState isTerminal outcome
    hops { state rawState isBlocking transactions { kind hash timestamp } }
    assetRelease { isReleased } error { message }
  }
}`

const at = (ending: string, filler?: string) => ({
  chainId: 'harbor-1',
  txHash: hashOf(ending, filler),
})

const statesOf = ({ events }: Watch) => events.map(({ transfer }: Data) => transfer.state)

async function run(world: RouterWorld, ending: string, seconds = 90) {
  const subscription = await world.watch(watch, at(ending))
  await world.clock.advance(seconds * 1_000)
  return subscription
}

const ranks = ['SUBMITTED', 'PENDING', 'PENDING_ERROR']
const rankOf = (state: string) => (ranks.includes(state) ? ranks.indexOf(state) : 3)

test('a subscription tracks, sends the current state and each change, and completes', async () => {
  await using world = await startRouterWorld()
  const subscription = await world.watch(watch, at('02'))
  await world.clock.advance(0)
  expect(statesOf(subscription)).toEqual(['SUBMITTED'])
  expect(world.requests()).toEqual(['POST /v2/tx/track', expect.stringContaining('GET /v2/tx/status')])
  await world.clock.advance(90_000)
  expect(subscription.end).toBe('completed')
  expect(subscription.events.at(-1)).toMatchObject({
    transfer: { state: 'COMPLETED_SUCCESS', isTerminal: true, outcome: 'SUCCEEDED' },
  })
  const texts = subscription.events.map((event: Data) => JSON.stringify(event))
  expect(new Set(texts).size).toBe(texts.length)
  expect(world.poller.size).toBe(0)
})

test('in a sandbox, a finished transfer starts again for each watch', async () => {
  await using world = await startRouterWorld({ isSandbox: true })
  const states = ['SUBMITTED', 'PENDING', 'COMPLETED_SUCCESS']
  const read = async () => {
    const query = `query ($chainId: ChainId!, $txHash: String!) { transfer(chainId: $chainId, hash: $txHash) { state } }`
    return (await world.data(query, at('00'))).transfer?.state
  }
  for (let round = 0; round < 3; round++) {
    const [first, second] = [await world.watch(watch, at('00')), await world.watch(watch, at('00'))]
    await world.clock.advance(1_000)
    expect(await read()).toBe('SUBMITTED')
    await world.clock.advance(20_000)
    for (const subscription of [first, second]) {
      expect([...new Set(statesOf(subscription))]).toEqual(states)
      expect(subscription.end).toBe('completed')
    }
    // A query still has the end, though the router has forgotten it.
    expect(await read()).toBe('COMPLETED_SUCCESS')
  }
})

test.each([
  ['a second after a watch was left', 1_000, 1_000],
  ['long after a watch was left', 2_000, 25_000],
  ['right after its end', 30_000, 0],
])('in a sandbox, a transfer progresses when watched %s', async (_when, watched, away) => {
  await using world = await startRouterWorld({ isSandbox: true })
  const first = await world.watch(watch, at('01'))
  await world.clock.advance(watched)
  await first.leave()
  await world.clock.advance(away)
  const second = await world.watch(watch, at('01'))
  await world.clock.advance(500)
  expect(statesOf(second).at(-1)).toMatch(/^(SUBMITTED|PENDING)$/)
  // Somebody who comes in the middle sees the same.
  const third = await world.watch(watch, at('01'))
  await world.clock.advance(60_000)
  for (const each of [second, third]) {
    expect(statesOf(each).at(-1)).toBe('COMPLETED_SUCCESS')
    expect(new Set(statesOf(each)).size).toBeGreaterThan(1)
  }
})

test('outside a sandbox, a finished transfer stays finished', async () => {
  await using world = await startRouterWorld()
  await run(world, '00')
  const again = await run(world, '00')
  expect(statesOf(again)).toEqual(['COMPLETED_SUCCESS'])
  expect(again.end).toBe('completed')
})

// Without the endings with rate limits and outages: the upstream client delays its retries in real time.
const endings: Record<string, string> = {
  '00': 'SUCCEEDED',
  e0: 'FAILED',
  e1: 'FAILED',
  e2: 'ABANDONED',
  e3: 'SUCCEEDED',
  e4: 'SUCCEEDED',
  e5: 'SUCCEEDED',
  e6: 'SUCCEEDED',
  e7: 'SUCCEEDED',
  e8: 'SUCCEEDED',
  e9: 'FAILED',
  ea: 'SUCCEEDED',
  eb: 'SUCCEEDED',
  ed: 'SUCCEEDED',
  ef: 'SUCCEEDED',
}

for (const [ending, outcome] of Object.entries(endings)) {
  test(`a subscription to the transfer ${ending} ends with ${outcome}`, async () => {
    await using world = await startRouterWorld()
    const subscription = await run(world, ending, 200)
    expect(subscription.end).toBe('completed')
    expect(subscription.events.at(-1)).toMatchObject({ transfer: { outcome, isTerminal: true } })
    const steps = statesOf(subscription).filter((state: string) => state !== 'UNKNOWN')
    expect(steps.map(rankOf)).toEqual(steps.map(rankOf).toSorted())
  })
}

test('subscribers with any form of the hash share one poll', async () => {
  await using world = await startRouterWorld()
  const { chainId, txHash } = at('00')
  const notations = [txHash, txHash.toLowerCase(), `0x${txHash}`]
  const all = await Promise.all(
    Array.from({ length: 99 }, (_, index) => world.watch(watch, { chainId, txHash: notations[index % 3] })),
  )
  await world.clock.advance(90_000)
  const polls = world.requests().filter((request) => request.startsWith('GET /v2/tx/status'))
  expect(polls.length).toBeLessThan(40)
  for (const subscription of all) {
    expect(subscription.end).toBe('completed')
    expect(subscription.events.at(-1)).toMatchObject({
      transfer: { hash: txHash.toUpperCase(), outcome: 'SUCCEEDED' },
    })
  }
  world.requests()
  const late = await world.watch(watch, at('00'))
  await world.clock.advance(0)
  expect(late).toMatchObject({ end: 'completed', events: [{ transfer: { isTerminal: true } }] })
  expect(world.requests()).toEqual([])
})

test('sixty subscriptions with at most eight concurrent polls all complete', async () => {
  await using upstream = await startCountingUpstream()
  await using world = await startRouterWorld({
    ...{ routerUrl: upstream.url, poller: { concurrency: 8 } },
  })
  const fillers = Array.from({ length: 60 }, (_, index) => (index + 16).toString(16))
  const all = await Promise.all(fillers.map((filler) => world.watch(watch, at('00', filler))))
  await world.clock.advance(3_000)
  upstream.complete(() => true)
  await world.clock.advance(87_000)
  expect(upstream.mostInFlight.router).toBeLessThanOrEqual(8)
  expect(upstream.mostInFlight.router).toBeGreaterThan(4)
  for (const subscription of all) {
    expect(subscription.end).toBe('completed')
    expect(subscription.events.at(-1)).toMatchObject({ transfer: { outcome: 'SUCCEEDED' } })
  }
})

test('the poll stops when the last subscriber leaves', async () => {
  await using world = await startRouterWorld()
  const first = await world.watch(watch, at('e3'))
  const last = await world.watch(watch, at('e3'))
  await world.clock.advance(2_000)
  await first.leave()
  expect(world.poller.size).toBe(1)
  await last.leave()
  expect(world.poller.size).toBe(0)
  world.requests()
  await world.clock.advance(60_000)
  expect(world.requests()).toEqual([])
})

const json = <T>(body: T) => ({ kind: 'answer', json: body }) as const

const faults: Record<string, Parameters<RouterWorld['sandbox']['faults']['set']>[2]> = {
  'an outage': { kind: 'status', status: 503, body: 'no', times: 6 },
  'an internal error': { kind: 'status', status: 500, body: '{"code":2}', times: 5 },
  'reset connections': { kind: 'reset', times: 6 },
  'text that is not JSON': { kind: 'garbage', body: '<html>', times: 5 },
  'JSON of another shape': { ...json([1, 2]), times: 5 },
  'a router that forgets the hash': { kind: 'status', status: 404, body: '{"code":5}', times: 5 },
  'an older response': {
    ...json({ state: 'STATE_SUBMITTED', status: 'STATE_SUBMITTED', transfer_sequence: [] }),
    times: 2,
  },
}

for (const [name, fault] of Object.entries(faults)) {
  test(`a subscription tolerates ${name}`, async () => {
    await using world = await startRouterWorld()
    const subscription = await world.watch(watch, at('02'))
    await world.clock.advance(4_000)
    world.sandbox.faults.set('router', '/v2/tx/status', fault)
    await world.clock.advance(120_000)
    expect(subscription.end).toBe('completed')
    expect(subscription.events.at(-1)).toMatchObject({ transfer: { outcome: 'SUCCEEDED' } })
    const ranks = statesOf(subscription).map(rankOf)
    expect(ranks).toEqual(ranks.toSorted())
  })
}

test('a hash that the router forgets is tracked again after 15 seconds', async () => {
  await using world = await startRouterWorld()
  await world.watch(watch, at('e3'))
  await world.clock.advance(4_000)
  world.requests()
  world.sandbox.faults.set('router', '/v2/tx/status', { kind: 'status', status: 404, times: 40 })
  const tracked = async (milliseconds: number) => {
    await world.clock.advance(milliseconds)
    return world.requests().filter((request) => request.startsWith('POST'))
  }
  expect(await tracked(10_000)).toEqual([])
  expect(await tracked(10_000)).toEqual(['POST /v2/tx/track'])
  expect(await tracked(10_000)).toEqual([])
})

test('with track: false, a subscription waits until another one tracks', async () => {
  await using world = await startRouterWorld()
  const subscription = await world.watch(watch, { ...at('00'), track: false })
  await world.clock.advance(60_000)
  expect(statesOf(subscription)).toEqual(['SUBMITTED'])
  expect(subscription.end).toBeUndefined()
  expect(world.requests().some((request) => request.startsWith('POST'))).toBe(false)
  const other = await world.watch(watch, at('00'))
  await world.clock.advance(90_000)
  expect([subscription.end, other.end]).toEqual(['completed', 'completed'])
})

const searchWatch = `subscription ($chainId: ChainId!, $txHash: String!, $track: Boolean) {
  transfer(chainId: $chainId, hash: $txHash, track: $track) {
    state rawState isTerminal hops { state } search { isTracked since until }
  }
}`

const unseen = (isTracked: boolean, seconds = 0) => ({
  transfer: {
    ...{ state: 'SUBMITTED', rawState: '', isTerminal: false, hops: [] },
    search: {
      isTracked,
      since: new Date(now + seconds * 1_000).toISOString(),
      until: new Date(now + (600 + seconds) * 1_000).toISOString(),
    },
  },
})

test('a transaction that nobody knows is an event at once, and an error after ten minutes', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/tx/status', { kind: 'status', status: 404 })
  const first = await world.watch(searchWatch, at('02'))
  await world.clock.advance(0)
  expect(first.events).toEqual([unseen(true)])
  await world.clock.advance(60_000)
  // Who comes later hears the same.
  const late = await world.watch(searchWatch, at('02'))
  await world.clock.advance(539_000)
  for (const each of [first, late]) {
    expect(each.events).toEqual([unseen(true)])
    expect(each.end).toBeUndefined()
  }
  await world.clock.advance(20_000)
  for (const each of [first, late]) {
    expect(each.end).toMatchObject({
      code: 'UPSTREAM_REJECTED',
      message: 'The router does not know this transaction.',
    })
  }
  expect(world.poller.size).toBe(0)
})

test('each step of the search for a transaction is an event, and the first state ends it', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/tx/track', {
    ...{ kind: 'status', status: 404, body: '{"code":5,"message":"tx not found"}' },
    times: 3,
  })
  world.sandbox.faults.set('router', '/v2/tx/status', { kind: 'status', status: 404, times: 8 })
  const subscription = await world.watch(searchWatch, at('02'))
  await world.clock.advance(0)
  expect(subscription.events).toEqual([unseen(false)])
  await world.clock.advance(15_000)
  const [, second, third] = subscription.events
  expect(second).toEqual(unseen(true))
  expect(third.transfer).toMatchObject({ rawState: 'STATE_PENDING', search: null })
  await world.clock.advance(90_000)
  expect(subscription.end).toBe('completed')
})

test('a query says null of a transaction that the router does not know', async () => {
  await using world = await startRouterWorld()
  await world.watch(searchWatch, { ...at('02'), track: false })
  await world.clock.advance(0)
  expect((await world.data(stateQuery, at('02'))).transfer).toBeNull()
})

test('a chain unknown to the router ends the subscription with its error', async () => {
  await using world = await startRouterWorld()
  const subscription = world.watch(watch, { chainId: 'nowhere-1', txHash: hashOf('00') })
  await expect(subscription).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED', service: 'router' })
})

test('a transfer beyond the deadline ends its subscription with an error', async () => {
  await using world = await startRouterWorld({ poller: { deadlineMs: 20_000 } })
  const subscription = await run(world, 'e3', 25)
  expect(subscription.end).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
  expect(subscription.events.length).toBeGreaterThan(0)
})

test('invalid input opens no subscription', async () => {
  await using world = await startRouterWorld()
  for (const bad of [{ txHash: '../x' }, { chainId: 'a/b' }]) {
    await expect(world.watch(watch, { ...at('00'), ...bad })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  }
  expect(world.poller.size).toBe(0)
})

test('a final state stays final for queries, even if the router moves back', async () => {
  await using world = await startRouterWorld()
  await run(world, '00')
  const query = `query ($chainId: ChainId!, $txHash: String!) {
    transfer(chainId: $chainId, hash: $txHash) { state }
  }`
  for (const fault of [json({ state: 'STATE_PENDING' }), { kind: 'status', status: 404 } as const]) {
    world.sandbox.faults.set('router', '/v2/tx/status', fault)
    expect((await world.data(query, at('00'))).transfer.state).toBe('COMPLETED_SUCCESS')
  }
})

const stateQuery = `query ($chainId: ChainId!, $txHash: String!) {
  transfer(chainId: $chainId, hash: $txHash) { state }
}`

test('a state found by a query is sent to subscribers at once', async () => {
  await using world = await startRouterWorld()
  const subscription = await world.watch(watch, at('e3'))
  await world.clock.advance(20_000)
  world.sandbox.faults.set('router', '/v2/tx/status', {
    ...json({ state: 'STATE_COMPLETED_SUCCESS' }),
    times: 1,
  })
  await world.data(stateQuery, at('e3'))
  await world.clock.advance(0)
  expect(subscription.end).toBe('completed')
  expect(statesOf(subscription).at(-1)).toBe('COMPLETED_SUCCESS')
})

test('a late subscriber gets what the router has added since', async () => {
  await using world = await startRouterWorld()
  const ended = json({ state: 'STATE_COMPLETED_SUCCESS', transfer_sequence: [], error: null })
  const release = { chain_id: 'galley-1', denom: 'uinit', amount: '7', released: false }
  const first = await world.watch(watch, at('00'))
  await world.clock.advance(3_000)
  const hops = [{ ibc_transfer: { state: 'TRANSFER_RECEIVED' } }, { ibc_transfer: {} }]
  const open = json({ ...ended.json, transfer_sequence: hops })
  world.sandbox.faults.set('router', '/v2/tx/status', open)
  await world.clock.advance(10_000)
  expect(first.end).toBe('completed')
  const complete = json({ ...open.json, transfer_asset_release: release })
  world.sandbox.faults.set('router', '/v2/tx/status', complete)
  const late = await world.watch(watch, at('00'))
  await world.clock.advance(0)
  expect(late).toMatchObject({
    end: 'completed',
    events: [{ transfer: { assetRelease: { isReleased: false } } }],
  })
})

test.each(['release', 'acknowledgement'])(
  'a final state without its %s is polled until it is complete',
  async (missing) => {
    await using world = await startRouterWorld()
    const [send_tx, receive_tx, acknowledge_tx] = ['a', 'b', 'c'].map((digit) => ({
      ...{ chain_id: 'harbor-1', tx_hash: digit.repeat(64) },
    }))
    const answer = (more: object, packet: object = {}) =>
      json({
        state: 'STATE_COMPLETED_SUCCESS',
        transfer_sequence: [
          {
            ibc_transfer: {
              state: 'TRANSFER_SUCCESS',
              packet_txs: { send_tx, receive_tx, ...packet },
            },
          },
        ],
        ...more,
      })
    const release = { chain_id: 'osmosis-1', denom: 'uinit', amount: '7', released: true }
    const first = await world.watch(watch, at('00'))
    await world.clock.advance(3_000)
    const released = { transfer_asset_release: release }
    for (const [status, hashes, isReleased] of [
      missing === 'release'
        ? ([answer({}, { acknowledge_tx }), 3, undefined] as const)
        : ([answer(released), 2, true] as const),
      [answer(released, { acknowledge_tx }), 3, true] as const,
    ]) {
      world.sandbox.faults.set('router', '/v2/tx/status', status)
      await world.clock.advance(10_000)
      expect(first.end).toBe('completed')
      const late = await world.watch(watch, at('00'))
      await world.clock.advance(0)
      expect(late.end).toBe('completed')
      const { transfer } = late.events.at(-1)
      expect(transfer.hops[0].transactions).toHaveLength(hashes)
      expect(transfer.assetRelease?.isReleased).toBe(isReleased)
      expect((await world.data(stateQuery, at('00'))).transfer.state).toBe('COMPLETED_SUCCESS')
    }
    world.requests()
    await world.watch(watch, at('00'))
    await world.data(stateQuery, at('00'))
    expect(world.requests()).toEqual([])
  },
)

test('guidance tells by itself when a transfer takes too long, once, and each watcher', async () => {
  await using world = await startRouterWorld()
  const hash = `${'b7'.repeat(29)}dead00`
  const track = `mutation { trackTransfer(input: { chainId: "harbor-1", hash: "${hash}" }) { transfer { state } } }`
  await world.data(track)
  const fields = '{ state guidance { code isLate } }'
  const one = await world.watch(`subscription { transfer(chainId: "harbor-1", hash: "${hash}") ${fields} }`)
  const many = await world.watch(
    `subscription { transfers(inputs: [{ chainId: "harbor-1", hash: "${hash}" }]) ${fields} }`,
  )
  const plain = await world.watch(`subscription { transfer(chainId: "harbor-1", hash: "${hash}") { state } }`)
  await world.clock.advance(290_000)
  const codes = () => one.events.map(({ transfer }: Data) => transfer.guidance.code)
  expect(codes()).toEqual(['WAIT'])
  await world.clock.advance(20_000)
  expect(codes()).toEqual(['WAIT', 'LATE'])
  expect(JSON.stringify(many.events.at(-1))).toContain('"code":"LATE","isLate":true')
  await world.clock.advance(600_000)
  expect(one.events).toHaveLength(2)
  expect(many.events).toHaveLength(2)
  expect(plain.events).toHaveLength(1)
})
