import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createWsClient } from 'graphql-ws'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type ContractGateway, type Data, startContractGateway } from './gateway.ts'
import { activityOf, blocks, bridgeTransfersOf, chainHeads, liveTransaction } from './liveDocuments.ts'

// Live feeds over both transports: what comes, in which order, and what a client gets that has been away.

/** The data of the events of a subscription so far, and how it ended. */
interface Watch {
  readonly events: Data[]
  readonly end: () => unknown
  leave(): void
}

const transports: Readonly<Record<string, (gateway: ContractGateway, query: string) => Watch>> = {
  WebSocket: ({ url }, query) => {
    const client = createWsClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    })
    return watched(
      (sink) => client.subscribe({ query }, sink),
      () => void client.dispose(),
    )
  },
  'server-sent events': ({ url }, query) => {
    const client = createSseClient({ url, retryAttempts: 0 })
    return watched(
      (sink) => client.subscribe({ query }, sink),
      () => client.dispose(),
    )
  },
}

interface Sink {
  next(value: { data?: Data; errors?: unknown }): void
  error(error: unknown): void
  complete(): void
}

function watched(subscribe: (sink: Sink) => () => void, dispose: () => void): Watch {
  const events: Data[] = []
  let end: unknown
  const stop = subscribe({
    next: ({ data, errors }) => void events.push(errors ? { data, errors } : data),
    error: (error) => {
      end = error
    },
    complete: () => {
      end ??= 'complete'
    },
  })
  return {
    events,
    end: () => end,
    leave() {
      stop()
      dispose()
    },
  }
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 })

/** Lets time pass in steps, until the check holds. */
async function passUntil(gateway: ContractGateway, check: () => void, step = 500) {
  for (let i = 0; ; i += 1) {
    try {
      return check()
    } catch (error) {
      if (i === 200) throw error
      await gateway.advance(step)
      await new Promise((done) => setTimeout(done, 2))
    }
  }
}

describe.each(Object.entries(transports))('%s', (_, watch) => {
  test('blocks come once and in order, also those missed between subscriptions', async () => {
    await using gateway = await startContractGateway()
    const first = watch(gateway, blocks())
    await passUntil(gateway, () => expect(first.events.length).toBeGreaterThan(4))
    first.leave()
    const seen = first.events.map(({ blocks }) => blocks)
    await gateway.advance(20_000)
    const second = watch(gateway, blocks(seen.at(-1).cursor))
    await passUntil(gateway, () => expect(second.events.length).toBeGreaterThan(30))
    second.leave()
    const heights = [...seen, ...second.events.map(({ blocks }) => blocks)].map(({ node }) => node.height)
    expect(heights).toEqual(heights.map((_height, i) => heights[0] + i))
  })

  test('a transfer goes through its states, and completes the subscription', async () => {
    await using gateway = await startContractGateway()
    const hash = `${'ab'.repeat(31)}02`
    const transfer = watch(
      gateway,
      `subscription { transfer(chainId: "harbor-1", hash: "${hash}", track: true) { state isTerminal hops { state } } }`,
    )
    await passUntil(gateway, () => expect(transfer.end()).toBe('complete'))
    const states = transfer.events.map(({ transfer }) => transfer.state)
    expect([states[0], states.at(-1)]).toEqual(['SUBMITTED', 'COMPLETED_SUCCESS'])
    expect(transfer.events.map(({ transfer }) => transfer.isTerminal).indexOf(true)).toBe(states.length - 1)
  })

  test('activity resumes after a cursor', async () => {
    await using gateway = await startContractGateway()
    const address = await busyAddress(gateway)
    const activity = (after?: string) => activityOf(address, after)
    const first = watch(gateway, activity())
    await passUntil(gateway, () => expect(first.events.length).toBeGreaterThan(2), 2_000)
    first.leave()
    const seen = first.events.map(({ activity }) => activity)
    await gateway.advance(60_000)
    const second = watch(gateway, activity(seen[1].cursor))
    await passUntil(gateway, () => expect(second.events.length).toBeGreaterThan(seen.length), 2_000)
    second.leave()
    const again = second.events.map(({ activity }) => activity.node.hash ?? activity.node.evmHash)
    expect(new Set(again).size).toBe(again.length)
    // Events of one moment on several chains have no order.
    const hashes = seen.map(({ node }) => node.hash ?? node.evmHash)
    expect(again).toEqual(expect.arrayContaining(hashes.slice(2)))
    for (const hash of hashes.slice(0, 2)) expect(again).not.toContain(hash)
  })

  test('bridge transfers of an account come step by step, and resume after a cursor', async () => {
    await using gateway = await startContractGateway()
    const { traveller } = gateway.sandbox
    const first = watch(gateway, bridgeTransfersOf(traveller))
    await passUntil(gateway, () => expect(first.events.length).toBeGreaterThan(2), 2_000)
    first.leave()
    const seen = first.events.map(({ bridgeTransfers }) => bridgeTransfers)
    await gateway.advance(60_000)
    const second = watch(gateway, bridgeTransfersOf(traveller, seen[0].cursor))
    await passUntil(gateway, () => expect(second.events.length).toBeGreaterThan(5), 2_000)
    second.leave()
    const stepsOf = (events: Data[]) => events.map(({ chain, bridgeTransfers }) => [chain.chainId, bridgeTransfers])
    const again = stepsOf(second.events.map(({ bridgeTransfers }) => bridgeTransfers))
    for (const [, steps] of again) expect(steps.length).toBeGreaterThan(0)
    // Its transaction names each event, and is the same in a replay.
    const namesOf = (events: Data[]) => events.map(({ chain, node }) => `${chain.chainId} ${node.hash}`)
    const names = namesOf(second.events.map(({ bridgeTransfers }) => bridgeTransfers))
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(namesOf(seen).slice(1)))
    // The same step comes again after the cursor, with what has been found of it since.
    const sequences = again.flatMap(([, steps]) => steps.map((step: Data) => step.sequence))
    for (const { bridgeTransfers: steps } of seen.slice(1)) {
      for (const { sequence } of steps) expect(sequences).toContain(sequence)
    }
  })

  test('chainHeads has the head of each chain, in order', async () => {
    await using gateway = await startContractGateway()
    const heads = watch(gateway, chainHeads)
    await passUntil(gateway, () => expect(heads.events.length).toBeGreaterThan(12))
    heads.leave()
    const heightsOf = (chainId: string) =>
      heads.events.flatMap(({ chainHeads: { chain, height } }) => (chain.chainId === chainId ? [height] : []))
    for (const chainId of ['harbor-1', 'galley-1', 'lantern-1']) {
      const heights = heightsOf(chainId)
      expect(heights.length).toBeGreaterThan(0)
      expect(heights).toEqual(heights.toSorted((a, b) => a - b))
    }
  })

  test('an indexed transaction completes its subscription, and another one is null', async () => {
    await using gateway = await startContractGateway()
    const { chain } = await gateway.data('{ chain(chainId: "galley-1") { transactions(first: 1) { nodes { hash } } } }')
    const [{ hash }] = chain.transactions.nodes
    const known = watch(gateway, liveTransaction(hash))
    await passUntil(gateway, () => expect(known.end()).toBe('complete'))
    expect(known.events.at(-1).transaction.node.hash).toBe(hash)
    const unknown = watch(gateway, liveTransaction('0'.repeat(64)))
    await passUntil(gateway, () => expect(unknown.events.length).toBeGreaterThan(0))
    expect(unknown.events[0].transaction.node).toBeNull()
    unknown.leave()
  })

  test('an invalid subscription ends with its error', async () => {
    await using gateway = await startContractGateway()
    const wrong = watch(gateway, 'subscription { blocks(chainId: "nowhere-1") { __typename } }')
    await until(() => expect(wrong.end() ?? wrong.events[0]).toBeDefined())
    expect(JSON.stringify([wrong.events, wrong.end()])).toContain('BAD_USER_INPUT')
  })
})

/** The sender of the newest transaction of a chain. */
async function busyAddress(gateway: ContractGateway): Promise<string> {
  const { chain } = await gateway.data(
    '{ chain(chainId: "galley-1") { transactions(first: 1) { nodes { signers { account { address } } } } } }',
  )
  return chain.transactions.nodes[0].signers[0].account.address
}
