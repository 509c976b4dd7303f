import type { Context } from '../../../graphql/builder.ts'
import { ifReadable } from '../../../wire/optional.ts'
import { fetchTransaction } from '../../indexer/transaction/wire.ts'
import { type Departure, departuresIn } from './departure.ts'
import { bridgeByHopKey, type HopBody } from './readHop.ts'
import type { TransferShape } from './transfer.ts'

// The assets of transfers and hops that routers do not report, from the indexed transactions that sent them.

/** The assets that the transaction with this hash sent. None if no indexer has it. */
async function departuresOf(
  context: Context,
  chainId: string | null,
  hash: string | null,
): Promise<readonly Departure[]> {
  const chain = chainId === null ? undefined : context.network.chains.get(chainId)
  if (!chain || hash === null || !/^(0x)?[0-9a-f]{64}$/i.test(hash)) return []
  return context.scope.memo(`departures ${chainId}/${hash.toLowerCase()}`, async () => {
    const record = await fetchTransaction(context, chain, hash)
    return record ? await context.scope.work.run(departuresIn(record.events)) : []
  })
}

/** The only one. Null if there are several, since nothing says which is meant. */
const onlyOne = (departures: readonly Departure[]): Departure | null =>
  departures.length === 1 ? (departures[0] ?? null) : null

/**
 * The asset that the first transaction of a hop sent over the bridge of the hop. Null if it is not indexed, or
 * sent several assets over it.
 */
export async function departureOfHop(context: Context, hop: HopBody): Promise<Departure | null> {
  const bridge = bridgeByHopKey.get(hop.kind)
  const sent = hop.transactions.find(({ slot }) => bridge?.hop.transactions[slot]?.kind === 'SEND')
  if (!sent) return null
  const { chain_id, tx_hash } = sent
  const departures = await departuresOf(
    context,
    ifReadable(chain_id) ?? ifReadable(hop.fromChainId),
    ifReadable(tx_hash),
  )
  return onlyOne(departures.filter((departure) => departure.bridge === bridge?.id))
}

/** The asset that the first transaction of a transfer sent. Null if it is not indexed, or sent several. */
export const departureOf = async (
  context: Context,
  { chainId, txHash }: Pick<TransferShape, 'chainId' | 'txHash'>,
): Promise<Departure | null> => onlyOne(await departuresOf(context, chainId, txHash))

/**
 * The account that a transfer is for: the recipient of its last hop. Null if the transaction of that hop is not
 * indexed, or if something follows that is no hop.
 */
export async function recipientOf(context: Context, transfer: TransferShape) {
  const [leg, ...others] = transfer.status.legs
  if (!leg || others.length > 0) return null
  const last = leg.hops.at(-1)
  const departure = last
    ? await departureOfHop(context, last)
    : await departureOf(context, transfer)
  return departure && !departure.hasSequel ? departure.recipient : null
}
