import { isJsonObject } from '../wire/lenient.ts'
import { GatewayError } from './error.ts'
import { headerOf, type UpstreamResponse } from './exchange.ts'
import { serviceLabel } from './upstreamError.ts'

// A 404 means that there is no such record only if the service itself says so. A proxy in front of it, or another
// server at its address, answers 404 to everything: without this check, that would look like an empty chain.

/** The texts of indexers for a record that they lack, and for the EVM where it is off. */
const noRecord =
  /^(?:\[NOT_FOUND\] .+|(?:block|tx|transaction|(?:nft )?(?:collection|token)) not found|evm routes are not available on this chain)$/i

/** The text of indexers for a path that they do not serve. */
const noRoute = /^Cannot GET \/\S*$/

/** The routes that an indexer can lack: by its version or its VM, or for an NFT whose token id has a `/`. */
const optionalRoutes = /\/evm-(?:internal-)?txs\b|\/nft\/v1\/txs\/|\/richlist\//

/** A longer body is none of the above. */
const maxLength = 4 * 1024

/** Whether a 404 says that there is no such record, or no such route where one can be missing. */
function saysAbsence(response: UpstreamResponse, route: string): boolean {
  const { text } = response
  const type = headerOf(response, 'content-type') ?? ''
  if (text.length > maxLength || /^text\/html\b/i.test(type)) return false
  const said = text.trim()
  return (
    noRecord.test(said) ||
    isNotFoundStatus(said) ||
    (noRoute.test(said) && optionalRoutes.test(route))
  )
}

/** Whether a body is the gRPC status `NOT_FOUND` in JSON. */
function isNotFoundStatus(text: string): boolean {
  if (!text.startsWith('{')) return false
  try {
    const body: unknown = JSON.parse(text)
    return isJsonObject(body) && body.code === 5
  } catch {
    return false
  }
}

/** The error for a 404 that does not come from the service. Undefined if it says that something does not exist. */
export function strangeAbsence(
  service: string,
  response: UpstreamResponse,
  route: string,
): GatewayError | undefined {
  if (saysAbsence(response, route)) return undefined
  const claim = 'sent a 404 that another server or a proxy has made. Its URL may be wrong.'
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', `${serviceLabel(service)} ${claim}`, {
    service,
  })
}
