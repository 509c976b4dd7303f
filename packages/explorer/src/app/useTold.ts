import { BridgeTransfersDocument, type TransferSubscription } from '../generated/graphql.ts'
import { tellTransfer } from './proof.ts'
import { useAsking } from './useAsking.ts'
import { useQuery } from './useQuery.ts'

/**
 * What the records of the chains tell of a transfer that the router follows. They are read again while they leave its end open: the
 * router does not say when a chain has a new record. `isBrief` leaves them unread if the hops of the router tell enough.
 */
export function useTold(
  chainId: string,
  transfer: TransferSubscription['transfer'] | undefined,
  { isBrief = false } = {},
) {
  const hash = transfer?.transaction?.hash
  const byHops = transfer && tellTransfer(transfer)
  const records = useQuery(
    BridgeTransfersDocument,
    { chainId, hash: hash ?? '' },
    { skip: hash === undefined || (isBrief && byHops !== undefined) },
  )
  const movements = records.data?.transaction?.movements
  const told = transfer && movements ? tellTransfer(transfer, movements) : byHops
  useAsking(movements !== undefined && !told?.isEnded, records.operation.readAt, records.reload)
  return { told, records }
}
