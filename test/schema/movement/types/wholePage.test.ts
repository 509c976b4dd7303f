import { expect, test } from 'vitest'
import { startTestGateway } from '../../../../src/testing.ts'

/** An account of the sandbox whose transfers go to and come from many others. */
const busy = '0xe68f6048265750f6f3eedd4df39f93cbb4cbf76a'

const document = `query ($address: Address!, $first: Int!) {
  account(address: $address) {
    bridgeTransfers(first: $first) {
      nodes { state isProven isSearchComplete departure { hash } arrival { hash } }
      pageInfo { hasNextPage }
      unavailableChains { message }
    }
  }
}`

/** A busy machine must not make an upstream late. */
const patient = { timeoutMs: 120_000, upstreamTimeoutMs: 60_000 }

interface Row {
  readonly state: string
  readonly isProven: boolean
  readonly isSearchComplete: boolean
  readonly departure: { readonly hash: string | null }
  readonly arrival: { readonly hash: string | null }
}

async function readPage(url: string, first: number) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables: { address: busy, first } }),
  })
  const { data, errors } = await response.json()
  expect(errors).toBe(undefined)
  const { nodes, unavailableChains } = data.account.bridgeTransfers
  expect(unavailableChains).toEqual([])
  return nodes as readonly Row[]
}

const ends = (rows: readonly Row[]) => rows.flatMap(({ departure, arrival }) => [departure.hash, arrival.hash])
const found = (rows: readonly Row[]) => ends(rows).filter((hash) => hash !== null)

test('the largest page of an account whose other sides are strangers is no error for its size', async () => {
  await using gateway = await startTestGateway({ gateway: { router: undefined, limits: patient } })
  const rows = await readPage(gateway.url, 100)
  expect(rows.length).toBeGreaterThan(40)
  const cut = (await readPage(gateway.url, 100)).filter(({ isSearchComplete }) => !isSearchComplete)
  // What is due within a day or two weeks, in which its account has too many transactions.
  for (const { state, isProven } of cut) expect([state, isProven]).toEqual(['UNKNOWN', false])
})

test('what a page has no room to look for says so, and the next queries find it', async () => {
  await using whole = await startTestGateway({ gateway: { router: undefined, limits: patient } })
  const expected = await readPage(whole.url, 20)
  await using gateway = await startTestGateway({
    records: whole.sandbox.records,
    gateway: { router: undefined, limits: { ...patient, maxAnswerBytes: 7_000_000 } },
  })
  const first = await readPage(gateway.url, 20)
  const cut = first.filter(({ isSearchComplete }) => !isSearchComplete)
  expect(cut.length).toBeGreaterThan(0)
  for (const { isProven, state, arrival } of cut) {
    expect(isProven || state === 'UNKNOWN' || arrival.hash !== null).toBe(true)
  }
  let last = first
  for (let queries = 0; queries < 20 && last.some(({ isSearchComplete }) => !isSearchComplete); queries += 1) {
    const next = await readPage(gateway.url, 20)
    expect(found(next).length).toBeGreaterThanOrEqual(found(last).length)
    last = next
  }
  expect(found(first).length).toBeLessThan(found(expected).length)
  expect(ends(last)).toEqual(ends(expected))
})
