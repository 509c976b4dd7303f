import { hexDigest } from '../random.ts'
import type { World } from '../world/world.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'

/** Finds the transactions of hops. */
export interface ChainTransactions {
  /** A transaction of a chain as a status has it. */
  entry(chainId: string, hash: string, timeMs: number): JsonObject
  /**
   * A relayer's transaction on a chain at a time. On a sandbox chain it is the newest one at that
   * time, which its indexer finds. Elsewhere the hash is derived from `salt`. It is said to be no older than `since`.
   */
  relay(chainId: string, timeMs: number, salt: string, since: number): JsonObject
  /** The time of that transaction. */
  relayTime(chainId: string, timeMs: number): number
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
  const entry = (chainId: string, hash: string, timeMs: number): JsonObject => ({
    chain_id: chainId,
    tx_hash: formatHash(chainId, hash),
    explorer_link: link(chainId, hash),
    on_chain_at: new Date(timeMs).toISOString().replace(/\.\d+Z$/, 'Z'),
  })
  const relayAt = (chainId: string, timeMs: number) => {
    const world = worldOf.get(chainId)
    return world?.relayTransaction(world.heightAt(timeMs))
  }
  return {
    link,
    entry,
    relay(chainId, timeMs, salt, since) {
      const tx = relayAt(chainId, timeMs)
      const hash = tx?.hash ?? hexDigest(32, 'relay', chainId, salt)
      return entry(chainId, hash, Math.max(since, tx?.timeMs ?? timeMs))
    },
    relayTime: (chainId, timeMs) => relayAt(chainId, timeMs)?.timeMs ?? timeMs,
  }
}
