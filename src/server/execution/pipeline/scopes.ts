import type { SharedContext } from '../../../graphql/builder.ts'
import type { Signal } from '../../../kit/clock/signal.ts'
import { createRequestScope, type RequestScope } from '../../../upstream/requestScope.ts'
import type { TracedClient } from '../client.ts'

/** Opens the scope of one operation, which ends with the signal. */
export type OpenScope = (signal: Signal, client: TracedClient) => RequestScope

/** Returns a function that opens scopes within the limits of one operation. */
export function createScopes(shared: SharedContext): OpenScope {
  const { maxRequestsPerOperation, maxBytesPerOperation } = shared.limits
  const budget = { maxRequests: maxRequestsPerOperation, maxBytes: maxBytesPerOperation }
  return (signal, { key, requestId, trace }) =>
    createRequestScope(signal, shared, { client: key, requestId, trace, budget })
}
