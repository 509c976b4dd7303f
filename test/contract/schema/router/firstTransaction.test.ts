import { expect, test } from 'vitest'
import {
  hashOf,
  type RouterWorld,
  startFakeRouter,
  startRouterWorld,
  type Watch,
} from '../../../support/routerWorld.ts'
import { busyChains, nextSentBy, sentBy } from '../../../support/sentBy.ts'
import { openSocket } from '../../../support/socketClient.ts'
import { type Data, startWorld } from '../../../support/world.ts'

// What is said of the first transaction of a transfer by the indexer of its chain, while the router does not know it.

const fields = `id state rawState isTerminal outcome hops { state } assetRelease { isReleased } error { rawKind message }
  transaction { isSuccessful ... on Transaction { hash } ... on EvmTransaction { evmHash: hash } }`
const query = `query ($chainId: ChainId!, $hash: String!) { transfer(chainId: $chainId, hash: $hash) { ${fields} } }`
const watch = `subscription ($chainId: ChainId!, $hash: String!, $track: Boolean) {
  transfer(chainId: $chainId, hash: $hash, track: $track) { ${fields} search { isTracked } } }`

const untracked = { state: 'UNTRACKED', rawState: '', isTerminal: false, outcome: 'PENDING', hops: [], error: null }
const failed = {
  ...{ state: 'COMPLETED_ERROR', rawState: '', isTerminal: true, outcome: 'FAILED', hops: [], assetRelease: null },
  error: {
    rawKind: 'STATUS_ERROR_TRANSACTION_EXECUTION',
    message: 'The first transaction failed on its chain. It sent nothing.',
  },
}

/** The hash of a transaction that an indexer has. */
async function indexed(world: RouterWorld, isSuccessful = true, chainId = 'harbor-1') {
  const page = `{ chain(chainId: "${chainId}") { transactions(first: 60) { nodes {
    hash isSuccessful evmTransaction { hash isSuccessful } } } } }`
  const { nodes } = (await world.data(page)).chain.transactions
  const found = nodes.find((node: Data) => node.isSuccessful === isSuccessful)
  const evm = nodes.find(({ evmTransaction }: Data) => evmTransaction?.isSuccessful === isSuccessful)
  world.sandbox.requests.length = 0
  return { chainId, hash: found.hash, evmHash: evm?.evmTransaction.hash }
}

/** The hash of a transaction that sent coins to another chain. */
async function leaving(world: RouterWorld) {
  const { hash } = await sentBy(world, 'MsgInitiateTokenDeposit')
  world.sandbox.requests.length = 0
  return { chainId: 'harbor-1', hash }
}

const sent = ({ sandbox }: RouterWorld) => sandbox.requests.splice(0)
const indexerPath = '/indexer/tx/v1/txs/'
const ofIndexer = (world: RouterWorld) => sent(world).filter((line) => line.includes(indexerPath))

const forget = ({ sandbox }: RouterWorld, times?: number) => {
  for (const path of ['/v2/tx/status', '/v2/tx/track']) {
    sandbox.faults.set('router', path, {
      ...{ kind: 'status', status: 404, body: '{"code":5,"message":"tx not found"}' },
      ...(times !== undefined && { times }),
    })
  }
}

const statesOf = ({ events }: Watch) => events.map(({ transfer }: Data) => transfer.state)

test('an indexed transaction that the router does not know is untracked, not missing', async () => {
  await using world = await startRouterWorld()
  const { chainId, hash } = await indexed(world)
  const { transfer } = await world.data(query, { chainId, hash })
  expect(transfer).toMatchObject({ ...untracked, transaction: { hash, isSuccessful: true } })
  expect(sent(world)).toEqual([
    `router GET /v2/tx/status?tx_hash=${hash}&chain_id=${chainId}`,
    expect.stringContaining(`${chainId} GET ${indexerPath}`),
  ])
  const node = await world.data('query ($id: ID!) { node(id: $id) { ... on Transfer { state } } }', { id: transfer.id })
  expect(node).toEqual({ node: { state: 'UNTRACKED' } })
})

test('an EVM transaction is untracked too, by either hash', async () => {
  await using world = await startRouterWorld()
  const { chainId, evmHash } = await indexed(world, true, 'galley-1')
  const { transfer } = await world.data(query, { chainId, hash: evmHash })
  expect(transfer).toMatchObject({ ...untracked, transaction: { evmHash } })
})

test('a transaction that failed on its chain is a failed transfer that sent nothing', async () => {
  await using world = await startRouterWorld()
  const { chainId, hash } = await indexed(world, false)
  const { transfer } = await world.data(query, { chainId, hash })
  expect(transfer).toMatchObject({ ...failed, transaction: { hash, isSuccessful: false } })
})

test('the guidance says what is known of the first transaction', async () => {
  await using world = await startRouterWorld()
  const [fine, fails] = [await indexed(world), await indexed(world, false)]
  const document = query.replace(fields, 'guidance { code sentence funds }')
  const guidanceOf = async ({ chainId, hash }: typeof fine) =>
    (await world.data(document, { chainId, hash })).transfer.guidance
  expect(await guidanceOf(fine)).toEqual({
    ...{ code: 'UNTRACKED', funds: 'UNKNOWN' },
    sentence: 'The transaction succeeded on Harbor. Where it leads is not known: the router does not follow it.',
  })
  expect(await guidanceOf(fails)).toMatchObject({ code: 'NOT_SENT', funds: 'NOT_SENT' })
})

test('the indexer is asked only if the router does not know the transaction', async () => {
  await using world = await startRouterWorld()
  const { chainId, hash } = await leaving(world)
  await world.data(
    `mutation ($chainId: ChainId!, $hash: String!) { trackTransfer(input: { chainId: $chainId, hash: $hash }) {
      explorerUrl } }`,
    { chainId, hash },
  )
  await world.clock.advance(3_000)
  sent(world)
  const state = query.replace(fields, 'reportedState')
  expect((await world.data(state, { chainId, hash })).transfer.reportedState).toBe('PENDING')
  expect(ofIndexer(world)).toEqual([])
})

test('a hash that nobody knows is null, and unknown while the indexer fails', async () => {
  await using world = await startRouterWorld()
  const nobody = { chainId: 'harbor-1', hash: hashOf('00') }
  expect(await world.data(query, nobody)).toEqual({ transfer: null })
  expect(await world.data(query, { ...nobody, chainId: 'osmosis-1' })).toEqual({ transfer: null })
  world.sandbox.faults.set('harbor-1', indexerPath, { kind: 'status', status: 500 })
  expect(await world.fault(query, nobody)).toEqual(['UPSTREAM_UNAVAILABLE'])
})

test('a transfer of a served chain is priced with its indexer', async () => {
  await using world = await startRouterWorld({ limits: { maxCost: 100 } })
  const costOf = async (chainId: string) => {
    const args = `(chainId: "${chainId}", hash: "${hashOf('00')}")`
    const fields = Array.from({ length: 20 }, (_, index) => `a${index}: transfer${args} { state }`)
    const [error] = (await world.ask(`{ ${fields} }`)).errors ?? []
    return Number(/costs (\d+) points/.exec(error?.message ?? '')?.[1])
  }
  expect(await costOf('harbor-1')).toBe((await costOf('osmosis-1')) + 20 * 15)
})

test('a subscription begins with what the indexer knows, and goes on when the router knows it', async () => {
  await using world = await startRouterWorld({ chains: busyChains })
  const { hash } = await nextSentBy(world, 'MsgInitiateTokenDeposit')
  const at = { chainId: 'harbor-1', hash }
  forget(world, 3)
  const subscription = await world.watch(watch, at)
  await world.clock.advance(0)
  // Where its coins go is known, and not whether they have arrived.
  const hops = [{ state: 'UNKNOWN' }]
  expect(subscription.events).toEqual([
    { transfer: { ...subscription.events[0].transfer, ...untracked, hops, search: { isTracked: false } } },
  ])
  expect(subscription.events[0].transfer.transaction).toEqual({ hash: at.hash, isSuccessful: true })
  await world.clock.advance(120_000)
  expect(subscription.end).toBe('completed')
  const after = subscription.events.slice(1).find(({ transfer }: Data) => transfer.search === null)
  expect(after.transfer.state).not.toBe('UNTRACKED')
  expect(subscription.events.at(-1).transfer.isTerminal).toBe(true)
})

test('a subscription to a transaction that failed on its chain says so and ends, tracked once', async () => {
  await using world = await startRouterWorld()
  const at = await indexed(world, false)
  const first = await world.watch(watch, at)
  await world.clock.advance(0)
  const late = await world.watch(watch, at)
  await world.clock.advance(0)
  for (const { events, end } of [first, late]) {
    expect(events).toEqual([{ transfer: { ...events[0].transfer, ...failed, search: null } }])
    expect(end).toBe('completed')
  }
  expect(world.requests().filter((request) => request.includes('track'))).toEqual(['POST /v2/tx/track'])
  expect(world.poller.size).toBe(0)
})

test('a transaction that the indexer gets later becomes untracked with few requests', async () => {
  await using world = await startRouterWorld()
  const at = await indexed(world)
  forget(world)
  world.sandbox.faults.set('harbor-1', indexerPath, { kind: 'status', status: 404 })
  const [first, other] = [await world.watch(watch, at), await world.watch(watch, at)]
  await world.clock.advance(60_000)
  expect(statesOf(first)).toEqual(['SUBMITTED'])
  // Each event reads its transaction too.
  expect(ofIndexer(world).length).toBeLessThanOrEqual(8)
  world.sandbox.faults.clear('harbor-1')
  await world.clock.advance(120_000)
  for (const each of [first, other]) {
    expect(statesOf(each)).toEqual(['SUBMITTED', 'UNTRACKED'])
    expect(each.events[1].transfer).toMatchObject({ transaction: { hash: at.hash }, search: { isTracked: false } })
    expect(each.end).toBeUndefined()
  }
  await world.clock.advance(600_000)
  expect(first.end).toMatchObject({ code: 'UPSTREAM_REJECTED' })
})

test('an indexer that fails leaves the transaction submitted', async () => {
  await using world = await startRouterWorld()
  const at = await indexed(world)
  forget(world)
  world.sandbox.faults.set('harbor-1', indexerPath, { kind: 'status', status: 500 })
  const failing = await world.watch(watch.replace(fields, 'state'), at)
  await world.clock.advance(0)
  expect(statesOf(failing)).toEqual(['SUBMITTED'])
})

test('an indexer that hangs delays the first event by a second', async () => {
  await using world = await startWorld({ isTimed: true })
  world.sandbox.faults.set('router', '/v2/tx/status', { kind: 'status', status: 404 })
  world.sandbox.faults.set('harbor-1', indexerPath, { kind: 'hang' })
  const socket = await openSocket(world.url)
  if (typeof socket === 'number') throw new Error('no socket')
  socket.send({ type: 'connection_init' })
  await socket.next()
  const variables = { chainId: 'harbor-1', hash: hashOf('00') }
  const start = performance.now()
  socket.send({ type: 'subscribe', id: '1', payload: { query: watch.replace(fields, 'state'), variables } })
  expect((await socket.next()).payload.data.transfer.state).toBe('SUBMITTED')
  expect(performance.now() - start).toBeGreaterThan(900)
  await socket.close()
})

test('each of many transfers begins with what its indexer knows', async () => {
  await using world = await startRouterWorld()
  const { chainId, hash } = await indexed(world)
  const fails = await indexed(world, false)
  forget(world)
  const inputs = [
    { chainId, hash },
    { chainId, hash: fails.hash },
    { chainId, hash: hashOf('00') },
  ]
  const { events } = await world.watch(
    `subscription ($inputs: [TransferInput!]) { transfers(inputs: $inputs, track: false) { hash state } }`,
    { inputs },
  )
  await world.clock.advance(0)
  const states = ['UNTRACKED', 'COMPLETED_ERROR', 'SUBMITTED']
  expect(new Map(events.map(({ transfers }: Data) => [transfers.hash, transfers.state]))).toEqual(
    new Map(inputs.map((input, index) => [input.hash, states[index]])),
  )
})

test('a router that does not know the chain at all hides no indexed transaction', async () => {
  await using router = await startFakeRouter(() => ({ status: 404, body: '{"code":5,"message":"not found"}' }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { chainId, hash } = await indexed(world)
  expect((await world.data(query, { chainId, hash })).transfer).toMatchObject(untracked)
})
