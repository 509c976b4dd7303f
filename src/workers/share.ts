import { type LimitName, type Limits, limitOf } from '../config/limits/limits.ts'
import type { NetworkOptions } from '../config/openNetwork.ts'

/** Limits of what the whole machine takes: connections, requests to upstreams, and memory. */
const divided: readonly LimitName[] = [
  'maxConnections',
  'maxIndexerRequests',
  'maxRouterRequests',
  'maxWaitingRequests',
  'maxPolls',
  'cacheBytes',
  'answerCacheBytes',
  'maxMediaRequests',
  'mediaCacheBytes',
]

const partOf = (value: number, count: number) => Math.ceil(value / count)

/** The limits of one of so many workers, which together keep to the limits given. */
export const limitsOfOne = (limits: Limits, count: number): Limits => ({
  ...limits,
  ...Object.fromEntries(
    divided.map((name) => [name, Math.max(limitOf(name).min, partOf(limits[name], count))]),
  ),
})

/** The services of one of so many workers, each with its part of the requests that may be open at once. */
export function networkOfOne<T extends Pick<NetworkOptions, 'chains' | 'router'>>(
  network: T,
  count: number,
): T {
  const divide = <S extends { readonly maxRequests?: number | undefined }>(service: S): S => ({
    ...service,
    maxRequests: service.maxRequests && partOf(service.maxRequests, count),
  })
  const { chains, router } = network
  return { ...network, chains: chains.map(divide), router: router && divide(router) }
}
