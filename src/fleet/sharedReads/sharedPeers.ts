import type { Upstream } from '../../upstream/client.ts'
import { readText } from '../../upstream/readResponse.ts'
import type { UpstreamRequest } from '../../upstream/request.ts'
import type { PeerObservation, Peers } from '../../watch/peers.ts'
import { errorOf } from './readFault.ts'
import type { ReadRequest, ReadResult, SharedReads } from './sharedReads.ts'

/** How old a response may be, in milliseconds, by default. */
const defaultMaxAgeMs = 500

/** Time for a request, in milliseconds, by default. */
const defaultTimeoutMs = 4_000

/** Makes the peers of a process from shared reads. Each process decodes the responses that it uses. */
export function createSharedPeers(reads: SharedReads): Peers {
  const send: Peers['send'] = async (upstream, request, signal, options = {}) => {
    const { service } = upstream
    const { maxAgeMs = defaultMaxAgeMs, timeoutMs = defaultTimeoutMs, onShared, onSeries } = options
    const read = readOf(upstream, request)
    const result = await reads.read(read, { signal, maxAgeMs, timeoutMs })
    if (result.isShared) onShared?.(result.ageMs)
    if (result.seriesMs !== undefined) onSeries?.(result.seriesMs)
    return decoded(service, request, result)
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
      reads.follow(readOf(upstream, request), (result) =>
        listener(observationOf(upstream.service, request, result)),
      ),
  }
}

const readOf = (
  { service, source }: Pick<Upstream, 'service' | 'source'>,
  { target, route, body }: Pick<UpstreamRequest<unknown>, 'target' | 'route' | 'body'>,
): ReadRequest => ({
  ...{ service, source, target, route, body },
})

/** The value of a result. Throws the error that the result stands for. */
function decoded<T>(
  service: string,
  request: UpstreamRequest<T>,
  { outcome }: ReadResult,
): T | null {
  if ('fault' in outcome) throw errorOf(outcome.fault)
  return outcome.body === null ? null : readText(service, request, outcome.body)
}

function observationOf<T>(
  service: string,
  request: UpstreamRequest<T>,
  result: ReadResult,
): PeerObservation<T> {
  const { ageMs, seriesMs } = result
  try {
    return { ageMs, seriesMs, value: decoded(service, request, result) }
  } catch (error) {
    return { ageMs, seriesMs, error }
  }
}
