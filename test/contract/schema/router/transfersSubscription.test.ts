import { expect, test } from 'vitest'
import { hashOf, startRouterWorld, type Watch } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

const document = `subscription ($ids: [ID!], $inputs: [TransferInput!]) {
  transfers(ids: $ids, inputs: $inputs) { id chainId hash state outcome isTerminal }
}`

const input = (ending: string) => ({ chainId: 'harbor-1', hash: hashOf(ending) })

const updatesOf = ({ events }: Watch) => events.flatMap(({ transfers }: Data) => transfers ?? [])

test('each update names its transfer, and the subscription ends after the last one', async () => {
  await using world = await startRouterWorld()
  const endings = { '00': 'SUCCEEDED', e0: 'FAILED', '02': 'SUCCEEDED' }
  const inputs = Object.keys(endings).map(input)
  const watch = await world.watch(document, { inputs: [...inputs, inputs[0]] })
  await world.clock.advance(0)
  expect(watch.events).toHaveLength(3)
  await world.clock.advance(200_000)
  expect(watch.end).toBe('completed')
  for (const [ending, outcome] of Object.entries(endings)) {
    const own = updatesOf(watch).filter(({ hash }: Data) => hash === hashOf(ending))
    expect(own.at(-1)).toMatchObject({ outcome, isTerminal: true })
    expect(own.filter(({ isTerminal }: Data) => isTerminal)).toHaveLength(1)
    expect(own.length).toBeGreaterThan(2)
  }
  expect(world.poller.size).toBe(0)
})

test('transfers are found by id, and share polls with other subscriptions', async () => {
  await using world = await startRouterWorld()
  const one = `subscription ($chainId: ChainId!, $hash: String!) {
    transfer(chainId: $chainId, hash: $hash) { id state }
  }`
  const single = await world.watch(one, input('02'))
  await world.clock.advance(0)
  const { id } = single.events[0].transfer
  const watch = await world.watch(document, { ids: [id] })
  expect(world.poller.size).toBe(1)
  await world.clock.advance(100_000)
  expect(watch.end).toBe('completed')
  expect(updatesOf(watch).at(-1)).toMatchObject({ id, outcome: 'SUCCEEDED' })
})

test('a transfer that cannot be watched is an error, and others continue', async () => {
  await using world = await startRouterWorld()
  const inputs = [{ chainId: 'nowhere-1', hash: hashOf('00') }, input('00')]
  const watch = await world.watch(document, { inputs })
  await world.clock.advance(100_000)
  const errors = watch.events.flatMap((event: Data) => (Array.isArray(event) ? event : []))
  expect(errors).toHaveLength(1)
  expect(errors[0].message).toContain('nowhere-1')
  expect(errors[0].extensions).toMatchObject({ code: 'UPSTREAM_REJECTED', service: 'router' })
  expect(updatesOf(watch).at(-1)).toMatchObject({ outcome: 'SUCCEEDED' })
  expect(watch.end).toBe('completed')
})

test('a refused transfer has the message of the router', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/tx/track', {
    ...{ kind: 'status', status: 400, contentType: 'application/json' },
    body: '{"code":3,"message":"tx is invalid on chain","info":"Send it again.","details":[]}',
  })
  const watch = await world.watch(document, { inputs: [input('00')] })
  await world.clock.advance(0)
  expect(watch.events[0][0].extensions).toMatchObject({
    ...{ code: 'UPSTREAM_REJECTED', service: 'router' },
    ...{ upstreamMessage: 'tx is invalid on chain', info: 'Send it again.' },
  })
})

test('estimatedDurationSeconds makes polls frequent around the expected end', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/tx/status', {
    kind: 'answer',
    json: { state: 'STATE_PENDING', transfer_sequence: [] },
  })
  const estimatedDurationSeconds = 3_600
  const watch = await world.watch(document, {
    inputs: [{ ...input('00'), estimatedDurationSeconds }, input('02')],
  })
  await world.clock.advance(3_600_000)
  world.requests()
  await world.clock.advance(10_000)
  const polls = (ending: string) => world.sandbox.requests.filter((line) => line.includes(hashOf(ending))).length
  expect(polls('00')).toBeGreaterThan(7)
  expect(polls('02')).toBeLessThan(3)
  await watch.leave()
})

test('each transfer counts for the limit of the client', async () => {
  await using world = await startRouterWorld({ poller: { maxTargetsPerClient: 2 } })
  const watch = await world.watch(document, { inputs: ['00', 'e0', '02'].map(input) })
  await world.clock.advance(0)
  expect(world.poller.size).toBe(2)
  const errors = watch.events.flatMap((event: Data) => (Array.isArray(event) ? event : []))
  expect(errors.map(({ extensions }: Data) => extensions.code)).toEqual(['RATE_LIMITED'])
  await watch.leave()
  expect(world.poller.size).toBe(0)
})

test('missing or too many transfers are refused', async () => {
  await using world = await startRouterWorld({ limits: { maxPageSize: 2 } })
  for (const args of [{}, { ids: [] }, { inputs: ['00', 'e0', '02'].map(input) }]) {
    await expect(world.watch(document, args)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  }
  expect(world.poller.size).toBe(0)
})

test('an invalid id is an error with the id, and others continue', async () => {
  await using world = await startRouterWorld()
  const block = Buffer.from('Block:galley-1/5').toString('base64')
  const good = Buffer.from(`Transfer:harbor-1/${hashOf('00')}`).toString('base64')
  const watch = await world.watch(document, { ids: [good, 'xx', block] })
  await world.clock.advance(100_000)
  const errors = watch.events.flatMap((event: Data) => (Array.isArray(event) ? event : []))
  expect(errors.map(({ extensions }: Data) => [extensions.code, extensions.transfer])).toEqual([
    ['BAD_USER_INPUT', { id: 'xx' }],
    ['BAD_USER_INPUT', { id: block }],
  ])
  expect(watch.events.length).toBeGreaterThan(3)
  expect(watch.end).toBe('completed')
})

test('an invalid hash is an error with the transfer, and others continue', async () => {
  await using world = await startRouterWorld()
  const inputs = [input('00'), { chainId: 'harbor-1', hash: 'zz' }]
  const watch = await world.watch(document, { inputs })
  await world.clock.advance(100_000)
  const errors = watch.events.flatMap((event: Data) => (Array.isArray(event) ? event : []))
  expect(errors).toHaveLength(1)
  expect(errors[0].extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    transfer: { chainId: 'harbor-1', hash: 'zz' },
  })
  expect(updatesOf(watch).at(-1)).toMatchObject({ outcome: 'SUCCEEDED' })
  expect(watch.end).toBe('completed')
})

test('two forms of a hash are one transfer, with the updates of one', async () => {
  await using world = await startRouterWorld()
  const hashes = [hashOf('00').toUpperCase(), `0x${hashOf('00').toLowerCase()}`]
  const inputs = hashes.map((hash) => ({ chainId: 'harbor-1', hash }))
  const watch = await world.watch(document, { inputs })
  await world.clock.advance(0)
  expect(world.poller.size).toBe(1)
  await world.clock.advance(100_000)
  const updates = updatesOf(watch)
  expect(new Set(updates.map(({ hash }: Data) => hash))).toEqual(new Set([hashOf('00').toUpperCase()]))
  expect(updates.filter(({ outcome }: Data) => outcome === 'SUCCEEDED')).toHaveLength(1)
})
