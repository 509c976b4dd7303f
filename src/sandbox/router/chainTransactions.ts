import { hexDigest } from '../random.ts'
import type { World } from '../world/world.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'

/** Finds the transactions of hops. */
export interface ChainTransactions {
  /** The tracked transaction, which started the first hop. `seenAt` is its time if no indexer knows it. */
  source(chainId: string, hash: string, seenAt: number): JsonObject
  /**
   * A relayer's transaction on a chain at a time. On a sandbox chain it is the newest one at that
   * time, which its indexer finds. Elsewhere the hash is derived from `salt`.
   */
  relay(chainId: string, timeMs: number, salt: string): JsonObject
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
  return {
    link,
    hasFailed(chainId, hash) {
      const world = worldOf.get(chainId)
      const tx = world?.findTransaction(hash)
      const sequence = tx && world?.transactions.find(tx.hash)
      return sequence !== undefined && world?.transactions.record(sequence).code !== 0
    },
    source(chainId, hash, seenAt) {
      return body(chainId, hash, worldOf.get(chainId)?.findTransaction(hash)?.timeMs ?? seenAt)
    },
    relay(chainId, timeMs, salt) {
      const world = worldOf.get(chainId)
      if (world === undefined) return body(chainId, hexDigest(32, 'relay', chainId, salt), timeMs)
      const tx = world.relayTransaction(world.heightAt(timeMs))
      return body(chainId, tx.hash, tx.timeMs)
    },
  }
}
