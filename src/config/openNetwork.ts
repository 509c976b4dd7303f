import { createUpstream, type UpstreamOptions } from '../upstream/client.ts'
import type { Network, ServedChain } from '../upstream/network.ts'
import type { ServiceUrl } from './parsers.ts'
import type { ChainEntry } from './registry.ts'
import type { Settings } from './settings.ts'

/** Requests to the router at once: as many as polls may take, and as many again for queries. */
const routerConcurrency = 64

/** Opens the clients of all that is served. Throws when there is no chain. */
export function openNetwork(
  settings: Pick<Settings, 'defaultChain' | 'vmKinds' | 'upstreamHeaders'>,
  found: { readonly chains: readonly ChainEntry[]; readonly router: ServiceUrl | undefined },
  shared: Pick<UpstreamOptions, 'dispatcher' | 'observe'>,
): Network {
  const open = (service: string, { url, headers }: ServiceUrl, concurrency?: number) =>
    createUpstream({
      ...shared,
      ...(concurrency && { concurrency }),
      service,
      url,
      headers: { ...headers, ...settings.upstreamHeaders?.[service] },
    })
  const chains = new Map<string, ServedChain>()
  for (const { target, ...chain } of found.chains) {
    const vm = settings.vmKinds?.get(chain.chainId) ?? chain.vm
    chains.set(chain.chainId, { ...chain, vm, indexer: open(chain.chainId, target) })
  }
  const [first] = chains.values()
  const defaultChain = chains.get(settings.defaultChain ?? '') ?? first
  if (!defaultChain) throw new Error('there is no chain to serve')
  return {
    chains,
    defaultChain,
    router: found.router && open('router', found.router, routerConcurrency),
  }
}
