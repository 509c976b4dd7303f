import { expect, test } from 'vitest'
import { type RouterWorld, startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

const page = `{ chain(chainId: "harbor-1") { transactions(first: 60) { nodes {
  hash isSuccessful messages { typeUrl } transfer { hash chainId state } } } } }`
const one = `query ($hash: Hash!) { chain(chainId: "harbor-1") { transaction(hash: $hash) {
  transfer { state outcome } again: transfer { isTerminal } } } }`
const track = `mutation ($hash: String!) {
  trackTransfer(input: { chainId: "harbor-1", hash: $hash }) { transfer { state } } }`

const leaves = ({ messages }: Data) =>
  messages.some(
    ({ typeUrl }: Data) =>
      !/^\/(cosmos\.(bank|distribution|feegrant|gov|staking)|initia\.(gov|mstaking))/.test(typeUrl),
  )

const pageOf = async (world: RouterWorld): Promise<Data[]> => (await world.data(page)).chain.transactions.nodes

const started = (rows: readonly Data[]) =>
  rows.find(({ isSuccessful, messages }) => isSuccessful && /MsgTransfer|TokenDeposit/.test(messages[0].typeUrl))

test('transfer of a transaction is found without tracking it', async () => {
  await using world = await startRouterWorld()
  const { hash } = started(await pageOf(world))
  const untracked = await world.data(one, { hash })
  expect(untracked.chain.transaction).toEqual({ transfer: null, again: null })
  expect(world.requests().filter((request) => /track/.test(request))).toEqual([])
  await world.data(track, { hash })
  await world.clock.advance(3_000)
  world.requests()
  const { transaction } = (await world.data(one, { hash })).chain
  expect(transaction).toEqual({
    transfer: { state: 'PENDING', outcome: 'PENDING' },
    again: { isTerminal: false },
  })
  expect(world.requests()).toEqual([`GET /v2/tx/status?tx_hash=${hash}&chain_id=harbor-1`])
})

test('transfers of a page take one request per transaction that left the chain', async () => {
  await using world = await startRouterWorld()
  const rows = await pageOf(world)
  const asked = world.requests().map((request) => /tx_hash=(\w+)/.exec(request)?.[1])
  expect(asked.toSorted()).toEqual(
    rows
      .filter(leaves)
      .map(({ hash }) => hash)
      .toSorted(),
  )
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.length).toBeLessThan(rows.length)
})

test('without a router, transfer is null without an error', async () => {
  await using world = await startRouterWorld({ routerUrl: null })
  const rows = await pageOf(world)
  expect(new Set(rows.map(({ transfer }) => transfer))).toEqual(new Set([null]))
})

test('a router that fails affects only transfer', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/tx/status', { kind: 'status', status: 500 })
  const { data, errors } = await world.ask(page)
  expect(data.chain.transactions.nodes).toHaveLength(60)
  expect(errors?.length).toBeGreaterThan(0)
  for (const { path } of errors ?? []) expect(path?.at(-1)).toBe('transfer')
})

test('transfer costs as much as a request', async () => {
  await using world = await startRouterWorld()
  const pointsOf = async (field: string) => {
    const response = await fetch(world.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'graphql-cost-debug': '1' },
      body: JSON.stringify({ query: `{ chain { transactions(first: 10) { nodes { ${field} } } } }` }),
    })
    return ((await response.json()) as Data).extensions.cost.points
  }
  expect((await pointsOf('hash transfer { state }')) - (await pointsOf('hash'))).toBeGreaterThanOrEqual(10 * 5)
})
