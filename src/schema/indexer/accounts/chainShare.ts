import type { Context } from '../../../engine/graphql/builder.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import { serviceLabel } from '../../../engine/upstream/services.ts'

/** The most time that one of several upstreams may take, as a share of the time for the operation. */
const share = 0.5

/**
 * Rejects with `UPSTREAM_TIMEOUT` if one of several upstreams, the indexer of a chain or `router`, takes more
 * than its share of the time for the operation. `part` is the share of work that begins after other work.
 */
export function withinShare<T>(
  { scope, limits }: Pick<Context, 'scope' | 'limits'>,
  service: string,
  work: () => Promise<T>,
  part = share,
): Promise<T> {
  const milliseconds = limits.timeoutMs * part
  const late = () =>
    new GatewayError('UPSTREAM_TIMEOUT', `${serviceLabel(service)} did not respond in time.`, { service })
  return scope.within({ milliseconds, late }, work)
}
