import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSameAddress } from '#words/addresses/bytes'
import { startTestGateway, type TestGateway } from '../../../../src/testing.ts'
import type { Movement } from '../../../support/movement.ts'
import { movementsOfAccount, walkBridgeTransfers } from '../../../support/straightWalk.ts'

const minute = 60_000
const now = Date.UTC(2026, 9, 1, 12)

let gateway: TestGateway
/** Movements of the traveller that ended before, newest last. */
let movements: readonly Movement[]
beforeAll(async () => {
  gateway = await startTestGateway({ date: now, transfersBeginAnew: false })
  const all = await walkBridgeTransfers(gateway.sandbox, { since: now - 32 * minute, until: now })
  movements = movementsOfAccount(all, gateway.sandbox.traveller)
})
afterAll(() => gateway[Symbol.asyncDispose]())

async function ask(url: string, query: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = await response.json()
  expect(errors).toBe(undefined)
  return data
}

type Find = (movement: Movement) => boolean

const findOne = (isWanted: Find): Movement => {
  const found = movements.find(isWanted)
  if (!found) throw new Error('The sandbox has no such movement.')
  return found
}

/** The bridge transfer with the number of a movement, of a transaction. */
async function transferOf(
  { chainId, hash }: { chainId: string; hash: string },
  { way }: Movement,
  fields: string,
  { url } = gateway,
) {
  const { chain } = await ask(
    url,
    `{ chain(chainId: "${chainId}") { transaction(hash: "${hash}") { ... on Transaction { bridgeTransfers { sequence ${fields} } } } } }`,
  )
  const own = chain.transaction.bridgeTransfers.filter(
    ({ sequence }: { sequence: number }) => `${sequence}` === way.sequence,
  )
  expect(own).toHaveLength(1)
  return own[0]
}

/** The departure of a movement, which has to be known. */
function departureOf({ departure }: Movement) {
  if (!departure) throw new Error('no departure')
  return departure
}

const places = 'state departure { chainId hash } arrival { chainId hash } refund { chainId hash }'
const placeOf = (leg: Movement['departure']) => leg && { chainId: leg.chainId, hash: leg.hash }

describe('every transaction of a transfer has the whole of it', () => {
  const rows: readonly [string, Find][] = [
    ['that arrived', ({ state, bridge }) => state === 'ARRIVED' && bridge === 'IBC'],
    ['that was refused and refunded', ({ state, bridge }) => state === 'REFUNDED' && bridge === 'IBC'],
    ['that timed out', ({ state }) => state === 'TIMED_OUT'],
    [
      'that is a deposit',
      ({ state, bridge, way }) =>
        state === 'ARRIVED' && bridge === 'OPINIT' && 'direction' in way && way.direction === 'deposit',
    ],
    ['that is a deposit that came back', ({ state, bridge }) => state === 'REFUNDED' && bridge === 'OPINIT'],
    [
      'that is a withdrawal',
      ({ state, way }) => state === 'ARRIVED' && 'direction' in way && way.direction === 'withdrawal',
    ],
  ]
  test.each(rows)('%s', async (_, isWanted) => {
    const movement = findOne((each) => isWanted(each) && each.departure !== null)
    const { state, departure, arrival, refund } = movement
    expect(departure).not.toBe(null)
    const isDeposit = 'direction' in movement.way && movement.way.direction === 'deposit'
    // The claim of what came back is the end of a withdrawal of its own.
    for (const leg of [departure, arrival, isDeposit ? null : refund]) {
      if (!leg) continue
      const found = await transferOf(leg, movement, places)
      expect(found).toMatchObject({ state, departure: placeOf(departure), refund: placeOf(refund) })
      if (arrival) expect(found.arrival).toEqual(placeOf(arrival))
    }
  })
})

describe('words and amounts', () => {
  test('a timed-out transfer sums to zero over the balance changes of its transactions', async () => {
    const { departure, refund } = findOne(({ state }) => state === 'TIMED_OUT')
    const document = [departure, refund].map(
      (leg, index) =>
        `t${index}: chain(chainId: "${leg?.chainId}") { transaction(hash: "${leg?.hash}") { balanceChanges { kind denom amount account { hexAddress } bridgeTransfer { state } } } }`,
    )
    const data = await ask(gateway.url, `{ ${document.join(' ')} }`)
    const sums = new Map<string, bigint>()
    for (const { transaction } of [data.t0, data.t1]) {
      for (const { kind, denom, amount, account, bridgeTransfer } of transaction.balanceChanges) {
        if (kind === 'FEE' || account?.hexAddress !== gateway.sandbox.traveller) continue
        expect(bridgeTransfer).toEqual({ state: 'TIMED_OUT' })
        sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount))
      }
    }
    expect([...sums.values()]).toEqual([0n])
  })
  test.each([
    ['ARRIVED', /^Sent [\d.,]+ \w+ from \w+ to \w+; arrived \d+ (s|min) later$/],
    ['TIMED_OUT', /; timed out and returned$/],
    ['REFUNDED', /; refused and returned$/],
  ])('the summary of one that is %s says so', async (state, words) => {
    const movement = findOne((each) => each.state === state && each.departure !== null)
    const { summary, guidance } = await transferOf(
      departureOf(movement),
      movement,
      'summary guidance { code sentence funds }',
    )
    expect(summary).toMatch(words)
    expect(guidance.funds).toBe(state === 'ARRIVED' ? 'DELIVERED' : 'RETURNED')
  })
  test('each action of a bridge leads to its transfer', async () => {
    const isOrdinary: Find = ({ state, bridge, sender }) =>
      state === 'ARRIVED' && bridge === 'IBC' && isSameAddress(sender, gateway.sandbox.traveller)
    const { chainId, hash } = departureOf(findOne(isOrdinary))
    const data = await ask(
      gateway.url,
      `{ chain(chainId: "${chainId}") { transaction(hash: "${hash}") { actions { kind bridgeTransfer { state } } } } }`,
    )
    expect(data.chain.transaction.actions).toContainEqual({ kind: 'BRIDGE_OUT', bridgeTransfer: { state: 'ARRIVED' } })
  })
})

const isUnclaimed: Find = ({ state, way }) =>
  'direction' in way && way.direction === 'withdrawal' && state === 'UNKNOWN'

describe('the claim of a withdrawal', () => {
  const claim =
    'isWithdrawal claim { outputIndex outputAt finalizationSeconds claimableAt isClaimable } guidance { code nextStep }'
  test('is possible a finalization period after the first output that has it', async () => {
    const movement = findOne(isUnclaimed)
    const departure = departureOf(movement)
    const found = await transferOf(departure, movement, claim)
    expect(found).toMatchObject({ isWithdrawal: true, claim: { finalizationSeconds: 60, isClaimable: true } })
    const { outputAt, claimableAt } = found.claim
    expect(Date.parse(outputAt)).toBeGreaterThan(Date.parse(departure.time))
    expect(Date.parse(claimableAt) - Date.parse(outputAt)).toBe(minute)
    expect(found.guidance).toMatchObject({ code: 'CLAIMABLE', nextStep: 'Claim it on Harbor now.' })
  })
  test('may have been made where not all records were read: its time is known, and nothing more', async () => {
    // What an account did in two days is more than one search reads.
    const until = new Date(now - 2 * 24 * 60 * minute).toISOString()
    const { account } = await ask(
      gateway.url,
      `{ account(address: "${gateway.sandbox.traveller}") { bridgeTransfers(first: 20, filter: { until: "${until}" }) {
        nodes { isWithdrawal state departure { chainId hash chain { prettyName } } } } } }`,
    )
    const { departure } = account.bridgeTransfers.nodes.find(
      (node: { isWithdrawal: boolean; state: string }) => node.isWithdrawal && node.state === 'UNKNOWN',
    )
    const { chain } = await ask(
      gateway.url,
      `{ chain(chainId: "${departure.chainId}") { transaction(hash: "${departure.hash}") { bridgeTransfers {
        state claim { claimableAt isClaimable } guidance { code sentence nextStep } } } } }`,
    )
    const [found] = chain.transaction.bridgeTransfers
    expect(found).toMatchObject({ state: 'UNKNOWN', claim: { isClaimable: null } })
    expect(Date.parse(found.claim.claimableAt)).toBeLessThan(now)
    const ended = found.claim.claimableAt.slice(0, 16).replace('T', ' ')
    expect(found.guidance).toEqual({
      code: 'UNKNOWN',
      sentence: `Burned on ${departure.chain.prettyName}. The challenge period of the bridge ended on ${ended} UTC. No claim of it on Harbor was found, but not all records were read.`,
      nextStep: 'Claim it on Harbor, unless it has been claimed.',
    })
  })
  test('that was made is not possible again', async () => {
    const movement = findOne(
      ({ state, way }) => 'direction' in way && way.direction === 'withdrawal' && state === 'ARRIVED',
    )
    const found = await transferOf(departureOf(movement), movement, `state ${claim}`)
    expect(found).toMatchObject({ state: 'ARRIVED', claim: { isClaimable: false } })
  })
  test('of a refused deposit is that of the withdrawal that brings it back, and is made once', async () => {
    const movement = findOne(({ state, bridge }) => bridge === 'OPINIT' && state === 'REFUNDED')
    const departure = departureOf(movement)
    const found = await transferOf(departure, movement, claim)
    expect(found).toMatchObject({ isWithdrawal: false, claim: { finalizationSeconds: 60, isClaimable: false } })
    expect(Date.parse(found.claim.claimableAt)).toBeLessThan(now)
  })
  test('has no time where the period of the bridge is not known', async () => {
    const chains = gateway.sandbox.indexers.map(({ opInitFinalizationSeconds: _, ...chain }) => chain)
    await using other = await startTestGateway({ date: now, gateway: { chains } })
    const movement = findOne(isUnclaimed)
    const departure = departureOf(movement)
    const found = await transferOf(departure, movement, claim, other)
    expect(found.claim).toMatchObject({ finalizationSeconds: null, claimableAt: null, isClaimable: null })
  })
})

describe('without a registry and without a router', () => {
  test('both ends are found among the indexed chains', async () => {
    const bare = gateway.sandbox.indexers.map(({ chainId, url, vm, bech32Prefix }) => ({
      chainId,
      url,
      vm,
      bech32Prefix,
    }))
    await using other = await startTestGateway({ date: now, gateway: { chains: bare, router: undefined } })
    for (const bridge of ['IBC', 'OPINIT'] as const) {
      const movement = findOne((each) => each.bridge === bridge && each.state === 'ARRIVED' && each.departure !== null)
      const { departure, arrival } = movement
      if (!departure || !arrival) throw new Error('no leg')
      for (const leg of [departure, arrival]) {
        const found = await transferOf(leg, movement, places, other)
        expect(found).toMatchObject({ state: 'ARRIVED', departure: placeOf(departure), arrival: placeOf(arrival) })
      }
    }
  })
})

describe('with a router', () => {
  test('every IBC transfer message has one transfer over a bridge', async () => {
    const query = `{ chain(chainId: "harbor-1") { transactions(first: 20, filter: { messageTypes: ["ibc.applications.transfer.v1.MsgTransfer"] }) {
      nodes { isSuccessful bridgeTransfers { state } } } } }`
    const { chain } = await ask(gateway.url, query)
    const abroad = chain.transactions.nodes.filter(({ isSuccessful }: { isSuccessful: boolean }) => isSuccessful)
    expect(abroad.length).toBeGreaterThan(0)
    for (const { bridgeTransfers } of abroad) expect(bridgeTransfers).toHaveLength(1)
  })
  test('an indexer that fails leaves the state unknown, and its end an error', async () => {
    const { departure } = findOne(({ state, bridge }) => state === 'ARRIVED' && bridge === 'OPINIT')
    await using other = await startTestGateway({ date: now, gateway: { router: undefined } })
    for (const { chainId } of other.sandbox.indexers) {
      if (chainId !== departure?.chainId) other.sandbox.faults.set(chainId, '/', { kind: 'status', status: 500 })
    }
    const response = await fetch(other.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `{ chain(chainId: "${departure?.chainId}") { transaction(hash: "${departure?.hash}") { bridgeTransfers { state sequence arrival { hash } } } } }`,
      }),
    })
    const { data, errors } = await response.json()
    expect(errors).toMatchObject([{ path: ['chain', 'transaction', 'bridgeTransfers', 0, 'arrival', 'hash'] }])
    expect(data.chain.transaction.bridgeTransfers).toMatchObject([{ state: 'UNKNOWN' }])
  })
})
