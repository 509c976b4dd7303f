import type { Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { stepsIn } from '../../indexer/transaction/bridgeSteps.ts'
import { fetchTransaction } from '../../indexer/transaction/wire.ts'
import type { HopBody } from '../transfer/readHop.ts'
import type { BridgeTransferShape } from './bridgeTransferShape.ts'
import type { NamedTransaction } from './findStep.ts'
import { recordedTransfer } from './recordedTransfer.ts'
import { reportedTransfer, transactionOf } from './reportedTransfer.ts'

/** The form of a hash of a transaction of Cosmos or of an EVM. */
const hashForm = /^(0x)?[0-9a-f]{64}$/i

/** The transactions of a hop that the router names. */
const namedIn = ({ transactions }: HopBody): readonly NamedTransaction[] =>
  transactions.flatMap(({ chain_id, tx_hash }) => {
    const [chainId, hash] = [ifReadable(chain_id), ifReadable(tx_hash)]
    return chainId !== null && hash !== null && hashForm.test(hash) ? [{ chainId, hash }] : []
  })

/** The bridge transfer of a hop: by the indexed transaction that sent it, or else by the router alone. */
export async function hopTransfer(context: Context, hop: HopBody): Promise<BridgeTransferShape> {
  const sent = transactionOf(hop, 'SEND')
  const chainId = ifReadable(sent?.chain_id ?? null) ?? ifReadable(hop.fromChainId)
  const hash = ifReadable(sent?.tx_hash ?? null)
  const chain = chainId === null ? undefined : context.network.chains.get(chainId)
  const isRecorded = hop.kind === 'ibc_transfer' || hop.kind === 'op_init_transfer' || hop.kind === 'eureka_transfer'
  if (!isRecorded || !chain || hash === null || !hashForm.test(hash)) return reportedTransfer(context, hop)
  const record = await fetchTransaction(context, chain, hash)
  const steps = record ? await stepsIn(context, chain, record) : []
  const isOpInit = hop.kind === 'op_init_transfer'
  const [step, ...others] = steps.filter(
    ({ kind, route }) => kind === 'SENT' && isOpInit === (route.bridge === 'OPINIT'),
  )
  if (!step || others.length > 0) return reportedTransfer(context, hop)
  return recordedTransfer(context, chain, step, { named: namedIn(hop) })
}
