import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { type AmountShape, AssetAmount } from '../../amount/assetAmount.ts'
import { fetchTransaction } from '../../indexer/transaction/wire.ts'
import { Asset, assetOf } from '../asset/asset.ts'
import { ifSent, optionalChainField, readRouterValue } from '../routerFields.ts'
import { type HopShape, TransferHop } from './hop.ts'
import { bridgeByHopKey, type HopBody } from './readHop.ts'
import { type SentAsset, sentAssetsIn } from './sentAsset.ts'
import { outcomeOf } from './state.ts'
import { Transfer, type TransferShape } from './transfer.ts'

// The assets of transfers and hops that routers do not report, from the indexed transactions that sent them.

/** The assets that the transaction with this hash sent. None if no indexer has it. */
async function loadSentAssets(
  context: Context,
  chainId: string | null,
  hash: string | null,
): Promise<readonly SentAsset[]> {
  const chain = chainId === null ? undefined : context.network.chains.get(chainId)
  if (!chain || hash === null || !/^(0x)?[0-9a-f]{64}$/i.test(hash)) return []
  return context.scope.memory.get(`sentAssets ${chainId}/${hash.toLowerCase()}`, async () => {
    const record = await fetchTransaction(context, chain, hash)
    return record ? await context.scope.work.run(sentAssetsIn(record.events)) : []
  })
}

/** The only one. Null if there are several, since nothing says which is meant. */
const onlyOne = (sentAssets: readonly SentAsset[]): SentAsset | null =>
  sentAssets.length === 1 ? (sentAssets[0] ?? null) : null

/**
 * The asset that the first transaction of a hop sent over the bridge of the hop. Null if it is not indexed, or
 * sent several assets over it.
 */
export async function sentAssetOfHop(context: Context, hop: HopBody): Promise<SentAsset | null> {
  const bridge = bridgeByHopKey.get(hop.kind)
  const sent = hop.transactions.find(({ slot }) => bridge?.hop.transactions[slot]?.kind === 'SEND')
  if (!sent) return null
  const { chain_id, tx_hash } = sent
  const sentAssets = await loadSentAssets(
    context,
    ifReadable(chain_id) ?? ifReadable(hop.fromChainId),
    ifReadable(tx_hash),
  )
  return onlyOne(sentAssets.filter((sentAsset) => sentAsset.bridge === bridge?.id))
}

/** The asset that the first transaction of a transfer sent. Null if it is not indexed, or sent several. */
const loadSentAsset = async (
  context: Context,
  { chainId, txHash }: Pick<TransferShape, 'chainId' | 'txHash'>,
): Promise<SentAsset | null> => onlyOne(await loadSentAssets(context, chainId, txHash))

/**
 * The account that a transfer is for: the recipient of its last hop. Null if the transaction of that hop is not
 * indexed, or if something follows that is no hop.
 */
async function findRecipient(context: Context, transfer: TransferShape) {
  const [leg, ...others] = transfer.status.legs
  if (!leg || others.length > 0) return null
  const last = leg.hops.at(-1)
  const sentAsset = last ? await sentAssetOfHop(context, last) : await loadSentAsset(context, transfer)
  return sentAsset && !sentAsset.hasNextHop ? sentAsset.recipient : null
}

// The amounts and the accounts of hops and transfers. Routers seldom report them.

/** A field that the indexer of a chain knows where the router does not report it. */
const fromIndexer = { nullable: true, complexity: callCost } as const
/** The asset of such a field, which is in a list of the router besides. */
const listed = { type: Asset, nullable: true, complexity: callCost } as const

const ofHop = 'Null if unknown.'

async function findDenomIn(context: Context, hop: HopShape): Promise<string | null> {
  return readRouterValue(hop.denomIn) ?? (await sentAssetOfHop(context, hop))?.denomIn ?? null
}

/** The denom that the asset has on the destination chain. Null for a hop that failed, which delivers nothing. */
async function findDenomOut(context: Context, hop: HopShape): Promise<string | null> {
  const reported = readRouterValue(hop.denomOut)
  if (reported !== null || hop.state === 'FAILED') return reported
  return (await sentAssetOfHop(context, hop))?.denomOut ?? null
}

builder.objectFields(TransferHop, (t) => ({
  sender: t.field({
    ...fromIndexer,
    type: 'Address',
    description: 'The account that sent the asset. Null if unknown.',
    resolve: async (hop, _args, context) => (await sentAssetOfHop(context, hop))?.sender ?? null,
  }),
  recipient: t.field({
    ...fromIndexer,
    type: 'Address',
    description: 'The account that gets the asset. Null if unknown.',
    resolve: async (hop, _args, context) => (await sentAssetOfHop(context, hop))?.recipient ?? null,
  }),
  amountIn: t.field({
    ...fromIndexer,
    type: 'BigInt',
    description: `Amount sent, in base units of \`denomIn\`. ${ofHop}`,
    resolve: async (hop, _args, context) =>
      readRouterValue(hop.amountIn) ?? (await sentAssetOfHop(context, hop))?.amount ?? null,
  }),
  denomIn: t.field({
    ...fromIndexer,
    type: 'Denom',
    description: `Denom sent, on the source chain. ${ofHop}`,
    resolve: (hop, _args, context) => findDenomIn(context, hop),
  }),
  assetIn: t.field({
    ...listed,
    description: 'The asset of `denomIn`. Null if unknown.',
    resolve: async (hop, _args, context) => assetOf(context, hop.fromChainId, await findDenomIn(context, hop)),
  }),
  amountOut: t.field({
    ...fromIndexer,
    type: 'BigInt',
    description: `Amount delivered, in base units of \`denomOut\`. ${ofHop}`,
    resolve: async (hop, _args, context) => {
      const reported = readRouterValue(hop.amountOut)
      if (reported !== null || hop.state !== 'COMPLETED') return reported
      return (await sentAssetOfHop(context, hop))?.amount ?? null
    },
  }),
  denomOut: t.field({
    ...fromIndexer,
    type: 'Denom',
    description: `Denom delivered, on the destination chain. ${ofHop}`,
    resolve: (hop, _args, context) => findDenomOut(context, hop),
  }),
  assetOut: t.field({
    ...listed,
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
async function findDelivered(context: Context, { status }: TransferShape): Promise<AmountShape | null> {
  const [leg, ...others] = status.legs
  if (!leg || others.length > 0 || outcomeOf(status.state) !== 'SUCCEEDED') return null
  const release = ifReadable(leg.release)
  if (release?.released) return release
  const last = leg.hops.at(-1)
  const sentAsset = last && (await sentAssetOfHop(context, last))
  return sentAsset && !sentAsset.hasNextHop
    ? { chainId: last.toChainId, denom: sentAsset.denomOut, amount: sentAsset.amount }
    : null
}

const byFirst = 'by its first transaction. Null if unknown or several.'

const denomSent = async (context: Context, transfer: TransferShape): Promise<string | null> =>
  (await loadSentAsset(context, transfer))?.denomIn ?? null

builder.objectFields(Transfer, (t) => ({
  sent: t.field({
    type: TransferAmount,
    nullable: true,
    complexity: callCost,
    description: `The asset that was sent, with its value, ${byFirst}`,
    resolve: async (transfer, _args, context) => {
      const sentAsset = await loadSentAsset(context, transfer)
      return sentAsset && { chainId: transfer.chainId, denom: sentAsset.denomIn, amount: sentAsset.amount }
    },
  }),
  received: t.field({
    type: TransferAmount,
    nullable: true,
    complexity: callCost,
    description:
      'The asset that arrived, with its value, on the last chain. Null before that, if it failed, or if unknown.',
    resolve: (transfer, _args, context) => findDelivered(context, transfer),
  }),
  sender: t.field({
    ...fromIndexer,
    type: 'Address',
    description: `The account that sent the asset, ${byFirst}`,
    resolve: async (transfer, _args, context) => (await loadSentAsset(context, transfer))?.sender ?? null,
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
    resolve: async (transfer, _args, context) => (await loadSentAsset(context, transfer))?.amount ?? null,
  }),
  denomIn: t.field({
    ...fromIndexer,
    type: 'Denom',
    description: `Base denom of the asset sent, on \`chain\`, ${byFirst}`,
    resolve: (transfer, _args, context) => denomSent(context, transfer),
  }),
  assetIn: t.field({
    ...listed,
    description: 'The asset of `denomIn`. Null if unknown.',
    resolve: async (transfer, _args, context) => assetOf(context, transfer.chainId, await denomSent(context, transfer)),
  }),
}))
