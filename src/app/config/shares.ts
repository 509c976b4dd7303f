import { type Limits, limitOf, mapLimits } from '../../engine/limits/limits.ts'
import type { NetworkOptions } from '../../engine/network/networkOptions.ts'

const partOf = (value: number, count: number) => Math.ceil(value / count)

/** The limits of one of several processes, which together keep to those of the gateway. */
export const limitsOfOne = (limits: Limits, count: number): Limits =>
  mapLimits((name) => {
    const { isDivided, scope, min } = limitOf(name)
    const isShared = isDivided || scope === 'machine'
    return isShared ? Math.max(min, partOf(limits[name], count)) : limits[name]
  })

/** The services of one of several processes, each with its part of the requests that may be open at once. */
export function networkOfOne<T extends Pick<NetworkOptions, 'chains' | 'router' | 'prices'>>(
  network: T,
  count: number,
): T {
  const divide = <S extends { readonly maxRequests?: number | undefined }>(service: S): S => ({
    ...service,
    maxRequests: service.maxRequests && partOf(service.maxRequests, count),
  })
  const { chains, router, prices } = network
  return {
    ...network,
    chains: chains.map(divide),
    router: router && divide(router),
    prices: prices && divide(prices),
  }
}
