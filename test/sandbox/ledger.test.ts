import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxChains } from '../../packages/sandbox/src/chains.ts'
import { pick } from '../../packages/sandbox/src/random.ts'
import { type World as ChainWorld, createWorld } from '../../packages/sandbox/src/world/world.ts'
import { runs } from '../support/property.ts'
import { type Data, everyChain, startWorld, type World } from '../support/world.ts'

// The balances of the sandbox are what its transactions made of them.

/** Heights read between two balances. */
const span = 40

let time = 0
let world: World
beforeAll(async () => {
  world = await startWorld({
    chains: sandboxChains,
    clock: () => time,
    limits: { cacheTtlMs: 0 },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

/** Sets the time to that of a height. */
const moveTo = ({ chain }: ChainWorld, height: number) => {
  time = chain.genesis + (height - 1) * chain.blockTime + 1
}

/** The balances of accounts, by account and denom. */
async function balancesOf(chainId: string, addresses: readonly string[]) {
  const fields = addresses.map((address, i) => `a${i}: account(address: "${address}") { balances { denom amount } }`)
  const { chain } = await world.data(`{ chain(chainId: "${chainId}") { ${fields.join('\n')} } }`)
  return new Map<string, bigint>(
    addresses.flatMap((address, i) =>
      chain[`a${i}`].balances.map(({ denom, amount }: Data) => [`${address} ${denom}`, BigInt(amount)] as const),
    ),
  )
}

/** The sums of the changes that the transactions above a height and up to another made. */
async function changesIn(chainId: string, above: number, upTo: number) {
  const sums = new Map<string, bigint>()
  const fields = Array.from(
    { length: upTo - above },
    (_, i) => `b${i}: block(height: ${above + 1 + i}) {
    transactions(first: 10) { nodes { balanceChanges { account { address } denom amount } } } }`,
  )
  const { chain } = await world.data(`{ chain(chainId: "${chainId}") { ${fields.join('\n')} } }`)
  // The sandbox has no record of some blocks, which have no transactions either.
  const nodes: Data[] = Object.values<Data>(chain).flatMap((block) => block?.transactions.nodes ?? [])
  for (const { account, denom, amount } of nodes.flatMap((node) => node.balanceChanges)) {
    const key = `${account?.address} ${denom}`
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount))
  }
  return sums
}

test.each(everyChain)(
  'on $vm, balances change by the changes of the transactions between two heights',
  async ({ chainId, vm }) => {
    const chain = sandboxChains.find((one) => one.chainId === chainId) ?? sandboxChains[0]
    if (!chain) throw new Error('no chain')
    const own = createWorld(chain, 'portolan', () => time)
    const { users, relayer, feeCollector } = own.fixtures
    const addresses = [...users, relayer, feeCollector].map(({ hex, bech32 }) => (vm === 'EVM' ? hex : bech32))
    let changed = 0
    for (let run = 0; run < runs(3); run++) {
      // In the first period, at the end of one, and far away from it.
      const from = [30, 860, 10_000 + pick(1_000_000, 'ledger', chainId, run)][run % 3] ?? 1
      moveTo(own, from)
      const before = await balancesOf(chainId, addresses)
      moveTo(own, from + span)
      const after = await balancesOf(chainId, addresses)
      const sums = await changesIn(chainId, from, from + span)
      const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted()
      const differences = keys.flatMap((key) => {
        const difference = (after.get(key) ?? 0n) - (before.get(key) ?? 0n)
        return difference === 0n && !sums.has(key) ? [] : [[key, difference]]
      })
      changed += differences.length
      expect({ from, differences }).toEqual({
        from,
        differences: differences.map(([key]) => [key, sums.get(`${key}`) ?? 0n]),
      })
    }
    expect(changed).toBeGreaterThan(60)
  },
)

test.each(everyChain)('on $vm, the rich list has the balances that the router returns', async ({ chainId, vm }) => {
  const chain = sandboxChains.find((one) => one.chainId === chainId)
  if (!chain) throw new Error('no chain')
  const own = createWorld(chain, 'portolan', () => time)
  const ranked = 5_000
  moveTo(own, ranked)
  const lag = (await world.rest(chainId, '/status')).rich_list_height
  const denom = vm === 'EVM' ? chain.denom.replace('evm/', '0x') : chain.denom
  const holders: Data[] = await world.rows(chainId, `/indexer/richlist/v1/${denom}`)
  moveTo(own, lag)
  const balances = await balancesOf(
    chainId,
    holders.map(({ account }) => account),
  )
  expect(lag).toBeLessThan(ranked)
  expect(holders.map(({ account, amount }) => [account, amount]).filter(([, amount]) => amount !== '0')).toEqual(
    holders.flatMap(({ account }) => {
      const amount = balances.get(`${account} ${chain.denom}`)
      return amount === undefined ? [] : [[account, String(amount)]]
    }),
  )
  expect(holders.length).toBe(131)
})
