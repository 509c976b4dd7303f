import { describe, expect, test } from 'vitest'
import { sandboxChains } from '../../../../packages/sandbox/src/chains.ts'
import { startSandbox } from '../../../../packages/sandbox/src/sandbox.ts'
import { createWorld } from '../../../../packages/sandbox/src/world/world.ts'
import { type MemberWatch, startMember } from '../../../support/fleetWorld.ts'
import { hasRedis, startRedis } from '../../../support/redisServer.ts'

const chainId = 'galley-1'
const within = { timeout: 40_000 }

const activity = `subscription ($address: Address!, $after: String) {
  activity(address: $address, chainIds: ["${chainId}"], after: $after) {
    cursor node { ... on IndexedTransaction { hash } }
  }
}`
const transaction = `subscription ($hash: Hash!) {
  transaction(chainId: "${chainId}", hash: $hash) { node { hash } }
}`

/** The cursors and hashes that a feed has given. */
const newsOf = ({ events }: MemberWatch) =>
  events
    .map(({ data }) => data.activity)
    .filter(({ node }) => node)
    .map(({ cursor, node }) => ({ cursor: String(cursor), hash: String(node.hash) }))

describe.runIf(hasRedis)('activity and transactions with Redis', () => {
  test('are read once for two gateways, and resume at the other one', async () => {
    await using sandbox = await startSandbox()
    await using redis = await startRedis()
    const chains = sandbox.indexers.filter((chain) => chain.chainId === chainId)
    const start = () => startMember({ url: sandbox.routerUrl }, redis.url, {}, { chains })
    await using first = await start()
    await using second = await start()
    const [chain] = sandboxChains.filter((each) => each.chainId === chainId)
    if (!chain) throw new Error('no chain')
    const { bech32: address } = createWorld(chain, 'portolan', Date.now).fixtures.feeCollector
    const here = await first.watch(activity, { address })
    const there = await second.watch(activity, { address })
    await expect.poll(() => newsOf(there).length, within).toBeGreaterThanOrEqual(3)

    const [, { cursor: after } = { cursor: '' }, next] = newsOf(there)
    const resumed = await first.watch(activity, { address, after })
    await expect.poll(() => newsOf(resumed).length, within).toBeGreaterThanOrEqual(1)
    expect(newsOf(resumed)[0]?.hash).toBe(next?.hash)

    sandbox.requests.length = 0
    const known = newsOf(here).length
    await expect.poll(() => newsOf(here).length, within).toBeGreaterThanOrEqual(known + 12)
    const reads = sandbox.requests.filter((line) => line.includes('/indexer/tx/v1/txs'))
    // Two gateways that share nothing read each new block twice, but for one at each end. A head can be there before its
    // transactions, which are then read again.
    expect(new Set(reads).size).toBeGreaterThanOrEqual(reads.length * 0.55)
    const hashes = newsOf(here).map(({ hash }) => hash)
    await expect.poll(() => newsOf(there).at(-1)?.hash, within).toBe(newsOf(here).at(-1)?.hash)
    const seen = newsOf(there).map(({ hash }) => hash)
    expect(seen.slice(0, hashes.length)).toEqual(hashes.slice(-seen.length))

    const [hash] = hashes
    const waits = await Promise.all([first, second].map((each) => each.watch(transaction, { hash })))
    expect(await Promise.all(waits.map(({ done }) => done))).toEqual(['completed', 'completed'])
    for (const { events } of waits) expect(events.at(-1)?.data.transaction.node.hash).toBe(hash)
    await Promise.all([here, there, resumed].map(({ leave }) => leave()))
  })
})
