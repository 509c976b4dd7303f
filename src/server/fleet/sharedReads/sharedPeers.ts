import type { Upstream } from '../../../engine/upstream/client.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { Network } from '../../../engine/upstream/network.ts'
import { errorOf, faultOf } from '../../../engine/upstream/readFault.ts'
import { readText } from '../../../engine/upstream/readResponse.ts'
import { textRequest, type UpstreamRequest } from '../../../engine/upstream/request.ts'
import { type ByService, isServiceName, serviceLabel } from '../../../engine/upstream/services.ts'
import type { Peers } from '../../../engine/watch/peers.ts'
import type { Clock } from '../../../kit/clock/clock.ts'
import { withDeadline } from '../../../kit/clock/deadline.ts'
import type { ReadRequest, ReadResult, RunRead, SharedReads } from './sharedReads.ts'

/** How old a response may be, in milliseconds, by default. */
const defaultMaxAgeMs = 500

/** Time for a request, in milliseconds, by default. */
const defaultTimeoutMs = 4_000

/** Makes the peers of a process from shared reads. Each process decodes the responses that it uses. */
export function createSharedPeers(reads: SharedReads): Peers {
  const send: Peers['send'] = async (upstream, request, signal, options = {}) => {
    const { maxAgeMs = defaultMaxAgeMs, timeoutMs = defaultTimeoutMs, onShared, onSeries } = options
    const read = readOf(upstream, request)
    const result = await reads.read(read, { signal, maxAgeMs, timeoutMs })
    if (result.isShared) onShared?.(result.ageMs)
    if (result.seriesMs !== undefined) onSeries?.(result.seriesMs)
    return decoded(upstream.service, request, result)
  }
  return {
    isShared: true,
    send,
    over: (upstream) => ({
      service: upstream.service,
      source: upstream.source,
      send: (request, signal, owner, onFresh) => {
        if (request.method !== 'GET') return upstream.send(request, signal, owner, onFresh)
        onFresh?.(0)
        return send(upstream, request, signal)
      },
    }),
    follow: (upstream, request, listener) =>
      reads.follow(readOf(upstream, request), (result) => {
        const { ageMs, seriesMs } = result
        try {
          const value = decoded(upstream.service, request, result)
          listener({ ageMs, seriesMs, value })
        } catch (error) {
          listener({ ageMs, seriesMs, error })
        }
      }),
  }
}

const readOf = (
  { service, source }: Pick<Upstream, 'service' | 'source'>,
  { target, route, body }: Pick<UpstreamRequest<unknown>, 'target' | 'route' | 'body'>,
): ReadRequest => ({ service, source, target, route, body })

/** The value of a result. Throws the error that the result stands for. */
function decoded<T>(service: string, request: UpstreamRequest<T>, { outcome }: ReadResult): T | null {
  if ('fault' in outcome) throw errorOf(outcome.fault)
  return outcome.body === null ? null : readText(service, request, outcome.body)
}

/** Runs reads through the clients of this process. */
export const createRunRead =
  (network: Pick<Network, 'chains'> & ByService<Upstream>, clock: Clock): RunRead =>
  async (read, { signal, timeoutMs }) => {
    const { service, source } = read
    const upstream = isServiceName(service) ? network[service] : network.chains.get(service)?.indexer
    const late = () => new GatewayError('UPSTREAM_TIMEOUT', `${serviceLabel(service)} timed out.`, { service })
    const limits = { milliseconds: timeoutMs, signal, late }
    try {
      if (upstream?.source !== source) {
        const message = 'The service is not configured any more.'
        throw new GatewayError('UPSTREAM_UNAVAILABLE', message, { service })
      }
      const body = await withDeadline(clock, limits, (deadline) => upstream.send(textRequest(read), deadline))
      return { body }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      return { fault: faultOf(service, error) }
    }
  }
