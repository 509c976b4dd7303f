import { bytesOf } from '#words/addresses/bytes'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { type AmountShape, AssetAmount } from '../../amount/assetAmount.ts'
import type { FoundStep } from '../../indexer/transaction/bridgeSteps.ts'
import { Asset, assetOf } from '../../router/asset/asset.ts'
import { formattedAmount, withoutDecimals } from '../../router/asset/assetAmount.ts'
import { ifSent, optionalChainField, readRouterValue } from '../../router/routerFields.ts'
import { hopTransfer } from '../joined/hopTransfer.ts'
import type { TransferShape } from '../joined/loadTransfer.ts'
import { provenStatus } from '../joined/proof.ts'
import { sentOfHop, sentOfTransfer } from '../joined/sentStep.ts'
import type { HopBody } from '../reported/readHop.ts'
import { outcomeOf } from '../reported/transferState.ts'
import { type HopShape, TransferHop } from './hop.ts'
import { Transfer } from './transfer.ts'

// The assets of transfers and hops that routers do not report, from the indexed transactions that sent them.

/** The coin that the sender gave, on its chain. */
const denomGiven = (step: FoundStep | null): string | null => step?.exchangedDenom ?? step?.sourceDenom ?? null

/** An address. Null for any other text: the sender of a packet writes the recipient, and no chain checks it. */
const addressIn = (text: string | null | undefined): string | null =>
  text != null && bytesOf(text) !== null ? text : null

/**
 * The account that a transfer is for: the recipient of its last hop. Null if the transaction of that hop is not
 * indexed, or if something follows that is no hop.
 */
async function findRecipient(context: Context, transfer: TransferShape) {
  const [leg, ...others] = transfer.status.legs
  if (!leg || others.length > 0) return null
  const last = leg.hops.at(-1)
  const sent = last ? await sentOfHop(context, last) : await sentOfTransfer(context, transfer)
  return sent && !sent.hasNextHop ? addressIn(sent.receiver) : null
}

// The amounts and the accounts of hops and transfers. Routers seldom report them.

/** A field that the indexer of a chain knows where the router does not report it. */
const fromIndexer = { nullable: true, complexity: callCost, extensions: { late: ['transaction'] } } as const

const ofHop = 'Null if unknown.'

async function findAmountIn(context: Context, hop: HopShape): Promise<bigint | null> {
  return readRouterValue(hop.amountIn) ?? (await sentOfHop(context, hop))?.amount ?? null
}

async function findAmountOut(context: Context, hop: HopShape): Promise<bigint | null> {
  const reported = readRouterValue(hop.amountOut)
  if (reported !== null || hop.state !== 'COMPLETED') return reported
  return ifReadable((await deliveredBy(context, hop))?.amount ?? null)
}

/** What a complete hop gave its account, by the records of both chains. Null if the transaction that sent it is not indexed. */
async function deliveredBy(context: Context, hop: HopBody): Promise<AmountShape | null> {
  return (await sentOfHop(context, hop)) ? (await hopTransfer(context, hop)).arrival() : null
}

async function findDenomIn(context: Context, hop: HopShape): Promise<string | null> {
  return readRouterValue(hop.denomIn) ?? denomGiven(await sentOfHop(context, hop))
}

/** The denom that the asset has on the destination chain. Null for a hop that failed, which delivers nothing. */
async function findDenomOut(context: Context, hop: HopShape): Promise<string | null> {
  const reported = readRouterValue(hop.denomOut)
  if (reported !== null || hop.state === 'FAILED') return reported
  if (hop.state !== 'COMPLETED') return (await sentOfHop(context, hop))?.destinationDenom ?? null
  return ifReadable((await deliveredBy(context, hop))?.denom ?? null)
}

builder.objectFields(TransferHop, (t) => ({
  sender: t.field({
    ...fromIndexer,
    type: 'Address',
    description: 'The account that sent the asset. Null if unknown.',
    resolve: async (hop, _args, context) => addressIn((await sentOfHop(context, hop))?.sender),
  }),
  recipient: t.field({
    ...fromIndexer,
    type: 'Address',
    description: 'The account that gets the asset. Null if unknown.',
    resolve: async (hop, _args, context) => addressIn((await sentOfHop(context, hop))?.receiver),
  }),
  amountIn: t.field({
    ...fromIndexer,
    type: 'BigInt',
    description: `Amount sent, in base units of \`denomIn\`. ${ofHop}`,
    resolve: (hop, _args, context) => findAmountIn(context, hop),
  }),
  formattedAmountIn: t.field({
    ...fromIndexer,
    type: 'Decimal',
    description: `Amount sent, in whole units. ${withoutDecimals}`,
    resolve: async (hop, _args, context) => {
      const [amount, denom] = await Promise.all([findAmountIn(context, hop), findDenomIn(context, hop)])
      return formattedAmount({ chainId: hop.fromChainId, denom, amount }, context)
    },
  }),
  denomIn: t.field({
    ...fromIndexer,
    type: 'Denom',
    description: `Denom sent, on the source chain. ${ofHop}`,
    resolve: (hop, _args, context) => findDenomIn(context, hop),
  }),
  assetIn: t.field({
    ...fromIndexer,
    type: Asset,
    description: 'The asset of `denomIn`. Null if unknown.',
    resolve: async (hop, _args, context) => assetOf(context, hop.fromChainId, await findDenomIn(context, hop)),
  }),
  amountOut: t.field({
    ...fromIndexer,
    type: 'BigInt',
    description: `Amount delivered, in base units of \`denomOut\`. ${ofHop}`,
    resolve: (hop, _args, context) => findAmountOut(context, hop),
  }),
  formattedAmountOut: t.field({
    ...fromIndexer,
    type: 'Decimal',
    description: `Amount delivered, in whole units. ${withoutDecimals}`,
    resolve: async (hop, _args, context) => {
      const [amount, denom] = await Promise.all([findAmountOut(context, hop), findDenomOut(context, hop)])
      return formattedAmount({ chainId: hop.toChainId, denom, amount }, context)
    },
  }),
  denomOut: t.field({
    ...fromIndexer,
    type: 'Denom',
    description: `Denom delivered, on the destination chain. ${ofHop}`,
    resolve: (hop, _args, context) => findDenomOut(context, hop),
  }),
  assetOut: t.field({
    ...fromIndexer,
    type: Asset,
    description: 'The asset of `denomOut`. Null if unknown.',
    resolve: async (hop, _args, context) => assetOf(context, hop.toChainId, await findDenomOut(context, hop)),
  }),
}))

const TransferAmount = builder.objectRef<AmountShape>('TransferAmount').implement({
  description: 'An amount that a transfer sent or delivered.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    chainId: ifSent(t, 'ChainId', 'Its chain: the first one, or the last.', ({ chainId }) => chainId),
    chain: optionalChainField(t, 'Its chain: the first one, or the last', ({ chainId }) => chainId),
  }),
})

/** What arrived: by the router's release, or else by the transaction that sent the last hop. Null if it has not, or for several. */
async function findDelivered(context: Context, transfer: TransferShape): Promise<AmountShape | null> {
  const { legs, state } = await provenStatus(context, transfer)
  const [leg, ...others] = legs
  if (!leg || others.length > 0 || outcomeOf(state) !== 'SUCCEEDED') return null
  const release = ifReadable(leg.release)
  if (release?.released) return release
  const last = leg.hops.at(-1)
  const sent = last && (await sentOfHop(context, last))
  if (!sent || sent.hasNextHop) return null
  const delivered = await deliveredBy(context, last)
  return delivered && { ...delivered, chainId: last.toChainId }
}

const byFirst = 'by its first transaction. Null if unknown or several.'

const denomSent = async (context: Context, transfer: TransferShape): Promise<string | null> =>
  denomGiven(await sentOfTransfer(context, transfer))

builder.objectFields(Transfer, (t) => ({
  sent: t.field({
    ...fromIndexer,
    type: TransferAmount,
    description: `The asset that was sent, with its value, ${byFirst}`,
    resolve: async (transfer, _args, context) => {
      const sent = await sentOfTransfer(context, transfer)
      return sent && { chainId: transfer.chainId, denom: denomGiven(sent), amount: sent.amount }
    },
  }),
  received: t.field({
    ...fromIndexer,
    type: TransferAmount,
    description:
      'The asset that arrived, with its value, on the last chain. Null before that, if it failed, or if unknown.',
    resolve: (transfer, _args, context) => findDelivered(context, transfer),
  }),
  sender: t.field({
    ...fromIndexer,
    type: 'Address',
    description: `The account that sent the asset, ${byFirst}`,
    resolve: async (transfer, _args, context) => addressIn((await sentOfTransfer(context, transfer))?.sender),
  }),
  recipient: t.field({
    ...fromIndexer,
    type: 'Address',
    description: 'The account that gets it on the last chain. Null if unknown, or if a contract passes it on.',
    resolve: (transfer, _args, context) => findRecipient(context, transfer),
  }),
  amountIn: t.field({
    ...fromIndexer,
    type: 'BigInt',
    description: `Amount sent, in base units of \`denomIn\`, ${byFirst}`,
    resolve: async (transfer, _args, context) => (await sentOfTransfer(context, transfer))?.amount ?? null,
  }),
  denomIn: t.field({
    ...fromIndexer,
    type: 'Denom',
    description: `Base denom of the asset sent, on \`chain\`, ${byFirst}`,
    resolve: (transfer, _args, context) => denomSent(context, transfer),
  }),
  assetIn: t.field({
    ...fromIndexer,
    type: Asset,
    description: 'The asset of `denomIn`. Null if unknown.',
    resolve: async (transfer, _args, context) => assetOf(context, transfer.chainId, await denomSent(context, transfer)),
  }),
}))
