import type { Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { indexedSend, isHexHash, isHopProvable } from '../transfer/provable.ts'
import type { HopBody } from '../transfer/readHop.ts'
import { sentOfHop } from '../transfer/sentStep.ts'
import type { BridgeTransferShape } from './bridgeTransferShape.ts'
import type { NamedTransaction } from './findStep.ts'
import { recordedTransfer } from './recordedTransfer.ts'
import { reportedTransfer } from './reportedTransfer.ts'

/** The transactions of a hop that the router names. */
const namedIn = ({ transactions }: HopBody): readonly NamedTransaction[] =>
  transactions.flatMap(({ chain_id, tx_hash }) => {
    const [chainId, hash] = [ifReadable(chain_id), ifReadable(tx_hash)]
    return chainId !== null && hash !== null && isHexHash(hash) ? [{ chainId, hash }] : []
  })

/** The bridge transfer of a hop: by the indexed transaction that sent it, or else by the router alone. */
export async function hopTransfer(context: Context, hop: HopBody): Promise<BridgeTransferShape> {
  const chain = indexedSend(context, hop)?.chain
  const sent = isHopProvable(context, hop) ? await sentOfHop(context, hop) : null
  return sent && chain
    ? recordedTransfer(context, chain, sent, { named: namedIn(hop), hop })
    : reportedTransfer(context, hop)
}
