import type { Progress } from '../progress.ts'
import { type ReadOptions, readPages } from '../readPages.ts'
import type { ActivityFilter } from '../subjects/activityPage.ts'
import { type TransferEdge, transferSource } from '../subjects/transfers.ts'

/** One half of a transfer that came back: what a transaction sent, or what one gave back. */
export interface ReturnedHalf {
  /** The same for both halves. */
  readonly id: string
  readonly half: 'sent' | 'returned'
  readonly denom: string
  readonly amount: bigint
}

/** The halves in a transaction. */
export type ReturnedHalves = (chainId: string, hash: string) => readonly ReturnedHalf[]

/**
 * The transfers of an account, in hex, that came back to it. They are known before the first row is written, since what
 * came back must not be written as a send. Bridges join the halves by their numbers, so no amount or time is guessed.
 */
export async function findReturned(
  address: string,
  account: string,
  filter: ActivityFilter,
  options: Omit<ReadOptions<TransferEdge>, 'source' | 'after' | 'skipsUnreadable'>,
  progress: Pick<Progress, 'prepare'>,
): Promise<ReturnedHalves> {
  const found = new Map<string, ReturnedHalf[]>()
  const source = transferSource(address, filter)
  let count = 0
  for await (const { edges } of readPages({ ...options, source, after: undefined, skipsUnreadable: false })) {
    count += edges.length
    progress.prepare(`Looked through ${count} transfers for those that came back`)
    for (const { node } of edges) {
      const { departure, refund } = node ?? {}
      const isOwn = [departure, refund].every((leg) => leg?.account?.hexAddress === account)
      if (!departure || !refund || !isOwn) continue
      const id = JSON.stringify([departure.chainId, departure.hash, node?.sourceChannel, node?.sequence])
      for (const [half, { chainId, hash, denom, amount }] of [
        ['sent', departure],
        ['returned', refund],
      ] as const) {
        if (hash === null || denom === null || amount === null) continue
        const key = `${chainId} ${hash}`
        found.set(key, [...(found.get(key) ?? []), { id, half, denom, amount: BigInt(amount) }])
      }
    }
  }
  return (chainId, hash) => found.get(`${chainId} ${hash}`) ?? []
}
