import type { TransactionRef } from '../world/stories/movement.ts'
import { clientTo } from '../world/stories/network.ts'
import type { World } from '../world/world.ts'
import type { BridgeRecords, Coin, Parcel, Places, RecordedEvent, RecordedHop } from './bridges/bridgeRecords.ts'
import { bridges } from './bridges/bridges.ts'
import type { ChainTransactions } from './chainTransactions.ts'
import { hopEntry } from './hops.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'

/** What the router says of a transaction of the sandbox chains. */
export interface RecordedTransaction {
  readonly hasFailed: boolean
  /**
   * The transfers that it began, as a status has them. None if it sends nothing to a known chain, is not on the chain that it
   * is asked for on, or its block does not exist yet.
   */
  readonly transfers: readonly JsonObject[]
}

/** Tells of transactions by the records of the chains. The answer to a hash that no sandbox chain has is undefined. */
export type RecordedTransactions = (chainId: string, hash: string) => RecordedTransaction | undefined

/** What a transaction sent to another chain. */
interface Departure extends Parcel {
  readonly told: RecordedEvent
  /** The key of its hop in a status. */
  readonly hopKey: string
  readonly records: BridgeRecords
  readonly toChainId: string
}

/** What was sent, and what became of it so far. */
interface Hop extends Departure, RecordedHop {}

/** Reads the transfers of the transactions of these worlds, as far as they have come by now. */
export function recordedTransactions(
  network: Network,
  worlds: readonly World[],
  { entry }: Pick<ChainTransactions, 'entry'>,
): RecordedTransactions {
  const worldOf = new Map(worlds.map((world) => [world.chain.chainId, world]))

  const recordOf = ({ chainId, hash }: TransactionRef) => {
    const world = worldOf.get(chainId)
    const tx = world?.findTransaction(hash)
    const position = tx && world?.transactions.find(tx.hash)
    return world && position ? { ...tx, ...world.transactions.record(position) } : undefined
  }
  const eventsOf = (ref: TransactionRef): readonly RecordedEvent[] => {
    const record = recordOf(ref)
    if (record === undefined) return []
    const { hash, timeMs, events } = record
    return events.map(({ type, attributes }) => ({
      ...{ chainId: ref.chainId, hash, timeMs, type },
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
    }))
  }

  const places: Places = {
    chainOver: (chainId, isWay) =>
      network.edges.find(({ from, via }) => from.chainId === chainId && 'bridge' in via && isWay(via))?.to.chainId,
    chainOfClient(chainId, client) {
      const own = worldOf.get(chainId)?.chain
      const others = worlds.map(({ chain }) => chain).filter(({ isHub }) => isHub !== own?.isHub)
      return others.find((other) => own && clientTo(own, other) === client)?.chainId
    },
  }

  /** What an event sends. None for other events, and if nobody knows where it goes. `beside` are all of its transaction. */
  const departuresOf = (told: RecordedEvent, beside: readonly RecordedEvent[]): readonly Departure[] =>
    bridges.flatMap(({ hopKey, records }) => {
      const parcel = records?.parcelOf(told, beside, places)
      if (!records || parcel?.toChainId === undefined) return []
      return { ...parcel, toChainId: parcel.toChainId, told, hopKey, records }
    })

  /** The hops of what was sent: one more for each chain that passed it on. `later` are the events of all that followed. */
  const hopsOf = (departure: Departure, later: readonly RecordedEvent[]): readonly Hop[] => {
    const { told, records } = departure
    const own = later.filter((each) => records.keyOf(each) === records.keyOf(told))
    const received = own.find(({ type }) => records.arrivals.includes(type))
    const ended = own.find(({ type }) => type in records.endings)
    const hop: Hop = {
      ...departure,
      received,
      refused: own.find((each) => records.refusalIn?.(each) !== undefined),
      ended,
      isLate: ended !== undefined && records.endings[ended.type] === 'LATE',
    }
    const beside = later.filter(({ hash }) => hash === received?.hash)
    const [onward] = beside.flatMap((each) => departuresOf(each, beside)).filter((each) => each.records.sendsOn)
    return onward ? [hop, ...hopsOf(onward, later)] : [hop]
  }

  const transactionOf = (told: RecordedEvent | undefined) => (told ? entry(told.chainId, told.hash, told.timeMs) : null)

  const bodyOf = (hop: Hop): JsonObject => {
    const { told, hopKey, records, toChainId, received, ended } = hop
    const transactions = { sent: transactionOf(told), received: transactionOf(received), ended: transactionOf(ended) }
    return hopEntry(hopKey, told.chainId, toChainId, records.hop(hop, transactions))
  }

  /** A transfer of a transaction, of which `all` are the events. */
  const transferOf = (
    departure: Departure,
    all: readonly RecordedEvent[],
    later: readonly RecordedEvent[],
  ): JsonObject => {
    const hops = hopsOf(departure, later)
    const last = hops.at(-1)
    const hasFailed = hops.some(({ refused, isLate }) => refused !== undefined || isLate)
    const end = hops[0]?.ended
    const state = hasFailed
      ? `STATE_${end ? 'COMPLETED' : 'PENDING'}_ERROR`
      : `STATE_${last?.received ? 'COMPLETED_SUCCESS' : 'PENDING'}`
    const isPassedOn = all.some(({ type }) => departure.records.arrivals.includes(type))
    const release = () => {
      if (!hasFailed) return last?.received && given(last.received, last.receiver, later)
      // What was passed on goes back to where it came from. Nobody gets it here.
      return end ? given(end, departure.sender, later) : isPassedOn ? undefined : departure.coin
    }
    const coin = release()
    const place = hasFailed ? departure.told.chainId : last?.toChainId
    const released = state !== 'STATE_PENDING_ERROR'
    return {
      state,
      transfer_sequence: hops.map(bodyOf),
      next_blocking_transfer: state === 'STATE_COMPLETED_SUCCESS' ? null : { transfer_sequence_index: hops.length - 1 },
      transfer_asset_release: coin ? { chain_id: place, ...coin, released } : null,
      error: hasFailed ? { type: 'STATUS_ERROR_TRANSFER', message: 'transfer failed on the way' } : null,
    }
  }

  return (chainId, hash) => {
    const owner = worlds.find((world) => world.hasHash(hash))
    if (owner === undefined) return undefined
    const ref = { chainId, hash }
    const all = eventsOf(ref)
    const later = owner.movementOf(hash).flatMap(eventsOf)
    const sent = all.flatMap((told) => departuresOf(told, all))
    return {
      hasFailed: (recordOf(ref)?.code ?? 0) !== 0,
      transfers: sent.map((departure) => transferOf(departure, all, later)),
    }
  }
}

/** The coin that a transaction gave to an account. Undefined if it gave none. */
function given({ hash }: RecordedEvent, account: string, events: readonly RecordedEvent[]): Coin | undefined {
  const got = events.findLast(
    (each) => each.hash === hash && each.type === 'coin_received' && each.attributes.receiver === account,
  )
  const [, amount = '', denom = ''] = /^(\d+)(.+)$/.exec(got?.attributes.amount ?? '') ?? []
  return got && { denom, amount }
}
