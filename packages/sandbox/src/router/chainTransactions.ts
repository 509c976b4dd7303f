import { hexDigest } from '../random.ts'
import type { Event } from '../world/events.ts'
import type { World } from '../world/world.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'

/** What a transaction sent to another chain, by the events of its chain. */
export interface Sent {
  /** The channel of an IBC packet. */
  readonly channel?: string | undefined
  /** The OPinit bridge of a deposit. */
  readonly bridgeId?: number | undefined
  readonly denom: string
  readonly amount: bigint
}

/** Finds the transactions of hops. */
export interface ChainTransactions {
  /** The tracked transaction, which started the first hop. `seenAt` is its time if no indexer knows it. */
  source(chainId: string, hash: string, seenAt: number): JsonObject
  /** The time of the tracked transaction. Undefined if no indexer knows it. */
  sourceTime(chainId: string, hash: string): number | undefined
  /**
   * A relayer's transaction on a chain at a time. On a sandbox chain it is the newest one at that
   * time, which its indexer finds. Elsewhere the hash is derived from `salt`. It is said to be no older than `since`.
   */
  relay(chainId: string, timeMs: number, salt: string, since: number): JsonObject
  /** The time of that transaction. */
  relayTime(chainId: string, timeMs: number): number
  /** The packet or deposit of a transaction on a sandbox chain. Undefined if it has none. */
  sent(chainId: string, hash: string): Sent | undefined
  /** Whether the transaction is on a sandbox chain and failed there. */
  hasFailed(chainId: string, hash: string): boolean
  /** The link to a transaction in an explorer. */
  link(chainId: string, hash: string): string
}

/** Transactions of the sandbox chains, and invented ones of the outside chains. */
export function chainTransactions(network: Network, worlds: readonly World[]): ChainTransactions {
  const worldOf = new Map(worlds.map((world) => [world.chain.chainId, world]))
  const formatHash = (chainId: string, hash: string): string =>
    network.chains.get(chainId)?.type === 'evm' ? `0x${hash.toLowerCase()}` : hash.toUpperCase()
  const link = (chainId: string, hash: string): string =>
    `${network.chains.get(chainId)?.explorer ?? ''}${formatHash(chainId, hash)}`
  const body = (chainId: string, hash: string, timeMs: number): JsonObject => ({
    chain_id: chainId,
    tx_hash: formatHash(chainId, hash),
    explorer_link: link(chainId, hash),
    on_chain_at: new Date(timeMs).toISOString().replace(/\.\d+Z$/, 'Z'),
  })
  const recordOf = (chainId: string, hash: string) => {
    const world = worldOf.get(chainId)
    const tx = world?.findTransaction(hash)
    const sequence = tx && world?.transactions.find(tx.hash)
    return sequence === undefined ? undefined : world?.transactions.record(sequence)
  }
  const sourceTime = (chainId: string, hash: string) => worldOf.get(chainId)?.findTransaction(hash)?.timeMs
  const relayAt = (chainId: string, timeMs: number) => {
    const world = worldOf.get(chainId)
    return world?.relayTransaction(world.heightAt(timeMs))
  }
  return {
    link,
    sent: (chainId, hash) => sentIn(recordOf(chainId, hash)?.events ?? []),
    hasFailed: (chainId, hash) => (recordOf(chainId, hash)?.code ?? 0) !== 0,
    source(chainId, hash, seenAt) {
      return body(chainId, hash, sourceTime(chainId, hash) ?? seenAt)
    },
    sourceTime,
    relay(chainId, timeMs, salt, since) {
      const tx = relayAt(chainId, timeMs)
      const hash = tx?.hash ?? hexDigest(32, 'relay', chainId, salt)
      return body(chainId, hash, Math.max(since, tx?.timeMs ?? timeMs))
    },
    relayTime: (chainId, timeMs) => relayAt(chainId, timeMs)?.timeMs ?? timeMs,
  }
}

function sentIn(events: readonly Event[]): Sent | undefined {
  const sending = events.find(({ type }) => /^(send_packet|initiate_token_deposit)$/.test(type))
  if (sending === undefined) return undefined
  const { packet_data, packet_data_hex, packet_src_channel, ...rest } = Object.fromEntries(
    sending.attributes.map(({ key, value }) => [key, value]),
  )
  // Recent versions of ibc-go write the data in hex alone.
  const data = packet_data ?? (packet_data_hex && Buffer.from(packet_data_hex, 'hex').toString('utf8'))
  if (data === undefined) {
    const { bridge_id, l1_denom = '', amount = '0' } = rest
    return { bridgeId: Number(bridge_id), denom: l1_denom, amount: BigInt(amount) }
  }
  const { denom, amount } = JSON.parse(data)
  return { channel: packet_src_channel, denom, amount: BigInt(amount) }
}
