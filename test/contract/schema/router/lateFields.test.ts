import { expect, test } from 'vitest'
import { type RouterWorld, startRouterWorld } from '../../../support/routerWorld.ts'
import { busyChains, nextSentBy } from '../../../support/sentBy.ts'
import { type Data, testOfPlainRecords } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

// What the indexer of a chain has later than the router is sent in one more event, whichever field shows it.

/** A subscription that uses each fragment and variable, so that a selection need not. */
const document = (selection: string) => `subscription ($chainId: ChainId!, $hash: String!, $on: Boolean! = true) {
  transfer(chainId: $chainId, hash: $hash) { isTerminal ${selection}
    rest: __typename @include(if: $on) ...sums @skip(if: true) hops { ...ends @skip(if: true) } } }
  fragment sums on Transfer { sent { amount } }
  fragment ends on TransferHop { bridgeTransfer { departure { transaction { hash } } } }`

/** Watches a transfer to its end, before the indexers have its transactions. */
async function watchToEnd(world: RouterWorld, selection: string, variables: object = {}) {
  const { hash } = await nextSentBy(world, 'MsgTransfer', 'galley-1')
  for (const chainId of ['galley-1', 'harbor-1', 'lantern-1']) {
    world.sandbox.faults.set(chainId, '/indexer/tx/v1/txs', { kind: 'status', status: 404 })
  }
  const watch = await world.watch(document(selection), { chainId: 'galley-1', hash, ...variables })
  const states = () => watch.events.map(({ transfer }: Data) => transfer)
  for (let second = 0; second < 60 && !states().at(-1)?.isTerminal; second += 1) await world.clock.advance(1_000)
  await world.clock.advance(3_000)
  return { watch, states }
}

const late = [
  'sent { amount }',
  'sent { usdValue }',
  'recipient',
  '...sums',
  'mine: sent { much: amount }',
  '... on Transfer { ... @include(if: $on) { sent { amount } } }',
  'sent @include(if: $on) { amount }',
  'hops { bridgeTransfer { departure { amount } } }',
  'hops { bridgeTransfer { arrival { transaction { hash } } } }',
  'hops { bridgeTransfer { isProven } }',
  'hops { ...ends }',
  'legs { hops { ...ends } }',
  'blockingHop { index } legs { hops { sender } }',
  'hops { assetOut { symbol } }',
  'guidance { source } transaction { hash }',
]

plainTest.each(late)('`%s` is sent after the end, once it is indexed', async (selection) => {
  await using world = await startRouterWorld({ chains: busyChains })
  const { watch, states } = await watchToEnd(world, selection)
  const [before, count] = [states().at(-1), states().length]
  expect(before.isTerminal).toBe(true)
  expect(watch.end).toBeUndefined()
  world.sandbox.faults.clear()
  await world.clock.advance(27_000)
  expect(states().length).toBe(count + 1)
  expect(states().at(-1)).not.toEqual(before)
  expect(watch.end).toBe('completed')
})

test.each([
  'hops { index } chain { chainId }',
  'sent @include(if: $on) { amount }',
  'sent @skip(if: true) { amount } hops { ... @include(if: $on) { ...ends } }',
])('`%s` waits for nothing if it is not included', async (selection) => {
  await using world = await startRouterWorld({ chains: busyChains })
  const { watch, states } = await watchToEnd(world, selection, { on: false })
  expect(states().at(-1)?.isTerminal).toBe(true)
  expect(watch.end).toBe('completed')
})
