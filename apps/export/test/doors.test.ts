import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { bridgeStepsOf } from '../../../packages/words/src/bridges/bridgeSteps.ts'
import { startTestGateway, type TestGateway } from '../../../src/testing.ts'
import type { Data } from '../../../test/support/world.ts'
import { objectsOf, run, startFolder } from './support/world.ts'

// A movement of coins can be read by the transaction at either end, in the list of an account, as a hop of the router's transfer,
// live, by the words alone, by an assistant and in a file. Each door tells the same facts.

const minute = 60_000
const now = Date.UTC(2026, 9, 1, 12)

let gateway: TestGateway
let tools: Client
let rows: readonly Record<string, unknown>[]

async function ask(query: string): Promise<Data> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await response.json()) as Data
  expect(errors, query).toBeUndefined()
  return data
}

beforeAll(async () => {
  gateway = await startTestGateway({ date: now, gateway: { mcp: true }, transfersBeginAnew: false })
  tools = new Client({ name: 'test', version: '1' })
  await tools.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url)))
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  const { code } = await run([
    ...['transfers', '--url', gateway.url, '--address', gateway.sandbox.traveller, '--format', 'ndjson', '--out', file],
    ...['--since', new Date(now - 22 * minute).toISOString(), '--until', new Date(now).toISOString()],
  ])
  expect(code).toBe(0)
  rows = objectsOf(file)
})
afterAll(async () => {
  await tools.close()
  await gateway[Symbol.asyncDispose]()
})

const leg = '{ chainId address denom amount hash }'
const selection = `state isProven sequence departure ${leg} arrival ${leg} refund ${leg}`

/** The facts that all doors can tell. */
const factsOf = ({ state, sequence, departure, arrival, refund }: Data) => ({
  state,
  sequence: Number(sequence),
  from: departure.chainId,
  to: arrival.chainId,
  sent: departure.hash,
  arrived: arrival.hash,
  refunded: refund?.hash ?? null,
})

const isIndexed = (chainId: unknown) => gateway.sandbox.indexers.some((indexer) => indexer.chainId === chainId)

/** The bridge transfers of a transaction. */
async function ofTransaction(chainId: string, hash: string): Promise<Data[]> {
  const { chain } = await ask(`{ chain(chainId: "${chainId}") { transaction(hash: "${hash}") { ... on Transaction {
    bridgeTransfers { ${selection} } } } } }`)
  return chain.transaction.bridgeTransfers
}

/** The steps of a transaction by the words alone, from what its indexer serves. */
async function stepsOf(chainId: string, hash: string) {
  const url = gateway.sandbox.indexers.find((indexer) => indexer.chainId === chainId)?.url
  const { tx: record } = (await (await fetch(`${url}/indexer/tx/v1/txs/${hash}`)).json()) as Data
  const walk = bridgeStepsOf({ messages: record.tx.body.messages, events: record.events })
  for (;;) {
    const { done, value } = walk.next()
    if (done) return value
  }
}

/** The last event of a subscription that ends by itself. */
async function lastEvent(chainId: string, hash: string): Promise<Data> {
  const client = createClient({ url: gateway.url.replace('http', 'ws'), webSocketImpl: WebSocket })
  let last: Data
  const query = `subscription { transfer(chainId: "${chainId}", hash: "${hash}") { state hops { state bridgeTransfer { state } } } }`
  for await (const { data } of client.iterate<Data>({ query })) last = data?.transfer
  await client.dispose()
  return last
}

test('the file, the transactions at both ends, the words and the tools of an assistant tell the same of each movement', async () => {
  expect(rows.length).toBeGreaterThan(20)
  expect(new Set(rows.map(({ state }) => state)).size).toBeGreaterThan(4)
  for (const row of rows) {
    const facts = {
      state: row.state,
      sequence: Number(String(row.transfer_id).split('/').at(-1)),
      ...{ from: row.source_chain_id, to: row.destination_chain_id },
      ...{ sent: row.sent_hash, arrived: row.arrived_hash, refunded: row.refunded_hash },
    }
    const ends = [
      { chainId: row.source_chain_id, hash: row.sent_hash },
      { chainId: row.destination_chain_id, hash: row.arrived_hash },
    ].filter(({ chainId, hash }) => hash !== null && isIndexed(chainId)) as { chainId: string; hash: string }[]
    for (const { chainId, hash } of ends) {
      const all = await ofTransaction(chainId, hash)
      expect(all.map(factsOf), JSON.stringify(row)).toContainEqual(facts)
      const own = all.find((each) => factsOf(each).sequence === facts.sequence && each.departure.hash === facts.sent)
      const steps = await stepsOf(chainId, hash)
      const step = steps.find(
        ({ route, amount }) => Number(route.sequence) === facts.sequence && `${amount}` === own.departure.amount,
      )
      expect(step, JSON.stringify(row)).toMatchObject({ sourceDenom: expect.anything() })
      if (row.sent !== null) expect(`-${step?.amount}`).toBe(row.sent)
      const { structuredContent }: Data = await tools.callTool({ name: 'transaction', arguments: { chainId, hash } })
      const told = structuredContent.bridgeTransfers.map(({ state, departure, arrival, refund }: Data) => ({
        ...{ state, from: departure.chainId, to: arrival.chainId, sent: departure.hash, arrived: arrival.hash ?? null },
        refunded: refund?.hash ?? null,
      }))
      const { sequence: _, ...others } = facts
      expect(told, JSON.stringify(row)).toContainEqual(others)
    }
  }
})

test('the hop of a transfer and its last event tell the same of each movement that has ended', async () => {
  const ended = rows.filter(
    ({ state, sent_hash, source_chain_id }) =>
      /^(ARRIVED|REFUNDED|TIMED_OUT)$/.test(String(state)) && sent_hash !== null && isIndexed(source_chain_id),
  )
  expect(ended.length).toBeGreaterThan(10)
  for (const { state, source_chain_id: chainId, sent_hash: hash } of ended) {
    const [only, ...others] = (await ofTransaction(String(chainId), String(hash))).filter(
      ({ departure }) => departure.hash === hash,
    )
    if (others.length > 0) continue
    await ask(`mutation { trackTransfer(input: { chainId: "${chainId}", hash: "${hash}" }) { explorerUrl } }`)
    const { transfer } = await ask(`{ transfer(chainId: "${chainId}", hash: "${hash}") { state isTerminal
      hops { state bridgeTransfer { ${selection} } } } }`)
    const [hop] = transfer.hops
    expect(factsOf(hop.bridgeTransfer), JSON.stringify({ hash, transfer })).toEqual(factsOf(only))
    expect(hop.state).toBe(state === 'ARRIVED' ? 'COMPLETED' : 'FAILED')
    if (!transfer.isTerminal) continue
    const last = await lastEvent(String(chainId), String(hash))
    expect(last.state).toBe(transfer.state)
    expect(last.hops[0]).toEqual({ state: hop.state, bridgeTransfer: { state: hop.bridgeTransfer.state } })
  }
})
