import type { Upstream } from '../../upstream/client.ts'
import { readText } from '../../upstream/readResponse.ts'
import type { UpstreamRequest } from '../../upstream/request.ts'
import type { Backplane, PeerObservation } from './backplane.ts'
import { errorOf } from './readFault.ts'
import type { Read, Reading, Readings } from './readings.ts'

/** How old a response may be, in milliseconds, by default. */
const defaultMaxAgeMs = 500

/** Time for a request, in milliseconds, by default. */
const defaultTimeoutMs = 4_000

/** A backplane that shares reads with others. Each response is decoded here, where it is used. */
export function createSharedBackplane(readings: Readings): Backplane {
  const send: Backplane['send'] = async (upstream, request, signal, options = {}) => {
    const { service } = upstream
    const { maxAgeMs = defaultMaxAgeMs, timeoutMs = defaultTimeoutMs, onShared, onSeries } = options
    const read = readOf(upstream, request)
    const reading = await readings.read(read, { signal, maxAgeMs, timeoutMs })
    if (reading.isShared) onShared?.(reading.ageMs)
    if (reading.seriesMs !== undefined) onSeries?.(reading.seriesMs)
    return decoded(service, request, reading)
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
      readings.follow(readOf(upstream, request), (reading) =>
        listener(sightOf(upstream.service, request, reading)),
      ),
  }
}

const readOf = (
  { service, source }: Pick<Upstream, 'service' | 'source'>,
  { target, route, body }: Pick<UpstreamRequest<unknown>, 'target' | 'route' | 'body'>,
): Read => ({
  ...{ service, source, target, route, body },
})

/** The value of a reading. Throws the error that it stands for. */
function decoded<T>(service: string, request: UpstreamRequest<T>, { outcome }: Reading): T | null {
  if ('fault' in outcome) throw errorOf(outcome.fault)
  return outcome.body === null ? null : readText(service, request, outcome.body)
}

function sightOf<T>(
  service: string,
  request: UpstreamRequest<T>,
  reading: Reading,
): PeerObservation<T> {
  const { ageMs, seriesMs } = reading
  try {
    return { ageMs, seriesMs, value: decoded(service, request, reading) }
  } catch (error) {
    return { ageMs, seriesMs, error }
  }
}
