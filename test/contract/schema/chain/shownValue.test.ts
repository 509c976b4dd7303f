import { expect, test } from 'vitest'
import { startSandbox } from '../../../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../../../src/gateway.ts'
import { fakeClock } from '../../../support/fakeClock.ts'
import { post } from '../../../support/http.ts'
import { now, youngChains } from '../../../support/world.ts'

const chainId = 'galley-1'
const second = 1_000

/** A gateway that knows only the URL of an indexer, which is as good as empty at first. */
async function startYoungChain() {
  const clock = fakeClock()
  const sandbox = await startSandbox({ chains: youngChains(60), clock: () => now })
  const url = sandbox.indexers.find((indexer) => indexer.chainId === chainId)?.url ?? ''
  const gateway = await createGateway({ chains: [{ chainId, url }] }, { clock })
  const hide = () => {
    const pagination = {}
    const missing = { kind: 'status', status: 404 } as const
    sandbox.faults.set(chainId, '/indexer/tx/v1/evm-txs/by_account/', missing)
    const pages = { '/indexer/block/v1/blocks?': 'blocks', '/indexer/tx/v1/txs?': 'txs' }
    for (const [path, field] of Object.entries(pages)) {
      sandbox.faults.set(chainId, path, { kind: 'answer', json: { [field]: [], pagination } })
    }
  }
  hide()
  return {
    ...{ clock, sandbox, hide },
    ask: async (field: string) => {
      const { body } = await post(gateway.url, { query: `{ chain { ${field} } }` })
      expect(body.errors).toBeUndefined()
      return body.data.chain
    },
    async [Symbol.asyncDispose]() {
      const closed = gateway.close()
      // A server waits by the clock for its connections.
      await clock.advance(60 * second)
      await closed
      await sandbox.close()
    },
  }
}

const found = { vm: 'EVM', bech32Prefix: 'init' }

for (const field of ['vm', 'bech32Prefix'] as const) {
  test(`the ${field} of a chain that starts after the gateway is found within a minute`, async () => {
    await using chain = await startYoungChain()
    for (let time = 0; time < 5; time += 1) expect(await chain.ask(field)).toEqual({ [field]: null })
    chain.sandbox.faults.clear()
    chain.sandbox.requests.length = 0
    await chain.clock.advance(59 * second)
    // It is not asked for each time.
    expect(await chain.ask(field)).toEqual({ [field]: null })
    expect(chain.sandbox.requests).toEqual([])
    await chain.clock.advance(2 * second)
    expect(await chain.ask(field)).toEqual({ [field]: found[field] })
  })

  test(`an answer without the ${field} of a chain is not cached for more than a minute`, async () => {
    await using chain = await startYoungChain()
    await chain.ask(field)
    await chain.clock.advance(30 * second)
    const alias = `alias: ${field}`
    // Everything in this answer was known before.
    for (let time = 0; time < 3; time += 1) expect(await chain.ask(alias)).toEqual({ alias: null })
    chain.sandbox.faults.clear()
    await chain.clock.advance(31 * second)
    expect(await chain.ask(alias)).toEqual({ alias: found[field] })
  })

  test(`the ${field} of a chain is not requested again once found`, async () => {
    await using chain = await startYoungChain()
    chain.sandbox.faults.clear()
    expect(await chain.ask(field)).toEqual({ [field]: found[field] })
    chain.hide()
    chain.sandbox.requests.length = 0
    await chain.clock.advance(3 * 3_600 * second)
    expect(await chain.ask(field)).toEqual({ [field]: found[field] })
    expect(chain.sandbox.requests).toEqual([])
  })
}
