import { GatewayError } from '../../upstream/error.ts'
import type { ServedChain } from '../../upstream/network.ts'

/** The gas of a record. Throws for a negative number, so that only its field is null. */
export function gasOf({ chainId }: Pick<ServedChain, 'chainId'>, gas: bigint): bigint {
  if (gas >= 0n) return gas
  const message = `The indexer of ${chainId} sent a negative amount of gas.`
  throw new GatewayError('UPSTREAM_INVALID_RESPONSE', message, { service: chainId })
}
