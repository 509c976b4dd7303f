import { parse, subscribe } from 'graphql'
import { expect, test } from 'vitest'
import { RequestScope } from '../../../../src/engine/upstream/requestScope.ts'
import { createGateway, type Gateway } from '../../../../src/gateway.ts'
import { schema } from '../../../../src/schema/schema.ts'
import { fakeClock } from '../../../support/fakeClock.ts'
import { startLaggingNetwork } from '../../../support/laggingNetwork.ts'
import { type Data, now } from '../../../support/world.ts'

// An indexer can have a block before it has the transactions of the block. However late they are, those who
// wait for one get it at most one block time and a second after the indexer has it.

const blockTime = 2_000
const height = 65
/** When the chain has the block, on the clock of the test. */
const blockAt = 5 * blockTime

const document = parse(`subscription ($hash: Hash!) {
  transaction(chainId: "galley-1", hash: $hash) { node { ... on IndexedTransaction { hash } } }
}`)

for (const kind of ['native', 'evm'] as const) {
  for (const lag of [0, 700, 7_300]) {
    test(`an ${kind} transaction indexed ${lag} ms late arrives within a block time and 1 s`, async () => {
      let gateway: Gateway | undefined
      const clock = fakeClock(async () => {
        do await new Promise((done) => setImmediate(done))
        while (gateway?.shared.feeds.inFlight)
        for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done))
      }, now)
      await using network = await startLaggingNetwork(() => now + clock.now(), {
        transactions: lag,
        evm: lag,
      })
      gateway = await createGateway(
        { chains: [{ chainId: 'galley-1', url: network.indexerUrl, vm: 'evm' }] },
        { clock, random: () => 0.5, upstream: { backoff: () => 0 }, server: { drain: 0 } },
      )
      const { shared, close } = gateway
      const hash = network.hashesAt(height)?.[kind]
      const contextValue = {
        ...shared,
        scope: new RequestScope(new AbortController().signal, shared),
      }
      const source = await subscribe({ schema, document, contextValue, variableValues: { hash } })
      if (!(Symbol.asyncIterator in source)) throw new Error('no subscription')
      const events: { at: number; node: Data }[] = []
      const run = async () => {
        for await (const { data } of source as AsyncIterable<Data>)
          events.push({ at: clock.now(), node: data.transaction.node })
      }
      const ended = run()
      await clock.advance(blockAt + lag + blockTime + 1_000)
      expect(events.map(({ node }) => node)).toEqual([null, { hash }])
      expect(events[1]?.at).toBeGreaterThanOrEqual(blockAt + lag)
      await ended
      await close()
    })
  }
}
