import { expect, test } from 'vitest'
import { startTestGateway } from '../../../../src/testing.ts'

/** An account that sends and receives over bridges all the time. */
const busy = 'init18r8wax2mksax5qe49mfsle6269m35fnhfctxg5'

/** Transactions from the middle of the history, and those with which their coins arrived within 14 seconds. */
const withdrawn = {
  chainId: 'galley-1',
  departure: 'C0C8D4F28691A364A7BAF9862CF7DA2DE7D4D9C516540FDF797FFC546C7E8ED9',
  arrival: '9F19548E4BEF58FF50A499612F297CB8DD2A2589E419FB91A19C6F6261AD8F7D',
}
const deposited = {
  chainId: 'harbor-1',
  departure: 'AFF2E643953D6008BE72637EFBDD6C12E939EFB20292C6A03474B7BBC2BABD54',
  arrival: 'E5FBCC6D86621FC4CFDA46B584EDFCA82F214EDB2A0F1BB5E56FFEBD77681A9B',
}

const endsOf = ({ chainId, departure }: typeof withdrawn) => `{ chain(chainId: "${chainId}") {
  transaction(hash: "${departure}") { bridgeTransfers { state isProven isSearchComplete arrival { hash } } }
} }`

/** Reads the account as it was until a time, so that the gateway knows the places of that time in the lists of its chains. */
const until = (time: string) =>
  `{ account(address: "${busy}") { activity(first: 5, filter: { until: "${time}" }) { nodes { hash } } } }`

test.each([
  ['nothing', []],
  ['the beginning', [until('2026-09-02T01:00:00Z')]],
  ['a time before', [until('2026-09-15T12:00:00Z')]],
])('an end is found by its time, also after reading %s', async (_, before) => {
  await using gateway = await startTestGateway({
    date: Date.UTC(2026, 10, 30, 12),
    gateway: { router: undefined, limits: { timeoutMs: 120_000, upstreamTimeoutMs: 60_000 } },
  })
  const ask = async (query: string) => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    return response.json()
  }
  for (const query of before) expect((await ask(query)).errors).toBe(undefined)
  for (const transfer of [withdrawn, deposited]) {
    const { data } = await ask(endsOf(transfer))
    const found = { state: 'ARRIVED', isProven: true, isSearchComplete: true, arrival: { hash: transfer.arrival } }
    expect(data.chain.transaction.bridgeTransfers).toEqual([found])
  }
})
