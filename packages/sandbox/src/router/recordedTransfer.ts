import { refusalDigest } from '../world/stories/clientPackets.ts'
import type { TransactionRef } from '../world/stories/movement.ts'
import { clientTo } from '../world/stories/network.ts'
import type { World } from '../world/world.ts'
import type { ChainTransactions } from './chainTransactions.ts'
import type { Via } from './edges.ts'
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

/** An event of a transaction on a sandbox chain, and its attributes by key. */
interface Told {
  readonly chainId: string
  readonly hash: string
  readonly timeMs: number
  readonly type: string
  readonly attributes: Readonly<Record<string, string>>
}

interface Coin {
  readonly denom: string
  readonly amount: string
}

/** What a transaction sent to another chain. */
interface Departure {
  readonly told: Told
  /** The key of its hop in a status. */
  readonly kind: 'ibc_transfer' | 'eureka_transfer' | 'op_init_transfer'
  readonly toChainId: string
  readonly sender: string
  readonly receiver: string
  readonly coin: Coin
}

/** What became of it so far: the events of the transactions that dealt with it. */
interface Hop extends Departure {
  readonly received: Told | undefined
  /** Where the chain that received it, or had sent it on, told that it was not taken. */
  readonly refused: Told | undefined
  /** Where the chain that sent it learnt how it ended. */
  readonly ended: Told | undefined
}

/** The events that send something, and the keys of their hops. A packet of IBC v2 has that of Eureka. */
const departures: Readonly<Record<string, Departure['kind']>> = {
  send_packet: 'ibc_transfer',
  initiate_token_deposit: 'op_init_transfer',
  initiate_token_withdrawal: 'op_init_transfer',
}
const arrivals: ReadonlySet<string> = new Set(['recv_packet', 'finalize_token_deposit', 'finalize_token_withdrawal'])
const endings: ReadonlySet<string> = new Set(['acknowledge_packet', 'timeout_packet'])

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
  const eventsOf = (ref: TransactionRef): readonly Told[] => {
    const record = recordOf(ref)
    if (record === undefined) return []
    const { hash, timeMs, events } = record
    return events.map(({ type, attributes }) => ({
      ...{ chainId: ref.chainId, hash, timeMs, type },
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
    }))
  }

  const chainOver = (chainId: string, isWay: (via: Via) => boolean) =>
    network.edges.find(({ from, via }) => from.chainId === chainId && isWay(via))?.to.chainId
  const chainOfClient = (chainId: string, client: string) => {
    const own = worldOf.get(chainId)?.chain
    const others = worlds.map(({ chain }) => chain).filter(({ isHub }) => isHub !== own?.isHub)
    return others.find((other) => own && clientTo(own, other) === client)?.chainId
  }
  const farChainOf = ({ chainId, type, attributes }: Told): string | undefined => {
    const { packet_src_channel, packet_source_client, bridge_id } = attributes
    if (packet_source_client) return chainOfClient(chainId, packet_source_client)
    if (packet_src_channel) {
      return chainOver(chainId, (via) => via.kind === 'transfer' && via.channel === packet_src_channel)
    }
    const isDeposit = type === 'initiate_token_deposit'
    const isWay = (via: Via) =>
      via.kind === 'op_init_transfer' && (isDeposit ? via.deposit && via.bridgeId === Number(bridge_id) : !via.deposit)
    return chainOver(chainId, isWay)
  }

  /** What an event sends. Undefined for other events, and if nobody knows where it goes. `beside` are all of its transaction. */
  const departureOf = (told: Told, beside: readonly Told[]): Departure | undefined => {
    const { type, attributes } = told
    const kind = departures[type]
    const toChainId = kind && farChainOf(told)
    if (kind === undefined || toChainId === undefined) return undefined
    if (kind === 'op_init_transfer') {
      const { from: sender = '', to: receiver = '', l1_denom = '', denom = l1_denom, amount = '' } = attributes
      return { told, kind, toChainId, sender, receiver, coin: { denom, amount } }
    }
    // What the module of coins tells of the packet has the denom of this chain, and needs no decoding.
    const sent = beside.find((each) => each.type === 'ibc_transfer' && isOfOneMessage(each, told))
    const { sender = '', receiver = '', denom = '', amount = '' } = sent?.attributes ?? {}
    const isOfClients = attributes.packet_source_client !== undefined
    const key = isOfClients ? 'eureka_transfer' : kind
    return sent && { told, kind: key, toChainId, sender, receiver, coin: { denom, amount } }
  }

  /** The hops of what was sent: one more for each chain that passed it on. `later` are the events of all that followed. */
  const hopsOf = (departure: Departure, later: readonly Told[]): readonly Hop[] => {
    const own = later.filter((each) => keyOf(each) === keyOf(departure.told))
    const received = own.find(({ type }) => arrivals.has(type))
    const hop: Hop = {
      ...departure,
      received,
      refused: own.find((each) => refusalIn(each) !== undefined),
      ended: own.find(({ type }) => endings.has(type)),
    }
    const beside = later.filter(({ hash }) => hash === received?.hash)
    const sent = beside.find(({ type }) => type === 'send_packet')
    const onward = sent && departureOf(sent, beside)
    return onward ? [hop, ...hopsOf(onward, later)] : [hop]
  }

  const transactionOf = (told: Told | undefined) => (told ? entry(told.chainId, told.hash, told.timeMs) : null)

  const bodyOf = (hop: Hop): JsonObject => {
    const { told, kind, toChainId, received, refused, ended } = hop
    const [send_tx, receive_tx, end_tx] = [told, received, ended].map(transactionOf)
    if (kind === 'op_init_transfer') {
      // This bridge has no state for a deposit that the rollup refused.
      const state = `OPINIT_TRANSFER_${received ? 'RECEIVED' : 'SENT'}`
      return hopEntry(kind, told.chainId, toChainId, { state, txs: { send_tx, receive_tx } })
    }
    const isLate = ended?.type === 'timeout_packet'
    return hopEntry(kind, told.chainId, toChainId, {
      state: packetStateOf(hop),
      packet_txs: {
        send_tx,
        receive_tx,
        acknowledge_tx: isLate ? null : end_tx,
        timeout_tx: isLate ? end_tx : null,
        error: isLate
          ? { type: 'PACKET_ERROR_TIMEOUT', message: 'packet timed out' }
          : refused
            ? { type: 'PACKET_ERROR_ACKNOWLEDGEMENT', message: refusalIn(refused) }
            : null,
      },
    })
  }

  /** A transfer of a transaction, of which `all` are the events. */
  const transferOf = (departure: Departure, all: readonly Told[], later: readonly Told[]): JsonObject => {
    const hops = hopsOf(departure, later)
    const last = hops.at(-1)
    const hasFailed = hops.some((hop) => hop.refused ?? hop.ended?.type === 'timeout_packet')
    const end = hops[0]?.ended
    const state = hasFailed
      ? `STATE_${end ? 'COMPLETED' : 'PENDING'}_ERROR`
      : `STATE_${last?.received ? 'COMPLETED_SUCCESS' : 'PENDING'}`
    const isPassedOn = all.some(({ type }) => type === 'recv_packet')
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
    const sent = all.flatMap((told) => departureOf(told, all) ?? [])
    return {
      hasFailed: (recordOf(ref)?.code ?? 0) !== 0,
      transfers: sent.map((departure) => transferOf(departure, all, later)),
    }
  }
}

function packetStateOf({ received, refused, ended }: Hop): string {
  if (ended) return `TRANSFER_${refused || ended.type === 'timeout_packet' ? 'FAILURE' : 'SUCCESS'}`
  return `TRANSFER_${refused ? 'PENDING_ERROR' : received ? 'RECEIVED' : 'PENDING'}`
}

/** The coin that a transaction gave to an account. Undefined if it gave none. */
function given({ hash }: Told, account: string, events: readonly Told[]): Coin | undefined {
  const got = events.findLast(
    (each) => each.hash === hash && each.type === 'coin_received' && each.attributes.receiver === account,
  )
  const [, amount = '', denom = ''] = /^(\d+)(.+)$/.exec(got?.attributes.amount ?? '') ?? []
  return got && { denom, amount }
}

const isOfOneMessage = (one: Told, other: Told): boolean => one.attributes.msg_index === other.attributes.msg_index

/** What the events of one packet, deposit or withdrawal have in common. */
function keyOf({ attributes }: Told): string | undefined {
  const { packet_sequence, l1_sequence, l2_sequence } = attributes
  if (l1_sequence || l2_sequence) return l1_sequence ? `deposit ${l1_sequence}` : `withdrawal ${l2_sequence}`
  const { packet_src_channel, packet_dst_channel, packet_source_client, packet_dest_client } = attributes
  const [from, to] = [packet_src_channel ?? packet_source_client, packet_dst_channel ?? packet_dest_client]
  return packet_sequence && `${from} ${to} ${packet_sequence}`
}

/** Why a chain did not take a packet, by the acknowledgement that an event writes. Undefined if the event writes none. */
function refusalIn({ attributes }: Told): string | undefined {
  const { packet_ack_hex, encoded_acknowledgement_hex } = attributes
  if (encoded_acknowledgement_hex?.includes(refusalDigest)) return 'UNIVERSAL_ERROR_ACKNOWLEDGEMENT'
  const { error } = packet_ack_hex ? JSON.parse(Buffer.from(packet_ack_hex, 'hex').toString()) : {}
  return error
}
