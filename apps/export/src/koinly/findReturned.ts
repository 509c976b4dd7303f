import type { Progress } from '../progress.ts'
import { type ReadOptions, readPages } from '../readPages.ts'
import { type ActivityFilter, activityDocument, activityPageIn } from '../subjects/activityPage.ts'
import type { Source } from '../subjects/subject.ts'

/** One half of a transfer that came back: what a transaction sent, or what one gave back. */
export interface ReturnedHalf {
  /** The same for both halves. */
  readonly id: string
  readonly half: 'sent' | 'returned'
  readonly denom: string
  readonly amount: bigint
}

interface Leg {
  readonly chainId: string | null
  readonly hash: string | null
  readonly denom: string | null
  readonly amount: string | null
  readonly account: { readonly hexAddress: string | null } | null
}

/** A movement of coins between two chains, without where it arrived. */
interface SentEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly sourceChannel: string | null
    readonly sequence: number | null
    readonly departure: Leg
    readonly refund: Leg | null
  } | null
}

const leg = '{ chainId hash denom amount account { hexAddress } }'
const list = { list: 'bridgeTransfers', filter: 'BridgeTransferFilter' }

const sentSource = (address: string, filter: ActivityFilter): Source<SentEdge> => ({
  document: activityDocument('ExportReturned', `node { sourceChannel sequence departure ${leg} refund ${leg} }`, list),
  variablesAt: (place) => ({ address, filter, ...place }),
  pageIn: activityPageIn<SentEdge>,
  identify: () => undefined,
})

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
  options: Omit<ReadOptions<SentEdge>, 'source' | 'after' | 'skipsUnreadable'>,
  progress: Pick<Progress, 'prepare'>,
): Promise<ReturnedHalves> {
  const found = new Map<string, ReturnedHalf[]>()
  const source = sentSource(address, filter)
  let count = 0
  for await (const { edges } of readPages({ ...options, source, after: undefined, skipsUnreadable: false })) {
    count += edges.length
    progress.prepare(`Looked through ${count} transfers for those that came back`)
    for (const { node } of edges) {
      const { departure, refund } = node ?? {}
      const isOwn = [departure, refund].every((leg) => leg?.account?.hexAddress === account)
      if (!departure || !refund || !isOwn) continue
      // What the chain took of it on its way back stays in the row of what was sent.
      const amount = lesserOf(departure.amount, refund.amount)
      if (amount === null || departure.denom !== refund.denom) continue
      const id = JSON.stringify([departure.chainId, departure.hash, node?.sourceChannel, node?.sequence])
      for (const [half, { chainId, hash, denom }] of [
        ['sent', departure],
        ['returned', refund],
      ] as const) {
        if (hash === null || denom === null) continue
        const key = `${chainId} ${hash}`
        found.set(key, [...(found.get(key) ?? []), { id, half, denom, amount }])
      }
    }
  }
  return (chainId, hash) => found.get(`${chainId} ${hash}`) ?? []
}

/** The lesser of two amounts. Null if one of them is not known. */
function lesserOf(one: string | null, other: string | null): bigint | null {
  if (one === null || other === null) return null
  return BigInt(one) < BigInt(other) ? BigInt(one) : BigInt(other)
}
