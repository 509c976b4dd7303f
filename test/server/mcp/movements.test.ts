import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxBytes } from '../../../packages/mcp/src/bounds.ts'
import { sandboxChains } from '../../../packages/sandbox/src/chains.ts'
import { createGateway } from '../../../src/gateway.ts'
import { systemClock } from '../../../src/kit/clock/clock.ts'
import { startTestGateway, type TestGateway } from '../../../src/testing.ts'
import type { Data } from '../../support/world.ts'
import { addressOf, startWrittenChains } from '../../support/writtenChains.ts'
import { arrival, departure, ending, type WrittenPacket } from '../../support/writtenMovements.ts'

// The tools tell both ends of a movement of coins as the graph does, and the router's word with its source.

const now = Date.UTC(2026, 9, 1, 12)
const minute = 60_000

/** A client of the tools of a gateway, and how it asks the graph. */
async function open(gateway: { url: string }) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url)))
  return {
    close: () => client.close(),
    async call(name: string, args: Record<string, unknown>): Promise<Data> {
      const { isError, content, structuredContent }: Data = await client.callTool({ name, arguments: args })
      expect(isError, JSON.stringify(content)).toBeFalsy()
      expect(Buffer.byteLength(content[0].text)).toBeLessThanOrEqual(maxBytes)
      return structuredContent
    },
    async ask(query: string): Promise<Data> {
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      const { data, errors } = (await response.json()) as Data
      expect(errors).toBeUndefined()
      return data
    },
  }
}

describe('over the sandbox', () => {
  let gateway: TestGateway
  let tools: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    // Chains of three hours: the stories begin after two.
    const chains = sandboxChains.map((chain) => ({ ...chain, genesis: now - 180 * minute }))
    gateway = await startTestGateway({ date: now, chains, gateway: { mcp: true } })
    tools = await open(gateway)
  })
  afterAll(async () => {
    await tools.close()
    await gateway[Symbol.asyncDispose]()
  })

  /** The same call, while time passes. */
  async function callInTime(name: string, args: Record<string, unknown>): Promise<Data> {
    let isAnswered = false
    const answer = tools.call(name, args).finally(() => {
      isAnswered = true
    })
    while (!isAnswered) await gateway.advance(500)
    return answer
  }

  /** A movement of each kind of the account whose coins go in every way, as the graph has it. */
  async function movements(): Promise<Data[]> {
    const since = new Date(now - 24 * minute).toISOString()
    const { account } = await tools.ask(
      `{ account(address: "${gateway.sandbox.traveller}") { bridgeTransfers(first: 50, filter: { since: "${since}" }) { nodes {
        bridge summary state guidance { funds sentence nextStep } departure { chainId address hash amount }
        arrival { chainId address hash amount } refund { chainId hash } } } } }`,
    )
    const found = account.bridgeTransfers.nodes.filter(({ departure }: Data) => departure.hash !== null)
    return [
      ...new Map(found.map((of: Data) => [`${of.bridge} ${of.state} ${of.guidance.funds}`, of])).values(),
    ] as Data[]
  }

  test('transaction tells each movement from both of its ends as the graph does', async () => {
    const states = new Set<string>()
    for (const of of await movements()) {
      for (const { hash, chainId } of [of.departure, of.arrival]) {
        if (hash === null) continue
        const { bridgeTransfers } = await tools.call('transaction', { hash, chainId })
        expect(bridgeTransfers).toContainEqual(
          expect.objectContaining({
            ...{ summary: of.summary, state: of.state },
            ...{ guidance: of.guidance.sentence, nextStep: of.guidance.nextStep },
            departure: expect.objectContaining({ chainId: of.departure.chainId, sender: of.departure.address }),
            arrival: expect.objectContaining({ chainId: of.arrival.chainId }),
          }),
        )
        const told = bridgeTransfers.find(({ summary }: Data) => summary === of.summary)
        expect([told.departure.hash, told.arrival.hash, told.refund?.hash]).toEqual([
          of.departure.hash ?? undefined,
          of.arrival.hash ?? undefined,
          of.refund?.hash,
        ])
        expect(told.departure.amount).toMatch(/^[\d.]+ \S+/)
        expect(told.arrival.amount).toMatch(/^[\d.]+ \S+/)
        states.add(of.state)
      }
    }
    expect([...states].toSorted()).toEqual(
      expect.arrayContaining(['ARRIVED', 'PASSED_ON', 'REFUNDED', 'TIMED_OUT', 'UNKNOWN']),
    )
  })

  test('transfer_status of what has ended by the records says that first, and does not wait for the router', async () => {
    const ended = (await movements()).filter(({ guidance }) => /^(DELIVERED|RETURNED)$/.test(guidance.funds))
    expect(ended.length).toBeGreaterThan(2)
    for (const { departure: begun, summary, state, guidance } of ended.filter(
      ({ departure: { hash } }) => hash !== null,
    )) {
      const answer = await callInTime('transfer_status', { chainId: begun.chainId, hash: begun.hash })
      expect(Object.keys(answer)[0]).toBe('bridgeTransfers')
      const told = answer.bridgeTransfers.find(({ departure: { hash } }: Data) => hash === begun.hash)
      expect(told).toMatchObject({ summary, state })
      expect(answer).toMatchObject({ isEnded: true, guidance: { funds: guidance.funds } })
      expect(answer.next).toBeUndefined()
      expect(answer.waitsFor).toBeUndefined()
      expect(answer.outcome).toBe(guidance.funds === 'DELIVERED' ? 'SUCCEEDED' : 'FAILED')
    }
  })

  test('an EVM transaction tells the movements of the Cosmos transaction that carries it', async () => {
    const { chain } = await tools.ask(
      '{ chain(chainId: "galley-1") { transactions(first: 100) { nodes { hash evmTransaction { hash } bridgeTransfers { summary } } } } }',
    )
    const carried = chain.transactions.nodes.filter(({ evmTransaction }: Data) => evmTransaction)
    expect(carried.length).toBeGreaterThan(0)
    for (const { evmTransaction, bridgeTransfers } of carried.slice(0, 5)) {
      const answer = await tools.call('transaction', { hash: evmTransaction.hash, chainId: 'galley-1' })
      expect(answer.bridgeTransfers.map(({ summary }: Data) => summary)).toEqual(
        bridgeTransfers.map(({ summary }: Data) => summary),
      )
    }
  })
})

describe('where the router and the records contradict each other', () => {
  const user = addressOf(1)
  const place = (at: number) => ({ at, escrow: addressOf(4), relayer: addressOf(3) })
  const packet: WrittenPacket = {
    ...{ from: 'roll-1', to: 'hub-1', source: 'channel-0', destination: 'channel-5', sequence: 7 },
    ...{ sender: user, receiver: user, amount: 5_000_000n, path: 'transfer/channel-0/uinit' },
    timeout: now + 60 * minute,
  }
  const chainsOf = [
    { chainId: 'roll-1', name: 'Roll', ibcChannels: [{ channelId: 'channel-0', chainId: 'hub-1' }] },
    { chainId: 'hub-1', name: 'Hub', ibcChannels: [{ channelId: 'channel-5', chainId: 'roll-1' }] },
  ]

  /** The waits of tools for an end take a tenth: there is none to come. */
  const clock = {
    ...{ ...systemClock, date: () => now },
    after: (milliseconds: number, run: () => void) =>
      systemClock.after(milliseconds === 20_000 ? 2_000 : milliseconds, run),
  }

  /** What transfer_status says of a packet that ended so, of which a router says this. */
  async function statusOf(
    end: 'taken' | 'refused' | 'late',
    router: { state: string; hop: string; isTold?: boolean },
  ): Promise<Data> {
    await using chains = await startWrittenChains()
    await using gateway = await createGateway(
      {
        chains: chainsOf.map((each) => ({
          ...{ ...each, vm: 'wasm' as const, bech32Prefix: 'init', url: chains.urlOf(each.chainId) },
        })),
        router: { url: chains.routerUrl },
        ...{ mcp: true, explorer: false, docs: false, graphiql: false },
      },
      { clock, server: { grace: 0, drain: 0 } },
    )
    const [hash = ''] = chains.add(departure(packet, place(now - 30 * minute)))
    if (end !== 'late') chains.add(arrival(packet, place(now - 29 * minute), end))
    if (router.isTold ?? true) chains.add(ending(packet, place(now - 28 * minute), end))
    const hop = {
      ...{ from_chain_id: 'roll-1', to_chain_id: 'hub-1', state: router.hop },
      packet_txs: { send_tx: { chain_id: 'roll-1', tx_hash: hash } },
    }
    const { state } = router
    chains.statuses.set(hash, { state, transfers: [{ state, transfer_sequence: [{ ibc_transfer: hop }] }] })
    const tools = await open(gateway)
    try {
      return await tools.call('transfer_status', { chainId: 'roll-1', hash })
    } finally {
      await tools.close()
    }
  }

  const success = { state: 'STATE_COMPLETED_SUCCESS', hop: 'TRANSFER_SUCCESS' }
  const pending = { state: 'STATE_PENDING', hop: 'TRANSFER_PENDING' }
  const failed = { state: 'STATE_COMPLETED_ERROR', hop: 'TRANSFER_FAILURE' }

  test.each([
    ['refused', success, 'REFUNDED', 'that it arrived', 'FAILED', 'COMPLETED'],
    ['late', success, 'TIMED_OUT', 'that it arrived', 'FAILED', 'COMPLETED'],
    ['taken', pending, 'ARRIVED', 'that it is on its way', 'COMPLETED', 'PENDING'],
    ['taken', failed, 'ARRIVED', 'that it failed', 'COMPLETED', 'FAILED'],
    ['late', pending, 'TIMED_OUT', 'that it is on its way', 'FAILED', 'PENDING'],
  ] as const)('both are told, the proof first: %s, %o', async (end, router, state, word, hopState, reported) => {
    const answer = await statusOf(end, router)
    const [first, second] = Object.keys(answer)
    expect([first, second]).toEqual(['bridgeTransfers', 'contradiction'])
    expect(answer).toMatchObject({
      ...{ contradiction: `The router says ${word}.`, isEnded: true, router: { state: router.state } },
      bridgeTransfers: [{ state, isProven: true }],
      released: { chain: state === 'ARRIVED' ? 'Hub' : 'Roll', isReleased: true },
    })
    expect(answer.outcome).toBe(state === 'ARRIVED' ? 'SUCCEEDED' : 'FAILED')
    expect(answer.hops[0]).toMatchObject({
      ...{ state: hopState, records: { state, departure: expect.any(String) } },
      contradiction: `The records of the chains prove ${hopState}. The router says ${reported}.`,
    })
    expect(answer.next).toBeUndefined()
  })

  test('a refusal that is not back yet contradicts a success, and is no end', async () => {
    const answer = await statusOf('refused', { ...success, isTold: false })
    expect(answer).toMatchObject({
      ...{ contradiction: 'The router says that it arrived.', isEnded: false, outcome: 'PENDING' },
      next: { tool: 'transfer_status' },
    })
  })

  test.each([
    ['taken', success],
    ['refused', failed],
    ['late', failed],
  ] as const)('there is none where they agree: %s, %o', async (end, router) => {
    const answer = await statusOf(end, router)
    expect(answer.contradiction).toBeUndefined()
    expect(answer.hops[0].contradiction).toBeUndefined()
    expect(answer.outcome).toBe(router === success ? 'SUCCEEDED' : 'FAILED')
  })
})
