import { SingleFlight } from '../../../kit/cache/singleFlight.ts'
import type { Requester } from '../requester.ts'
import type { UpstreamOptions } from '../upstreamOptions.ts'
import type { Call, CallerRequest, Next } from './call.ts'
import type { MemoryCache } from './memoryCache.ts'

/**
 * Returns a function that starts a call for a request, or joins the call of an equal GET under way. A caller that
 * leaves affects no other caller. `keep` caches the response of a call, once for all callers.
 */
export function createSharedCalls({ service, events }: Required<UpstreamOptions>, keep: MemoryCache['keep']) {
  const singleFlight = new SingleFlight<Requester>()
  return <T>(asked: CallerRequest<T>, next: Next): void => {
    const { request, key, cacheKey, member: requester } = asked
    const hasJoined = singleFlight.run(request.method === 'GET' ? key : undefined, asked, (flight) => {
      const call: Call<T> = { request, cacheKey, requester, flight, retries: 0 }
      next(call, (outcome) => {
        if (!outcome) return
        if ('value' in outcome) flight.resolve(keep(call, outcome.value))
        else flight.reject(outcome.error)
      })
    })
    if (hasJoined) events.onCoalesced?.(service)
  }
}
