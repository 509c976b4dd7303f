import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { loadDisplayName } from '../../chain/chain.ts'
import { chainOf } from '../../chain/knownChain.ts'
import { isWithdrawal } from '../../indexer/transaction/bridgeSteps.ts'
import { loadWriter } from '../../router/action/actionSummary.ts'
import type { BridgeTransferShape, LegShape } from '../joined/bridgeTransferShape.ts'
import { unlessFaulty } from '../recorded/transferSteps.ts'
import { BridgeTransfer, searchCost, secondsBetween } from './bridgeTransfer.ts'

/** What became of it, in words that follow `Sent 5 INIT from Harbor to Galley`. */
async function toEnd(
  context: Context,
  transfer: BridgeTransferShape,
  departure: LegShape,
  arrival: LegShape,
): Promise<string> {
  switch (await transfer.state()) {
    case 'ARRIVED':
      return `; arrived${await timeBetween(departure, arrival)}${await toLess(context, departure, arrival)}`
    case 'PASSED_ON':
      return `; passed on ${await toNext(context, transfer)}`
    case 'SENT_AGAIN':
      return '; timed out and sent again'
    case 'REFUSED':
      return '; refused, and not back yet'
    case 'REFUNDED':
      return '; refused and returned'
    case 'TIMED_OUT':
      return '; timed out and returned'
    case 'ON_THE_WAY':
      return '; on its way'
    default: {
      return isWithdrawal(transfer.route) ? '; no claim of it was found' : '; nothing shows yet whether it arrived'
    }
  }
}

/** What arrived, if that is not the amount that was sent. */
async function toLess(context: Context, departure: LegShape, arrival: LegShape): Promise<string> {
  if ([departure.amount, null].includes(arrival.amount) || departure.amount === null) return ''
  return ` as ${await toWritten(context, arrival)}`
}

/** Where it was passed on to, and what became of it there if that is known. */
async function toNext(context: Context, transfer: BridgeTransferShape): Promise<string> {
  const onward = await unlessFaulty(transfer.onward())
  if (!onward) return 'to another chain'
  const [departure, arrival] = await Promise.all([onward.departure(), onward.arrival()])
  const name =
    arrival.chainId === null ? 'another chain' : await loadDisplayName(context, chainOf(context, arrival.chainId))
  const over = onward.route && 'source' in onward.route ? ` over ${onward.route.source}` : ''
  return `to ${name}${over}${await toEnd(context, onward, departure, arrival)}`
}

const units = [
  ['days', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** The time between two ends, in its largest unit. Empty if one of them is not known. */
async function timeBetween(departure: LegShape, arrival: LegShape): Promise<string> {
  const [from, to] = [await unlessFaulty(departure.place()), await unlessFaulty(arrival.place())]
  const seconds = secondsBetween(from, to)
  if (seconds === null) return ''
  const [unit, size] = units.find(([, length]) => seconds >= 2 * length) ?? ['s', 1]
  return ` ${Math.round(seconds / size)} ${unit} later`
}

async function toSummary(context: Context, transfer: BridgeTransferShape): Promise<string> {
  const [departure, arrival] = await Promise.all([transfer.departure(), transfer.arrival()])
  const nameOf = (chainId: string | null) =>
    chainId === null ? 'another chain' : loadDisplayName(context, chainOf(context, chainId))
  const [from, to, end] = await Promise.all([
    nameOf(departure.chainId),
    nameOf(arrival.chainId),
    toEnd(context, transfer, departure, arrival),
  ])
  return `Sent ${await toAmount(context, departure, arrival)} from ${from} to ${to}${end}`
}

/** The amount by the assets of the source chain, or of the destination chain if the source is not known and all of it arrived. */
function toAmount(context: Context, departure: LegShape, arrival: LegShape): Promise<string> {
  if (departure.chainId !== null) return toWritten(context, departure)
  return toWritten(context, departure.amount === arrival.amount ? arrival : { ...arrival, amount: null })
}

async function toWritten(context: Context, { chainId, denom, amount }: LegShape): Promise<string> {
  if (typeof denom !== 'string' || typeof amount !== 'bigint') return 'coins'
  const write = await loadWriter(context, chainId ?? '')
  return write({ denom, amount })
}

builder.objectField(BridgeTransfer, 'summary', (t) =>
  t.field({
    type: 'String',
    description: 'A plain sentence, such as `Sent 5 INIT from Harbor to Galley; arrived 14 s later`.',
    complexity: searchCost,
    resolve: (transfer, _args, context) => toSummary(context, transfer),
  }),
)
