import { expect, test } from 'vitest'
import { startSandbox } from '../../../../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../../../../src/gateway.ts'
import { type RouterWorld, startRouterWorld, type Watch } from '../../../../support/routerWorld.ts'
import { type Data, now, youngChains } from '../../../../support/world.ts'

// What becomes of a cursor that was signed with a key that is gone, as after a restart without SIGNING_KEYS.

const chainId = 'galley-1'
const address = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const blocks = `subscription ($after: String) { blocks(chainId: "${chainId}", after: $after) {
  cursor node { height } notice { kind headHeight } } }`
const activity = `subscription ($after: String) { activity(address: "${address}", after: $after) {
  cursor chain { chainId } node { hash height } notice { kind } } }`

const fullPace = { feeds: { headPace: { fullPaceViewers: 1 } } }

/** The cursor of the newest event of a gateway, whose keys end with it. */
async function lostCursor(document: string): Promise<string> {
  await using world = await startRouterWorld(fullPace)
  const watch = await world.watch(document)
  await world.clock.advance(120_000)
  await watch.leave()
  return Object.values<Data>(watch.events.at(-1))[0].cursor
}

const eventsOf = ({ events }: Watch) => events.flatMap((data) => Object.values<Data>(data))

test('`blocks` after a lost cursor starts with a GAP notice and continues', async () => {
  const after = await lostCursor(blocks)
  await using world = await startRouterWorld(fullPace)
  const watch = await world.watch(blocks, { after })
  await world.clock.advance(6_999)
  const [gap, ...rest] = eventsOf(watch)
  expect(gap).toMatchObject({ node: null, notice: { kind: 'GAP', headHeight: 60 } })
  expect(rest.map(({ node }) => node?.height)).toEqual([61, 62, 63])
  expect(watch.end).toBeUndefined()
  await watch.leave()
  // The cursor of the gap is the place where it is.
  const again = await world.watch(blocks, { after: gap.cursor })
  await world.clock.advance(1_000)
  expect(eventsOf(again).map(({ node }) => node?.height)).toEqual([61, 62, 63])
  await again.leave()
})

test('`activity` after a lost cursor has a GAP notice per chain and loses nothing after', async () => {
  const after = await lostCursor(activity)
  await using world = await startRouterWorld(fullPace)
  const watch = await world.watch(activity, { after })
  const fresh = await world.watch(activity)
  await world.clock.advance(200_000)
  const gaps = eventsOf(watch).filter(({ notice }) => notice?.kind === 'GAP')
  expect(gaps.map(({ chain }) => chain.chainId).toSorted()).toEqual(['galley-1', 'harbor-1', 'lantern-1'])
  const recordsOf = (of: Watch) =>
    eventsOf(of).flatMap(({ chain, node }) => (node ? [`${chain.chainId} ${node.hash}`] : []))
  expect(recordsOf(fresh).length).toBeGreaterThan(3)
  expect(recordsOf(watch).toSorted()).toEqual(recordsOf(fresh).toSorted())
  for (const { chain } of gaps) {
    const first = eventsOf(watch).find((event) => event.chain.chainId === chain.chainId)
    expect(first.notice).toEqual({ kind: 'GAP' })
  }
  // From the last of these cursors, nothing is missed on any chain.
  const again = await world.watch(activity, { after: gaps.at(-1).cursor })
  await world.clock.advance(1_000)
  expect(recordsOf(again).toSorted()).toEqual(recordsOf(watch).toSorted())
  for (const open of [watch, fresh, again]) await open.leave()
})

const codes = async (world: RouterWorld, document: string, after: string) => {
  const { errors } = await world.ask(document, { after })
  return errors?.map(({ extensions }: Data) => extensions.reason)
}

test('a page after a lost cursor is CURSOR_EXPIRED', async () => {
  const document = `query ($after: String) { chain(chainId: "${chainId}") {
    blocks(first: 2, after: $after) { edges { cursor } pageInfo { endCursor } } } }`
  const other = document.replace('blocks(', 'transactions(')
  const cursorsOf = async (world: RouterWorld) => {
    const { chain } = await world.data(document)
    return [chain.blocks.edges[0].cursor, chain.blocks.pageInfo.endCursor]
  }
  let lost: string[] = []
  {
    await using before = await startRouterWorld()
    lost = await cursorsOf(before)
  }
  await using world = await startRouterWorld()
  for (const after of lost) expect(await codes(world, document, after)).toEqual(['CURSOR_EXPIRED'])
  const own = await cursorsOf(world)
  for (const after of own) {
    expect(await codes(world, document, after)).toBeUndefined()
    expect(await codes(world, other, after)).toEqual(['CURSOR_OF_ANOTHER_LIST'])
  }
  for (const after of ['', 'x', '.', 'AAAA.1', `${own[0]}A`, Buffer.alloc(60).toString('base64url')]) {
    expect(await codes(world, document, after)).toEqual(['INVALID_CURSOR'])
  }
})

test('live lists refuse invalid cursors and those of other lists', async () => {
  await using world = await startRouterWorld()
  const { chain } = await world.data(`{ chain(chainId: "${chainId}") { transactions(first: 1) { edges { cursor } } } }`)
  for (const after of ['x', chain.transactions.edges[0].cursor]) {
    await expect(world.watch(blocks, { after })).rejects.toThrow(/cursor/)
    await expect(world.watch(activity, { after })).rejects.toThrow(/cursor/)
  }
})

test('Last-Event-ID with a lost cursor gives a GAP notice', async () => {
  const id = await lostCursor(blocks)
  const sandbox = await startSandbox({ clock: () => now, chains: youngChains(60) })
  const gateway = await createGateway({ chains: sandbox.indexers })
  const query = encodeURIComponent(`subscription { blocks(chainId: "${chainId}") { cursor notice { kind } } }`)
  const abort = new AbortController()
  const response = await fetch(`${gateway.url}?query=${query}`, {
    headers: { accept: 'text/event-stream', 'last-event-id': id },
    signal: abort.signal,
  })
  let text = ''
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString()
    if (text.includes('data: {')) break
  }
  abort.abort()
  const [, data = ''] = /data: (\{.*\})/.exec(text) ?? []
  const event: Data = JSON.parse(data).data.blocks
  expect(event.notice).toEqual({ kind: 'GAP' })
  expect(text).toContain(`id: ${event.cursor}`)
  await gateway.close()
  await sandbox.close()
})
