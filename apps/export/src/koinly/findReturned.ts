import type { ExportIo } from '../io.ts'
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

/** A transaction of the account, as far as it shows whether one of its transfers came back. */
interface SeenEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly id: string
    readonly actions: readonly {
      readonly kind: string
      readonly isSuccessful: boolean
      readonly actor: { readonly hexAddress: string | null } | null
    }[]
    /** Only where the transaction is one of Cosmos. */
    readonly bridgeTransfers?: readonly SeenTransfer[] | null
  } | null
}

interface SeenTransfer {
  readonly sourceChannel: string | null
  readonly sequence: number | null
  readonly isWithdrawal: boolean
  readonly timeoutAt: string | null
}

/** A transaction with which transfers left. */
interface AskedNode {
  readonly bridgeTransfers: readonly AskedTransfer[] | null
}

interface AskedTransfer {
  readonly sourceChannel: string | null
  readonly sequence: number | null
  readonly departure: Leg
  readonly refund: Leg | null
}

const seenSource = (address: string, filter: ActivityFilter): Source<SeenEdge> => ({
  document: activityDocument(
    'ExportReturns',
    `node {
      id actions { kind isSuccessful actor { hexAddress } }
      ... on Transaction { bridgeTransfers { sourceChannel sequence isWithdrawal timeoutAt } }
    }`,
  ),
  variablesAt: (place) => ({ address, filter, ...place }),
  pageIn: activityPageIn<SeenEdge>,
  identify: () => undefined,
})

const leg = '{ chainId hash denom amount account { hexAddress } }'
const askedDocument = `query ExportReturned($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Transaction { bridgeTransfers { sourceChannel sequence departure ${leg} refund ${leg} } }
  }
}`

/** Transactions whose ids are known, as a list: a cursor is the number of those before it. */
function askedSource(ids: readonly string[]): Source<AskedNode | null> {
  let from = 0
  return {
    document: askedDocument,
    variablesAt({ first, after = '0' }) {
      from = Number(after)
      return { ids: ids.slice(from, from + first) }
    },
    pageIn(data) {
      const edges = (data as { nodes?: readonly (AskedNode | null)[] | null } | null)?.nodes
      if (!edges) return undefined
      const end = from + edges.length
      return { edges, hasNextPage: end < ids.length, endCursor: String(end), unavailable: [] }
    },
    identify: () => undefined,
  }
}

/**
 * The departures whose coins may have come back: the search for the other end of a transfer costs requests, so it is made for
 * no others. `until` is the end of the list, if there is something after it.
 */
function createDepartures(account: string, until: number) {
  const asked = new Set<string>()
  const sent = new Map<string, string>()
  const deposits: string[] = []
  return {
    asked,
    add({ node, chain }: SeenEdge): void {
      const own = (node?.actions ?? []).filter((each) => each.isSuccessful && each.actor?.hexAddress === account)
      if (!node || own.length === 0) return
      const has = (kind: string) => own.some((each) => each.kind === kind)
      for (const { sourceChannel, sequence, isWithdrawal, timeoutAt } of node.bridgeTransfers ?? []) {
        const isDeposit = sourceChannel === null && !isWithdrawal
        const route = `${chain.chainId} ${sourceChannel} ${sequence}`
        const before = sent.get(route)
        // A refused deposit over OPinit comes back as a withdrawal that somebody claims, which has another number.
        if (isWithdrawal && !has('BRIDGE_OUT')) for (const id of deposits.splice(0)) asked.add(id)
        if (sourceChannel !== null && before !== undefined && has('BRIDGE_REFUND')) asked.add(before)
        if (isWithdrawal || has('BRIDGE_IN') || has('BRIDGE_REFUND')) continue
        if (isDeposit) deposits.push(node.id)
        else sent.set(route, node.id)
        // What comes back after the end is in no transaction of the list.
        if (until < Number.POSITIVE_INFINITY && (timeoutAt === null || Date.parse(timeoutAt) + lateMs > until))
          asked.add(node.id)
      }
    },
  }
}

/** A chain can learn so much later that a transfer came too late, in milliseconds. */
const lateMs = 900_000

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
  options: Pick<ReadOptions<unknown>, 'client'> & { readonly io: Pick<ExportIo, 'now' | 'wait' | 'signal'> },
  progress: Pick<Progress, 'prepare'>,
): Promise<ReturnedHalves> {
  const read = <Edge>(source: Source<Edge>, largest?: number) =>
    readPages({ ...options, source, after: undefined, skipsUnreadable: false, ...(largest && { largest }) })
  const until = filter.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(filter.until)
  // Nothing can have come back later than now.
  const end = until < options.io.now() ? until : Number.POSITIVE_INFINITY
  const departures = createDepartures(account, end)
  let count = 0
  for await (const { edges } of read(seenSource(address, filter), 100)) {
    count += edges.filter(({ node }) => node?.bridgeTransfers?.length).length
    progress.prepare(`Looked through ${count} transfers for those that came back`)
    for (const edge of edges) departures.add(edge)
  }
  const found = new Map<string, ReturnedHalf[]>()
  const asked = [...departures.asked]
  if (asked.length === 0) return () => []
  for await (const { edges } of read(askedSource(asked))) {
    for (const transfer of edges.flatMap((node) => node?.bridgeTransfers ?? [])) {
      for (const { key, ...half } of halvesOf(transfer, account)) {
        found.set(key, [...(found.get(key) ?? []), half])
      }
    }
  }
  return (chainId, hash) => found.get(`${chainId} ${hash}`) ?? []
}

/** The halves of a transfer by their transactions. None if it did not come back to the account. */
function halvesOf({ departure, refund, sourceChannel, sequence }: AskedTransfer, account: string) {
  const isOwn = [departure, refund].every((leg) => leg?.account?.hexAddress === account)
  if (!refund || !isOwn || departure.denom !== refund.denom) return []
  // What the chain took of it on its way back stays in the row of what was sent.
  const amount = lesserOf(departure.amount, refund.amount)
  if (amount === null) return []
  const id = JSON.stringify([departure.chainId, departure.hash, sourceChannel, sequence])
  const halves = [
    ['sent', departure],
    ['returned', refund],
  ] as const
  return halves.flatMap(([half, { chainId, hash, denom }]) =>
    hash === null || denom === null ? [] : [{ key: `${chainId} ${hash}`, id, half, denom, amount }],
  )
}

/** The lesser of two amounts. Null if one of them is not known. */
function lesserOf(one: string | null, other: string | null): bigint | null {
  if (one === null || other === null) return null
  return BigInt(one) < BigInt(other) ? BigInt(one) : BigInt(other)
}
