import type { Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import type { NamedTransaction } from '../recorded/findStep.ts'
import { indexedSend, isHopProvable } from '../reported/provable.ts'
import type { HopBody } from '../reported/readHop.ts'
import { isHexHash } from '../reported/txHash.ts'
import type { BridgeTransferShape } from './bridgeTransferShape.ts'
import { recordedTransfer } from './recordedTransfer.ts'
import { reportedTransfer } from './reportedTransfer.ts'
import { sentOfHop } from './sentStep.ts'

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
