import { sandboxChains } from '../../src/chains.ts'
import type { Event } from '../../src/world/events.ts'
import { createWorld, type World } from '../../src/world/world.ts'

/** An event of a chain, where it is, and its attributes by key. */
export interface Told {
  readonly chainId: string
  readonly type: string
  readonly hash: string
  readonly height: number
  readonly timeMs: number
  readonly position: number
  readonly attributes: Readonly<Record<string, string>>
}

/** The time until which the stories are read: four hours after they begin. */
export const end = (sandboxChains[0]?.genesis ?? 0) + 6 * 3_600_000

/** The worlds of the default chains at that time. */
export const worlds: readonly World[] = sandboxChains.map((chain) => createWorld(chain, 'portolan', () => end))

/** The world of a chain. */
export function worldOf(chainId: string): World {
  const world = worlds.find(({ chain }) => chain.chainId === chainId)
  if (!world) throw new Error(`no chain ${chainId}`)
  return world
}

const attributesOf = ({ attributes }: Event) => Object.fromEntries(attributes.map(({ key, value }) => [key, value]))

/** All events of a chain in its latest blocks, in order. */
export function toldBy({ chain, transactions, height, timeOf }: World, hours: number): readonly Told[] {
  const first = transactions.lastAt(height() - Math.floor((hours * 3_600_000) / chain.blockTime))
  const count = transactions.lastAt(height()) - first
  return Array.from({ length: count }, (_, index) => first + index + 1).flatMap((position) => {
    const record = transactions.record(position)
    const at = Number(record.height)
    const place = { chainId: chain.chainId, hash: record.txhash, height: at, timeMs: timeOf(at), position }
    return record.events.map((one) => ({ ...place, type: one.type, attributes: attributesOf(one) }))
  })
}

/** The key of a packet of IBC v1: its ports, its channels and its sequence, as both chains write them. */
export const packetKey = ({ attributes }: Told): string =>
  ['src_port', 'src_channel', 'dst_port', 'dst_channel', 'sequence']
    .map((name) => attributes[`packet_${name}`])
    .join(' ')
