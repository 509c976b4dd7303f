import { hexDigest } from '../random.ts'
import type { World } from '../world/world.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'

/** Finds the transactions hops are made of. */
export interface ChainTransactions {
  /** The tracked transaction, which sent the first hop; `seenAt` dates it where no indexer knows it. */
  source(chainId: string, hash: string, seenAt: number): JsonObject
  /**
   * A relayer's transaction on a chain around a moment. On a sandbox chain it is one its indexer
   * finds, the newest at that moment; elsewhere `salt` makes up a hash of the chain's form.
   */
  relay(chainId: string, timeMs: number, salt: string): JsonObject
  /** True for a transaction that is on a sandbox chain and failed there. */
  hasFailed(chainId: string, hash: string): boolean
  /** Link to a transaction of a chain. */
  link(chainId: string, hash: string): string
}

/** Transactions of the sandbox's worlds and, made up, of the chains outside. */
export function chainTransactions(network: Network, worlds: readonly World[]): ChainTransactions {
  const worldOf = new Map(worlds.map((world) => [world.chain.chainId, world]))
  const spelled = (chainId: string, hash: string): string =>
    network.chains.get(chainId)?.type === 'evm' ? `0x${hash.toLowerCase()}` : hash.toUpperCase()
  const link = (chainId: string, hash: string): string =>
    `${network.chains.get(chainId)?.explorer ?? ''}${spelled(chainId, hash)}`
  const body = (chainId: string, hash: string, timeMs: number): JsonObject => ({
    chain_id: chainId,
    tx_hash: spelled(chainId, hash),
    explorer_link: link(chainId, hash),
    on_chain_at: new Date(timeMs).toISOString().replace(/\.\d+Z$/, 'Z'),
  })
  return {
    link,
    hasFailed(chainId, hash) {
      const world = worldOf.get(chainId)
      const found = world?.findTransaction(hash)
      const sequence = found && world?.transactions.find(found.hash)
      return sequence !== undefined && world?.transactions.record(sequence).code !== 0
    },
    source(chainId, hash, seenAt) {
      return body(chainId, hash, worldOf.get(chainId)?.findTransaction(hash)?.timeMs ?? seenAt)
    },
    relay(chainId, timeMs, salt) {
      const world = worldOf.get(chainId)
      if (world === undefined) return body(chainId, hexDigest(32, 'relay', chainId, salt), timeMs)
      const found = world.relayTransaction(world.heightAt(timeMs))
      return body(chainId, found.hash, found.timeMs)
    },
  }
}
