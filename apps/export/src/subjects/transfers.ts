import { toColumns, type Value } from '#kit/table'
import { addNote, type Table } from '../table.ts'
import { type ActivityFilter, activityDocument, activityPageIn } from './activityPage.ts'
import type { Identity, Source } from './subject.ts'

interface Leg {
  readonly chainId: string | null
  readonly address: string | null
  readonly account: { readonly hexAddress: string | null } | null
  readonly amount: string | null
  readonly formattedAmount: string | null
  readonly denom: string | null
  readonly asset: { readonly symbol: string | null } | null
  readonly hash: string | null
  readonly timestamp: string | null
}

/** A movement of coins between two chains. */
export interface TransferEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly bridge: string
    readonly state: string
    readonly summary: string
    readonly reason: string | null
    readonly sourceChannel: string | null
    readonly sequence: number | null
    readonly opInitBridgeId: string | null
    readonly departure: Leg
    readonly arrival: Leg
    readonly refund: Leg | null
  } | null
}

const leg = '{ chainId address account { hexAddress } amount formattedAmount denom asset { symbol } hash timestamp }'
const edge = `node {
  bridge state summary reason sourceChannel sequence opInitBridgeId departure ${leg} arrival ${leg} refund ${leg}
}`

/** The movements of an account between chains, each once. */
export const transferSource = (address: string, filter: ActivityFilter): Source<TransferEdge> => ({
  document: activityDocument('ExportTransfers', edge, { list: 'bridgeTransfers', filter: 'BridgeTransferFilter' }),
  variablesAt: (place) => ({ address, filter, ...place }),
  pageIn: activityPageIn<TransferEdge>,
  identify,
})

/** A movement is named by the transaction that lists it, and by the number that its bridge gave it. */
function identify({ chain, node }: TransferEdge): Identity | undefined {
  if (!node) return undefined
  const { departure, arrival, sequence, sourceChannel } = node
  const own = departure.chainId === chain.chainId ? departure : arrival
  if (own.timestamp === null) return undefined
  const id = JSON.stringify([own.hash, sourceChannel, sequence, own.denom, own.amount])
  return { chainId: chain.chainId, id, time: own.timestamp }
}

/** States after which nothing more happens. */
const ends = new Set(['ARRIVED', 'REFUNDED', 'TIMED_OUT'])

/**
 * A row for each movement. What the account, in hex, sent is negative, and what it got is positive: so one that came back
 * to it sums to zero.
 */
export const transferTable = (account: string): Table<TransferEdge> => ({
  columns: toColumns({
    ...{ time: 'time', chain_id: 'code', bridge: 'code', state: 'code', summary: 'text', transfer_id: 'text' },
    ...{ source_chain_id: 'code', sender: 'text', sent_symbol: 'text', sent_denom: 'text' },
    ...{ formatted_sent: 'decimal', sent: 'amount', sent_hash: 'code', sent_time: 'time' },
    ...{ destination_chain_id: 'code', receiver: 'text', arrived_symbol: 'text', arrived_denom: 'text' },
    ...{ formatted_arrived: 'decimal', arrived: 'amount', arrived_hash: 'code', arrived_time: 'time' },
    ...{ formatted_refunded: 'decimal', refunded: 'amount', refunded_hash: 'code', refunded_time: 'time' },
    reason: 'text',
  }),
  rowsOf(of, ledger) {
    const { chain, node } = of
    const identity = identify(of)
    if (!node || !identity) return []
    const { bridge, state, departure, arrival, refund, reason } = node
    if (!ends.has(state)) addNote(ledger, 'unended')
    // An amount of an end that did not happen, or of another account, is none of this account.
    const hasArrived = state === 'ARRIVED' && isOf(arrival, account)
    const back = refund && isOf(refund, account) ? refund : undefined
    return [
      [
        ...[identity.time, chain.chainId, bridge, state, node.summary, transferIdOf(node)],
        ...placeCells(departure),
        ...negative(isOf(departure, account) ? departure : undefined),
        ...[departure.hash, departure.timestamp],
        ...placeCells(arrival),
        ...amounts(hasArrived ? arrival : undefined),
        ...[arrival.hash, arrival.timestamp],
        ...amounts(back),
        ...[refund?.hash ?? null, refund?.timestamp ?? null, reason],
      ],
    ]
  },
})

/** The same as in the rows of activity, and for rollups the bridge with the number of the deposit or withdrawal. */
function transferIdOf({ departure, sourceChannel, opInitBridgeId, sequence }: NonNullable<TransferEdge['node']>) {
  const way = sourceChannel ?? opInitBridgeId
  return departure.chainId !== null && way !== null && sequence !== null
    ? `${departure.chainId}/${way}/${sequence}`
    : null
}

const isOf = ({ account }: Leg, hexAddress: string): boolean => account?.hexAddress === hexAddress

const placeCells = ({ chainId, address, asset, denom }: Leg): readonly Value[] => [
  ...[chainId, address, asset?.symbol ?? null, denom],
]

const amounts = (of: Leg | undefined): readonly [Value, Value] => [of?.formattedAmount ?? null, of?.amount ?? null]

const negative = (of: Leg | undefined): readonly Value[] =>
  amounts(of).map((text) => (typeof text === 'string' && /[1-9]/.test(text) ? `-${text}` : text))
