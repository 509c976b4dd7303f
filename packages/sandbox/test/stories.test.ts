import { expect, test } from 'vitest'
import { createWorld } from '../src/world/world.ts'
import { end, packetKey, type Told, toldBy, worldOf, worlds } from './support/chronicle.ts'

const told = worlds.flatMap((world) => toldBy(world, 3))
const channels = { 'galley-1': 'channel-20', 'lantern-1': 'channel-21' } as const

/** The events of a type, by the key of their packet. */
function packetsBy(type: string, from: readonly Told[] = told): ReadonlyMap<string, Told> {
  return new Map(from.filter((one) => one.type === type).map((one) => [packetKey(one), one]))
}

/** The packets between two chains of the sandbox that are old enough to have ended. */
const sent = told.filter(
  ({ type, attributes, timeMs }) =>
    type === 'send_packet' &&
    Object.values<string | undefined>(channels).some((channel) =>
      [attributes.packet_src_channel, attributes.packet_dst_channel].includes(channel),
    ) &&
    timeMs < end - 600_000,
)

test('every packet between two chains of the sandbox arrives on the other one', () => {
  const [received, acknowledged] = ['recv_packet', 'acknowledge_packet'].map((type) => packetsBy(type))
  expect(sent.length).toBeGreaterThan(300)
  for (const one of sent) {
    const key = packetKey(one)
    const there = received?.get(key)
    expect(there, key).toBeDefined()
    expect(there?.chainId).not.toBe(one.chainId)
    const seconds = ((there?.timeMs ?? 0) - one.timeMs) / 1_000
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(30)
    const back = acknowledged?.get(key)
    expect(back?.chainId).toBe(one.chainId)
    expect(back?.timeMs).toBeGreaterThan(there?.timeMs ?? Infinity)
    // The data is the same on both chains, in the form that the version of each writes.
    const data = (at: Told | undefined) =>
      at?.attributes.packet_data ?? Buffer.from(`${at?.attributes.packet_data_hex}`, 'hex').toString()
    expect(data(there)).toBe(data(one))
  }
})

test('sequences count up on each channel, and none comes twice', () => {
  const last = new Map<string, number>()
  const keys = new Set<string>()
  for (const world of worlds) {
    let height = 0
    for (const one of toldBy(world, 3).filter(({ type }) => type === 'send_packet')) {
      const { packet_src_channel: channel, packet_sequence: sequence } = one.attributes
      const path = `${one.chainId} ${channel}`
      // Packets of one block have no order.
      if (one.height > height) expect(Number(sequence)).toBeGreaterThan(last.get(path) ?? 0)
      last.set(path, Math.max(Number(sequence), last.get(path) ?? 0))
      height = one.height
      expect(keys.has(`${path} ${sequence}`)).toBe(false)
      keys.add(`${path} ${sequence}`)
    }
  }
})

test('a transaction of a story has one place, whatever it is asked by', () => {
  for (const { chain, transactions, fixtures, transactionsAt, findTransaction, height } of worlds) {
    const { rank, at } = transactions.byAccount(fixtures.traveller.hex, false)
    const count = rank(transactions.lastAt(height()))
    expect(count, chain.chainId).toBeGreaterThan(20)
    let last = 0
    for (let n = 1; n <= count; n++) {
      const position = at(n)
      expect(position).toBeGreaterThan(last)
      expect(rank(position)).toBe(n)
      expect(rank(position - 1)).toBe(n - 1)
      last = position
      const record = transactions.record(position)
      expect(record.txhash).toBe(transactions.hashOf(position))
      expect(transactions.find(record.txhash)).toBe(position)
      const summary = findTransaction(record.txhash)
      expect(String(summary?.height)).toBe(record.height)
      expect(transactionsAt(Number(record.height))[summary?.index ?? -1]?.hash).toBe(record.txhash)
      expect(JSON.stringify(record.events)).toContain(fixtures.traveller.bech32)
    }
  }
})

test('positions, heights and hashes agree for all transactions of many blocks', () => {
  for (const { transactions, transactionsAt, height } of worlds) {
    for (let at = height() - 300; at <= height(); at++) {
      const here = transactionsAt(at)
      expect(here.length).toBe(transactions.lastAt(at) - transactions.lastAt(at - 1))
      for (const [index, { hash }] of here.entries()) {
        const position = transactions.lastAt(at - 1) + index + 1
        expect(transactions.find(hash)).toBe(position)
        expect(transactions.record(position)).toMatchObject({ txhash: hash, height: String(at) })
      }
    }
  }
})

test('the network of a young chain has no stories yet, and its traffic is that of the workload', () => {
  const { chain } = worldOf('harbor-1')
  const young = createWorld(chain, 'portolan', () => chain.genesis + 3_600_000)
  expect(young.transactions.lastAt(young.height())).toBe(
    young.traffic.find(young.traffic.hashOf(young.transactions.lastAt(young.height()))),
  )
  for (let position = 1; position <= 50; position++) {
    expect(young.transactions.record(position)).toEqual(young.traffic.record(position))
  }
})
