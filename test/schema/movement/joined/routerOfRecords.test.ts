import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxChains } from '../../../../packages/sandbox/src/chains.ts'
import { createWorld } from '../../../../packages/sandbox/src/world/world.ts'
import { startTestGateway, type TestGateway } from '../../../../src/testing.ts'
import type { Data } from '../../../support/world.ts'

// The router of the sandbox and the records of its chains tell one story of each transaction.

const minute = 60_000
const now = Date.UTC(2026, 9, 1, 12)

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ date: now, transfersBeginAnew: false })
})
afterAll(() => gateway[Symbol.asyncDispose]())

async function ask(query: string): Promise<Data> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = await response.json()
  expect(errors).toBeUndefined()
  return data
}

/** The successful transactions of the sandbox's chains in the last minutes. */
const recent = (minutes: number) =>
  sandboxChains.flatMap((chain) => {
    const { height, transactions } = createWorld(chain, 'portolan', () => now)
    const first = transactions.lastAt(height() - Math.floor((minutes * minute) / chain.blockTime))
    return Array.from({ length: transactions.lastAt(height()) - first }, (_, index) =>
      transactions.record(first + index + 1),
    ).flatMap(({ code, txhash: hash, events }) => (code === 0 ? [{ chainId: chain.chainId, hash, events }] : []))
  })

const sending = /^(send_packet|initiate_token_(deposit|withdrawal))$/

const leg = '{ chainId hash denom amount }'
const movement = `bridge state departure ${leg} arrival ${leg} refund ${leg}`
const transferFields = `state outcome guidance { code funds }
  sent { chainId denom amount } assetRelease { chainId denom amount isReleased }
  hops { fromChainId toChainId bridgeTransfer { ${movement} } transactions { chainId hash transaction { hash } } }`

test('the transfer of a transaction does not contradict its bridge transfers', async () => {
  const states = new Set<string>()
  for (const { chainId, hash } of recent(22).filter(({ events }) => events.some(({ type }) => sending.test(type)))) {
    await track(chainId, hash)
    // First, since the router names transactions that a search of an account can miss.
    const { transfer } = await ask(`{ transfer(chainId: "${chainId}", hash: "${hash}") { ${transferFields} } }`)
    const { chain } = await ask(`{ chain(chainId: "${chainId}") { transaction(hash: "${hash}") { ... on Transaction {
      bridgeTransfers { isWithdrawal ${movement} guidance { code funds } onward { ${movement} } } } } } }`)
    const named = transfer.hops.flatMap(({ transactions }: Data) => transactions)
    for (const { hash, transaction } of named) expect(transaction).toEqual({ hash })
    const own = chain.transaction.bridgeTransfers.find(({ departure }: Data) => departure.hash === hash)
    // A refused deposit comes back by a withdrawal, which is a part of it.
    if (!own) continue
    const { onward, guidance, isWithdrawal, ...first } = own
    const last = onward ?? first
    const { chainId: at, denom, amount } = first.departure
    expect(transfer.sent).toEqual({ chainId: at, denom, amount })
    expect(transfer.hops.map(({ bridgeTransfer }: Data) => bridgeTransfer)).toEqual(onward ? [first, onward] : [first])
    expect([transfer.hops[0].fromChainId, transfer.hops.at(-1).toChainId]).toEqual([at, last.arrival.chainId])
    expect(transfer.guidance, hash).toEqual(guidance)
    if (first.bridge === 'OPINIT' && !isWithdrawal && /REFUSED|REFUNDED/.test(first.state)) {
      // As a router does, this one says only that the rollup has dealt with the deposit.
      expect(transfer.assetRelease?.chainId).not.toBe(first.arrival.chainId)
      continue
    }
    states.add(`${first.bridge} ${first.state}${onward ? ` ${onward.state}` : ''}: ${transfer.state}`)
    const hasArrived = last.state === 'ARRIVED'
    expect(transfer.outcome, hash).toBe(hasArrived ? 'SUCCEEDED' : first.refund ? 'FAILED' : 'PENDING')
    // What this chain had passed on went back to where it came from: nobody got it here.
    const isPassedOn = chain.transaction.bridgeTransfers.length > 1
    const place = hasArrived ? last.arrival : isPassedOn ? null : first.refund
    const release = place && { chainId: place.chainId, denom: place.denom, amount: place.amount, isReleased: true }
    expect(transfer.assetRelease, hash).toEqual(release)
  }
  // Nobody answers what the hub sends to chains that are not of the sandbox.
  expect([...states].toSorted()).toMatchInlineSnapshot(`
    [
      "EUREKA ARRIVED: COMPLETED_SUCCESS",
      "EUREKA REFUNDED: COMPLETED_ERROR",
      "IBC ARRIVED: COMPLETED_SUCCESS",
      "IBC ON_THE_WAY: PENDING",
      "IBC PASSED_ON ARRIVED: COMPLETED_SUCCESS",
      "IBC REFUNDED REFUNDED: COMPLETED_ERROR",
      "IBC REFUNDED: COMPLETED_ERROR",
      "IBC TIMED_OUT: COMPLETED_ERROR",
      "OPINIT ARRIVED: COMPLETED_SUCCESS",
      "OPINIT ON_THE_WAY: PENDING",
    ]
  `)
})

test('a transaction that sends nothing to another chain has no hop', async () => {
  const others = recent(4).filter(({ events }) => !events.some(({ type }) => sending.test(type)))
  expect(others.length).toBeGreaterThan(100)
  for (const { chainId, hash } of others) {
    await track(chainId, hash)
    const { transfer } = await ask(`{ transfer(chainId: "${chainId}", hash: "${hash}") { state hops { index } } }`)
    expect(transfer).toEqual({ state: 'UNTRACKED', hops: [] })
  }
})

/** Asks the router to track a transaction. */
async function track(chain_id: string, tx_hash: string) {
  await fetch(`${gateway.sandbox.routerUrl}/v2/tx/track`, {
    method: 'POST',
    body: JSON.stringify({ chain_id, tx_hash }),
  })
}
