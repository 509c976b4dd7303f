import { expect, test } from 'vitest'
import { sandboxChains } from '../src/chains.ts'
import { amountOf } from '../src/world/parties.ts'
import { calmTransactions, lastSequence, placeOf } from '../src/world/schedule.ts'
import { createWorld } from '../src/world/world.ts'

const now = Date.UTC(2026, 9, 1)

const worldOf = (chain: (typeof sandboxChains)[number]) => createWorld(chain, 'portolan', () => now)

const sizeAt = (height: number) => lastSequence(height) - lastSequence(height - 1)
const sizesFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => sizeAt(first + index))
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** The shapes of a whole period of the traffic of a chain that is used. */
const periodOf = ({ workload: { space, shapeAt } }: ReturnType<typeof worldOf>) =>
  Array.from({ length: space.span }, (_, index) => shapeAt(space.head + 1 + index))

test('each transaction is in the block that counts it, before and after the traffic changes', () => {
  for (let height = 1; height < 12_000; height++) {
    for (let sequence = lastSequence(height - 1) + 1; sequence <= lastSequence(height); sequence++) {
      expect(placeOf(sequence)).toEqual({ height, index: sequence - lastSequence(height - 1) - 1 })
    }
  }
})

test('blocks have other numbers of transactions in busy and in quiet minutes, and do not repeat for hours', () => {
  const sizes = sizesFrom(1_051, 5_000)
  expect(sum(sizes)).toBe(7_500)
  expect(Math.max(...sizes)).toBeGreaterThan(7)
  const minutes = Array.from({ length: 250 }, (_, index) => sum(sizes.slice(20 * index, 20 * index + 20)))
  expect(Math.max(...minutes)).toBeGreaterThan(3 * Math.min(...minutes))
  for (let period = 1; period < 2_500; period++) {
    expect(sizes.every((size, index) => size === sizes[(index + period) % sizes.length])).toBe(false)
  }
})

test('five blocks in a row have two transactions, and those that some indexers lack have none', () => {
  const sizes = sizesFrom(1_051, 6_000)
  for (let index = 0; index + 5 <= sizes.length; index++) {
    expect(sum(sizes.slice(index, index + 5)), `from ${1_051 + index}`).toBeGreaterThanOrEqual(2)
  }
  for (let height = 36; height < 20_000; height += 1_000) expect(sizeAt(height)).toBe(0)
})

test.each(sandboxChains)('on $chainId, few users send most transactions, and all send some', (chain) => {
  const { users } = worldOf(chain).fixtures
  const shapes = periodOf(worldOf(chain)).filter(({ kind }) => !['receive', 'settle'].includes(kind))
  const counts = users.map((_, index) => shapes.filter(({ sender }) => sender === index).length)
  counts.sort((a, b) => b - a)
  expect(sum(counts.slice(0, 4))).toBeGreaterThan(shapes.length / 3)
  expect(counts.at(-1)).toBeGreaterThan(0)
  const failed = shapes.filter((shape) => shape.failed).length
  expect(failed / shapes.length).toBeGreaterThan(0.03)
  expect(failed / shapes.length).toBeLessThan(0.15)
})

test.each(sandboxChains)('on $chainId, amounts are small and large, round and unround, and fees differ', (chain) => {
  const world = worldOf(chain)
  const one = 10 ** chain.decimals
  const amounts = periodOf(world).map((shape) => Number(amountOf(world.fixtures, shape)) / one)
  const partOf = (has: (amount: number) => boolean) => amounts.filter(has).length / amounts.length
  expect(partOf(Number.isInteger)).toBeGreaterThan(0.2)
  expect(partOf((amount) => !Number.isInteger(amount * 100))).toBeGreaterThan(0.2)
  expect(partOf((amount) => amount < 1)).toBeGreaterThan(0.2)
  expect(partOf((amount) => amount >= 1_000)).toBeGreaterThan(0.005)
  expect(partOf((amount) => amount >= 1_000)).toBeLessThan(0.04)
  expect(new Set(amounts).size).toBeGreaterThan(700)
  const prices = new Set<bigint>()
  for (let sequence = calmTransactions + 1; sequence < calmTransactions + 300; sequence++) {
    const { fee, gasWanted } = world.traffic.costOf(sequence)
    if (fee.denom === chain.denom) prices.add((BigInt(fee.amount) * 10n) / gasWanted)
  }
  expect(prices.size).toBeGreaterThan(3)
})

test.each(sandboxChains)('on $chainId, an NFT goes from its owner to another, through several accounts', (chain) => {
  const { workload, fixtures, nfts } = worldOf(chain)
  const { head, span } = workload.space
  const owners = new Map<string, number>()
  const seen = new Map<string, Set<number>>()
  for (let sequence = fixtures.collections.length + 1; sequence <= head + 2 * span; sequence++) {
    const { kind, collection, token, sender, peer, failed } = workload.shapeAt(sequence)
    if (kind !== 'transferNft') continue
    const key = `${collection} ${token}`
    const owner = owners.get(key) ?? fixtures.collections[collection]?.tokens[token]?.firstOwner
    expect(peer).not.toBe(sender)
    // The first owner sends all of a young chain.
    if (sequence > head) expect(sender, `${key} at ${sequence}`).toBe(owner)
    if (failed) continue
    owners.set(key, peer)
    if (sequence > head) seen.set(key, (seen.get(key) ?? new Set()).add(peer))
  }
  const busiest = Math.max(...[...seen.values()].map((accounts) => accounts.size))
  expect(busiest).toBeGreaterThan(5)
  for (const { collection_addr, nft, owner } of nfts.tokens(head + 2 * span)) {
    const collection = fixtures.collections.findIndex(({ address }) => address.hex === collection_addr)
    const token = fixtures.collections[collection]?.tokens.findIndex(({ tokenId }) => tokenId === nft.token_id)
    const known = owners.get(`${collection} ${token}`)
    if (known !== undefined) expect(owner).toBe(fixtures.users[known]?.bech32)
  }
})
