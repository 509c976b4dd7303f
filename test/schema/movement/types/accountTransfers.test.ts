import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSameAddress as isSame } from '#words/addresses/bytes'
import { startTestGateway, type TestGateway } from '../../../../src/testing.ts'
import type { Leg, Movement } from '../../../support/movement.ts'
import { movementsOfAccount, walkBridgeTransfers } from '../../../support/straightWalk.ts'

const minute = 60_000
const now = Date.UTC(2026, 9, 1, 12)
/** How far back the straight walk reads. Movements that are listed begin later, so that both know their beginning. */
const [walked, listed] = [now - 32 * minute, now - 22 * minute]

interface ListedLeg {
  readonly chainId: string | null
  readonly hash: string | null
  readonly timestamp: string | null
}

/** A bridge transfer as the graph gives it. */
interface Listed {
  readonly bridge: string
  readonly state: string
  readonly sequence: number
  readonly sourceChannel: string | null
  readonly destinationChannel: string | null
  readonly opInitBridgeId: string | null
  readonly isWithdrawal: boolean
  readonly departure: ListedLeg & { readonly address: string; readonly amount: string }
  readonly arrival: ListedLeg & { readonly address: string | null }
  readonly refund: ListedLeg | null
}

const leg = '{ chainId hash timestamp }'
const fields = `
  bridge state sequence sourceChannel destinationChannel opInitBridgeId isWithdrawal
  departure { chainId hash timestamp address amount }
  arrival { chainId hash timestamp address }
  refund ${leg}
`
const document = `query ($address: Address!, $first: Int, $after: String, $last: Int, $before: String, $order: OrderDirection!, $filter: BridgeTransferFilter) {
  account(address: $address) {
    bridgeTransfers(first: $first, after: $after, last: $last, before: $before, order: $order, filter: $filter) {
      nodes { ${fields} }
      pageInfo { hasNextPage endCursor hasPreviousPage startCursor }
      unavailableChains { message }
    }
  }
}`

let gateway: TestGateway
beforeAll(async () => {
  // The router says more than the records of both chains. Here only they count.
  const limits = { timeoutMs: 120_000, upstreamTimeoutMs: 60_000 }
  gateway = await startTestGateway({ date: now, gateway: { router: undefined, limits } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

async function post(url: string, query: string, variables: object = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return response.json()
}

/** The hashes of both ends, by either way to select them. */
const hashesOf = (node: Record<'departure' | 'arrival', { hash?: string; transaction?: { hash: string } | null }>) =>
  [node.departure, node.arrival].map(({ hash, transaction }) => hash ?? transaction?.hash ?? null)

async function ask(variables: object) {
  const { data, errors } = await post(gateway.url, document, variables)
  expect(errors).toBe(undefined)
  expect(data.account.bridgeTransfers.unavailableChains).toEqual([])
  return data.account.bridgeTransfers
}

/** All bridge transfers of an account in a span, page by page. */
async function pageThrough(address: string, { order = 'DESC', first = 20, since = listed }, between = async () => {}) {
  const filter = { since: new Date(since).toISOString(), until: new Date(now).toISOString() }
  const all: Listed[] = []
  for (let after: string | null = null; ; await between()) {
    const page = await ask({ address, order, first, after, filter })
    all.push(...page.nodes)
    expect(page.nodes.length).toBeLessThanOrEqual(first)
    if (!page.pageInfo.hasNextPage) return all
    after = page.pageInfo.endCursor
  }
}

/** What does not change while blocks arrive: the first end, and what names it. */
const ends = ({ bridge, sequence, sourceChannel, opInitBridgeId, departure }: Listed) => ({
  ...{ bridge, sequence, sourceChannel, opInitBridgeId },
  hash: departure.hash,
})

/** What both ways have to say of a movement. */
const toComparable = (movement: Movement) => {
  const { bridge, way, state, sender, receiver, amount, departure, arrival, refund } = movement
  const isV2 = 'sourceClient' in way
  return {
    bridge: isV2 ? 'EUREKA' : bridge,
    state,
    sequence: Number(way.sequence),
    sourceChannel: 'sourceChannel' in way ? way.sourceChannel : isV2 ? way.sourceClient : null,
    destinationChannel: 'destinationChannel' in way ? way.destinationChannel : isV2 ? way.destinationClient : null,
    opInitBridgeId: 'bridgeId' in way ? way.bridgeId : null,
    isWithdrawal: 'direction' in way && way.direction === 'withdrawal',
    departure: { ...placeOf(departure, way.sourceChainId), address: sender, amount },
    arrival: { ...placeOf(arrival, way.destinationChainId), address: movement.isSentOn ? null : receiver },
    refund: refund && placeOf(refund, null),
  }
}

const placeOf = (place: Leg | null, chainId: string | null): ListedLeg => ({
  chainId: place?.chainId ?? chainId,
  hash: place?.hash ?? null,
  timestamp: place?.time ?? null,
})

/**
 * The movements in the span of the list. One that comes from a chain without an indexer is known by its arrival alone, which does
 * not prove who sent it.
 */
const listable = (movements: readonly Movement[], account: string) =>
  movementsOfAccount(inSpan(movements), account).filter(
    ({ departure, receiver }) => departure !== null || isSame(receiver, account),
  )

const inSpan = (movements: readonly Movement[]) =>
  movements.filter(({ departure, arrival }) => {
    const time = Date.parse((departure ?? arrival)?.time ?? '')
    return time >= listed && time < now
  })

const byText = (all: readonly object[]) => all.map((each) => JSON.stringify(each)).toSorted()

describe('the bridge transfers of an account', () => {
  let movements: readonly Movement[]
  let accounts: readonly string[]
  beforeAll(async () => {
    movements = await walkBridgeTransfers(gateway.sandbox, { since: walked, until: now })
    const parties = inSpan(movements).flatMap(({ sender, receiver }) => [sender, receiver])
    accounts = [gateway.sandbox.traveller, ...parties.filter((_, index) => index % 61 === 0).slice(0, 5)]
  })

  test('are those that a straight walk over all transactions joins, leg by leg', async () => {
    const states = new Set<string>()
    for (const account of accounts) {
      const expected = listable(movements, account).map(toComparable)
      const found = await pageThrough(account, {})
      expect(byText(found)).toEqual(byText(expected))
      for (const { state } of found) states.add(state)
    }
    expect([...states].toSorted()).toEqual(['ARRIVED', 'PASSED_ON', 'REFUNDED', 'REFUSED', 'TIMED_OUT', 'UNKNOWN'])
  })

  test('name the transactions of both ends without a request for each', async () => {
    const { sandbox } = gateway
    const ask = async (leg: string) => {
      await using fresh = await startTestGateway({ date: now, gateway: { router: undefined } })
      const query = `{ account(address: "${sandbox.traveller}") { bridgeTransfers(first: 20) { nodes { ${leg} } } } }`
      const { data, errors } = await post(fresh.url, query)
      expect(errors).toBe(undefined)
      return { nodes: data.account.bridgeTransfers.nodes, requests: fresh.sandbox.requests.length }
    }
    const hashes = await ask('departure { hash } arrival { hash }')
    const names = await ask('departure { transaction { id hash chain { chainId } } } arrival { transaction { hash } }')
    const records = await ask('departure { transaction { height } } arrival { transaction { height } }')
    expect(names.requests).toBe(hashes.requests)
    expect(records.requests).toBe(hashes.requests)
    expect(names.nodes.map(hashesOf)).toEqual(hashes.nodes.map(hashesOf))
  })

  test.each([1, 3, 7, 100])('are the same in pages of %i, in both orders, while blocks arrive', async (first) => {
    const { traveller } = gateway.sandbox
    const since = now - 12 * minute
    const whole = (await pageThrough(traveller, { since })).map(ends)
    expect(whole.length).toBeGreaterThan(10)
    const newest = await pageThrough(traveller, { since, first }, () => gateway.advance(1_000))
    expect(newest.map(ends)).toEqual(whole)
    const oldest = await pageThrough(traveller, { since, first, order: 'ASC' })
    expect(oldest.map(ends)).toEqual(whole.toReversed())
  })
})
