import type { SharedContext } from '../../../graphql/builder.ts'
import { createPace } from '../../../kit/clock/pace.ts'
import type { Signal } from '../../../kit/clock/signal.ts'
import { createRequestScope, type RequestScope } from '../../../upstream/requestScope.ts'
import type { TracedClient } from '../client.ts'

/** Opens the scope of one operation, which ends with the signal. */
export type OpenScope = (signal: Signal, client: TracedClient) => RequestScope

/** Returns a function that opens scopes within the limits of one operation. */
export function createScopes(shared: SharedContext): OpenScope {
  const { maxRequestsPerOperation, maxBytesPerOperation } = shared.limits
  const budget = { maxRequests: maxRequestsPerOperation, maxBytes: maxBytesPerOperation }
  const pace = createPace(shared.clock, shared.turns)
  return (signal, { key: client, requestId, trace }) =>
    createRequestScope(signal, shared, {
      ...{ client, requestId, trace, budget },
      work: pace.begin(client),
    })
}
