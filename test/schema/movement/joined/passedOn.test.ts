import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../../src/testing.ts'
import type { Leg } from '../../../support/movement.ts'
import { movementsOfAccount, walkBridgeTransfers } from '../../../support/straightWalk.ts'

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
  const movement = movements.find(({ state, arrival }) => state === 'PASSED_ON' && arrival !== null)
  if (!movement?.arrival || !movement.departure) throw new Error('The sandbox passes nothing on.')
  between = movement.arrival
  sourceChainId = movement.departure.chainId
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** The movement to the chain between, as that chain tells it. */
async function passedOn({ url }: TestGateway) {
  const query = `{ chain(chainId: "${between.chainId}") { transaction(hash: "${between.hash}") { ... on Transaction {
    bridgeTransfers { state summary guidance { sentence funds } departure { chainId } arrival { address chainId }
      onward { state departure { chainId hash } } } } } } }`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = await response.json()
  expect(errors).toBeUndefined()
  return data.chain.transaction.bridgeTransfers.find(
    ({ arrival }: { arrival: { chainId: string } }) => arrival.chainId === between.chainId,
  )
}

test('it says that they were passed on, and leads to the next movement', async () => {
  const found = await passedOn(gateway)
  expect(found).toMatchObject({
    state: 'PASSED_ON',
    summary: expect.stringMatching(/; passed on to .+ over channel-\d+; (nothing shows yet|on its way)/),
    guidance: { sentence: expect.stringMatching(/ has passed it on\. /) },
    // An account of the middleware, which nobody owns.
    arrival: { address: null },
    onward: { departure: { chainId: between.chainId, hash: between.hash } },
  })
  expect(found.guidance.sentence).not.toMatch(/Arrived|back/)
  expect(['MOVING', 'UNKNOWN']).toContain(found.guidance.funds)
})

test('it says no more where the source chain has no indexer, or one of its records cannot be read', async () => {
  const chains = gateway.sandbox.indexers.filter(({ chainId }) => chainId !== sourceChainId)
  await using alone = await startTestGateway({ ...options, gateway: { chains } })
  await using odd = await startTestGateway(options)
  odd.sandbox.faults.set(sourceChainId, '/indexer/tx/v1/txs/by_account/', {
    kind: 'change',
    change: (json) => ({ ...(json as object), txs: ['no record', ...(json as { txs: object[] }).txs] }),
  })
  for (const other of [alone, odd]) {
    expect(await passedOn(other)).toMatchObject({ state: 'PASSED_ON', arrival: { address: null } })
  }
})
