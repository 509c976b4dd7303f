import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../src/testing.ts'
import type { Leg } from '../support/movement.ts'
import { movementsOfAccount, walkBridgeTransfers } from '../support/straightWalk.ts'

// A chain between two others has passed the coins on. Only the source chain learns how that ended.
const now = Date.UTC(2026, 9, 1, 12, 8, 15)
const options = { date: now, transfersBeginAnew: false }

let gateway: TestGateway
/** The transaction that passed them on, and the chain that they came from. */
let between: Leg
let sourceChainId: string
beforeAll(async () => {
  gateway = await startTestGateway(options)
  const all = await walkBridgeTransfers(gateway.sandbox, { since: now - 120_000, until: now })
  const movements = movementsOfAccount(all, gateway.sandbox.traveller)
  const movement = movements.find(({ state, arrival }) => state === 'ON_THE_WAY' && arrival !== null)
  if (!movement?.arrival || !movement.departure) throw new Error('The sandbox passes nothing on.')
  between = movement.arrival
  sourceChainId = movement.departure.chainId
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** The states of the bridge transfers of that transaction. */
async function statesOf({ url }: TestGateway): Promise<readonly string[]> {
  const query = `{ chain(chainId: "${between.chainId}") { transaction(hash: "${between.hash}") {
    ... on Transaction { bridgeTransfers { state departure { chainId } } } } } }`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = await response.json()
  expect(errors).toBeUndefined()
  return data.chain.transaction.bridgeTransfers.map(({ state }: { state: string }) => state)
}

test('they are on the way if the source chain shows no end', async () => {
  expect(await statesOf(gateway)).toContain('ON_THE_WAY')
})

test('nobody knows where they are if the source chain has no indexer', async () => {
  const chains = gateway.sandbox.indexers.filter(({ chainId }) => chainId !== sourceChainId)
  await using other = await startTestGateway({ ...options, gateway: { chains } })
  const states = await statesOf(other)
  expect(states).toContain('UNKNOWN')
  expect(states).not.toContain('ON_THE_WAY')
})

test('nobody knows where they are if a record of the source chain cannot be read: it can be the end', async () => {
  await using other = await startTestGateway(options)
  other.sandbox.faults.set(sourceChainId, '/indexer/tx/v1/txs/by_account/', {
    kind: 'change',
    change: (json) => ({ ...(json as object), txs: ['no record', ...(json as { txs: object[] }).txs] }),
  })
  expect(await statesOf(other)).not.toContain('ON_THE_WAY')
})
