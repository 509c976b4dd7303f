import { expect, test } from 'vitest'
import { hashOf, type RouterWorld, startRouterWorld, type Watch } from '../../../support/routerWorld.ts'
import { busyChains, nextSentBy } from '../../../support/sentBy.ts'
import { type Data, testOfPlainRecords } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

// Events of transfers with the transactions of their hops, which the indexers of the chains have.

const input = (ending: string) => ({ chainId: 'harbor-1', hash: hashOf(ending) })
const transaction = '/indexer/tx/v1/txs/'

const joined = `subscription ($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) { state isTerminal
    hops { transactions { chainId hash ...join } } } }
  fragment join on HopTransaction { transaction { hash } }`
const several = `subscription ($inputs: [TransferInput!]) {
  transfers(inputs: $inputs) { isTerminal hops { transactions { transaction { hash } } } } }`

const served = ['harbor-1', 'galley-1', 'lantern-1']

/** The transactions of an event on served chains but for the first one: the hash in the indexer, or null. */
const joinsOf = ({ hops }: Data) =>
  hops.flatMap(({ transactions }: Data) =>
    transactions.flatMap(({ chainId, hash, transaction: found }: Data) =>
      hash && hash !== hashOf(hash.slice(-2)) && served.includes(chainId) ? [found?.hash ?? null] : [],
    ),
  )

const hide = ({ sandbox }: RouterWorld) => {
  for (const chainId of served) sandbox.faults.set(chainId, transaction, { kind: 'status', status: 404 })
}

/** The results of a subscription over server-sent events. */
async function openEvents({ url }: RouterWorld, query: string, variables: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const stream = { events: [] as Data[], isEnded: false }
  const read = async () => {
    let text = ''
    for await (const part of response.body ?? []) {
      text += Buffer.from(part).toString()
      const lines = [...text.matchAll(/^data: (\{.*\})\n/gm)]
      stream.events = lines.map(([, data]) => JSON.parse(data ?? ''))
      stream.isEnded = text.includes('event: complete')
    }
  }
  read().catch(() => {})
  return stream
}

test('a subscription waits half a minute for a transaction that is never indexed', async () => {
  await using world = await startRouterWorld()
  hide(world)
  const watch = await world.watch(joined, input('00'))
  const states = () => watch.events.map(({ transfer }: Data) => transfer)
  while (!states().at(-1)?.isTerminal) await world.clock.advance(1_000)
  const count = states().length
  await world.clock.advance(27_000)
  expect(watch.end).toBeUndefined()
  await world.clock.advance(4_000)
  expect(watch.end).toBe('completed')
  expect(states()).toHaveLength(count)
  expect(states().at(-1)).toMatchObject({ isTerminal: true, state: 'COMPLETED_SUCCESS' })
  expect(joinsOf(states().at(-1))).toContain(null)
})

test('a transaction indexed after the end is sent in one more event', async () => {
  await using world = await startRouterWorld()
  hide(world)
  const stream = await openEvents(world, joined, input('00'))
  while (!stream.events.at(-1)?.data.transfer.isTerminal) await world.clock.advance(1_000)
  await world.clock.advance(5_000)
  expect(stream.isEnded).toBe(false)
  const count = stream.events.length
  world.sandbox.faults.clear()
  // Its first transaction never comes.
  for (let second = 0; second < 30; second += 1) await world.clock.advance(1_000)
  expect(stream.events).toHaveLength(count + 1)
  const last = stream.events.at(-1).data.transfer
  expect(last).toMatchObject({ isTerminal: true, state: 'COMPLETED_SUCCESS' })
  expect(joinsOf(last).length).toBeGreaterThan(0)
  expect(joinsOf(last)).not.toContain(null)
  expect(stream.isEnded).toBe(true)
})

test('the terminal event is the last if no transactions are missing or selected', async () => {
  await using world = await startRouterWorld()
  const whole = await world.watch(joined, input('00'))
  const bare = await world.watch(joined.replace('...join', ' ').replace(/fragment.*$/, ''), input('02'))
  await world.clock.advance(120_000)
  for (const { events, end } of [whole, bare]) {
    expect(events.filter(({ transfer }: Data) => transfer.isTerminal)).toHaveLength(1)
    expect(end).toBe('completed')
  }
  expect(joinsOf(whole.events.at(-1).transfer)).not.toContain(null)
})

test('`transfers` sends a transaction indexed after the end in one more event', async () => {
  await using world = await startRouterWorld()
  hide(world)
  const watch = await world.watch(several, { inputs: [input('00'), input('01')] })
  const ends = () => watch.events.map(({ transfers }: Data) => transfers).filter(({ isTerminal }) => isTerminal)
  while (ends().length < 2) await world.clock.advance(1_000)
  await world.clock.advance(5_000)
  expect(ends()).toHaveLength(2)
  world.sandbox.faults.clear()
  await world.clock.advance(30_000)
  expect(ends()).toHaveLength(4)
  expect(watch.end).toBe('completed')
  expect(world.poller.size).toBe(0)
})

test('a client that leaves `transfers` stops the requests for missing transactions', async () => {
  await using world = await startRouterWorld()
  hide(world)
  const watch = await world.watch(several, { inputs: [input('00')] })
  while (!watch.events.at(-1)?.transfers.isTerminal) await world.clock.advance(1_000)
  world.sandbox.requests.length = 0
  await world.clock.advance(5_000)
  expect(world.sandbox.requests).not.toEqual([])
  expect(watch.end).toBeUndefined()
  await watch.leave()
  world.sandbox.requests.length = 0
  await world.clock.advance(30_000)
  expect(world.sandbox.requests).toEqual([])
  expect(world.poller.size).toBe(0)
})

test('an indexer that hangs delays an event by at most two seconds', async () => {
  await using world = await startRouterWorld()
  const plain = await openEvents(world, joined.replace('...join', ' ').replace(/fragment.*$/, ''), input('00'))
  await world.clock.advance(0)
  world.pace.waitsForPolls = false
  for (const chainId of served) world.sandbox.faults.set(chainId, '/', { kind: 'hang' })
  const events = await openEvents(world, joined, input('00'))
  const isEnded = ({ events: of }: { events: Data[] }) => of.some(({ data }) => data?.transfer.isTerminal)
  let elapsed = 0
  let endedAt = 0
  while (!isEnded(events) && elapsed < 60_000) {
    await world.clock.advance(500)
    elapsed += 500
    if (endedAt === 0 && isEnded(plain)) endedAt = elapsed
  }
  expect(endedAt).toBeGreaterThan(0)
  expect(elapsed - endedAt).toBeLessThanOrEqual(3_000)
  const late = events.events.flatMap(({ errors = [] }) => errors)
  expect(late.length).toBeGreaterThan(0)
  for (const { extensions, path } of late) {
    expect(extensions.code).toBe('UPSTREAM_TIMEOUT')
    expect(path.at(-1)).toBe('transaction')
  }
  // Nothing more comes, and the end comes in half a minute.
  for (let second = 0; second < 31; second += 1) await world.clock.advance(1_000)
  expect(events.isEnded).toBe(true)
})

test('a late event has a full deadline for its transactions', async () => {
  await using world = await startRouterWorld()
  const events = await openEvents(world, joined, input('e3'))
  await world.clock.advance(120_000)
  const last = events.events.at(-1)
  expect(last.errors).toBeUndefined()
  expect(last.data.transfer.isTerminal).toBe(true)
  expect(joinsOf(last.data.transfer)).not.toContain(null)
})

test('an event without selected changes is not sent, and the end always is', async () => {
  await using world = await startRouterWorld()
  const stateOnly = await openEvents(
    world,
    'subscription ($chainId: ChainId!, $hash: String!) { transfer(chainId: $chainId, hash: $hash) { state } }',
    input('02'),
  )
  const all = await openEvents(world, joined, input('02'))
  await world.clock.advance(120_000)
  const states = stateOnly.events.map(({ data }) => data.transfer.state)
  expect(states).toEqual([...new Set(states)])
  expect(states.at(-1)).toBe('COMPLETED_SUCCESS')
  expect(stateOnly.isEnded).toBe(true)
  expect(all.events.length).toBeGreaterThan(states.length)
})

const live = `subscription ($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) { state isTerminal sender amountIn hops { amountIn } } }`

const hideFirst = ({ sandbox }: RouterWorld) =>
  sandbox.faults.set('galley-1', transaction, { kind: 'status', status: 404 })

plainTest('sender and amount are sent once the indexer has them', async () => {
  await using world = await startRouterWorld({ chains: busyChains })
  const sent = await nextSentBy(world, 'MsgTransfer', 'galley-1')
  const { sender, token } = sent.messages[0].body
  hideFirst(world)
  const watch = await openEvents(world, live, { chainId: 'galley-1', hash: sent.hash })
  const states = () => watch.events.map(({ data }) => data.transfer)
  await world.clock.advance(3_000)
  expect(states().length).toBeGreaterThan(0)
  for (const { sender } of states()) expect(sender).toBeNull()
  world.sandbox.faults.clear()
  for (let second = 0; second < 4; second += 1) await world.clock.advance(1_000)
  expect(states().at(-1)).toMatchObject({ sender, amountIn: token.amount, isTerminal: false })
  for (let second = 0; second < 100; second += 1) await world.clock.advance(1_000)
  expect(states().at(-1)).toMatchObject({ state: 'COMPLETED_SUCCESS', hops: [{ amountIn: token.amount }] })
  expect(watch.isEnded).toBe(true)
  // Each event differs from the one before.
  const texts = states().map((state) => JSON.stringify(state))
  expect(texts.filter((text, i) => text === texts[i - 1])).toEqual([])
})

plainTest('fields found after the end are sent with the terminal event again', async () => {
  await using world = await startRouterWorld({ chains: busyChains })
  const sent = await nextSentBy(world, 'MsgTransfer', 'galley-1')
  const { sender } = sent.messages[0].body
  hideFirst(world)
  const watch = await openEvents(world, live, { chainId: 'galley-1', hash: sent.hash })
  const states = () => watch.events.map(({ data }) => data.transfer)
  for (let second = 0; second < 60 && !states().at(-1)?.isTerminal; second += 1) await world.clock.advance(1_000)
  await world.clock.advance(5_000)
  expect(states().at(-1)).toMatchObject({ isTerminal: true, sender: null })
  const count = states().length
  world.sandbox.faults.clear()
  await world.clock.advance(30_000)
  expect(states().slice(count)).toMatchObject([{ isTerminal: true, sender }])
  expect(watch.isEnded).toBe(true)
})

/** What the services are asked in the end, if so many watchers come in each second of the first four. */
async function requestsOf(watchers: readonly number[]) {
  await using world = await startRouterWorld()
  hide(world)
  const watches: Watch[] = []
  for (let second = 0; second < 4; second += 1) {
    const clients = Array.from(
      { length: watchers[second] ?? 0 },
      (_, index) => `10.0.${second}.${Math.floor(index / 100)}`,
    )
    watches.push(...(await Promise.all(clients.map((client) => world.watch(joined, input('00'), client)))))
    await world.clock.advance(1_000)
  }
  world.sandbox.requests.length = 0
  while (!watches[0]?.events.at(-1)?.transfer.isTerminal) await world.clock.advance(1_000)
  await world.clock.advance(6_000)
  world.sandbox.faults.clear()
  await world.clock.advance(30_000)
  for (const { events, end } of watches) {
    expect(end).toBe('completed')
    expect(joinsOf(events.at(-1)?.transfer)).not.toContain(null)
  }
  const counts = new Map<string, number>()
  for (const line of world.sandbox.requests) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

test('a thousand watchers of joined transactions cost the services what one does', async () => {
  const alone = await requestsOf([1])
  expect(alone.size).toBeGreaterThan(3)
  expect(await requestsOf([250, 250, 250, 250])).toEqual(alone)
})
