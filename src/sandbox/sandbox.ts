import { type SandboxChain, sandboxChains, type Vm } from './chains.ts'
import { createFaults, type Faults } from './faults.ts'
import { type Handler, type Service, startService } from './http.ts'
import { createIndexer } from './indexer/indexer.ts'
import { createRouter } from './router/router.ts'
import { createWorld } from './world/world.ts'

/** How to run the sandbox. */
export interface SandboxOptions {
  /** Default 'portolan'; equal seeds give equal networks. */
  readonly seed?: string
  /** Unix milliseconds; blocks exist as it reaches them. Default `Date.now`. */
  readonly clock?: () => number
  /** The first chain's port; the others and then the router follow. Default 0: any free ones. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  readonly chains?: readonly SandboxChain[]
}

/** The indexer of one chain. A gateway takes these as its chains. */
export interface SandboxIndexer {
  readonly chainId: string
  readonly url: string
  readonly name: string
  readonly vm: Vm
  readonly bech32Prefix: string
  /** Base denoms that pay fees. */
  readonly feeDenoms: readonly string[]
}

/** A running sandbox. */
export interface Sandbox {
  readonly indexers: readonly SandboxIndexer[]
  readonly routerUrl: string
  /** The latest requests, as `service METHOD target`; the service is a chain id or `router`. Empty it at will. */
  readonly requests: string[]
  readonly faults: Faults
  /** Stops all servers, cutting what is still open. */
  close(): Promise<void>
}

/** Starts one indexer per chain and a router over them all. Rejects when a port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed = 'portolan', clock = Date.now, port = 0, host = '127.0.0.1' } = options
  const worlds = (options.chains ?? sandboxChains).map((chain) => createWorld(chain, seed, clock))
  const requests: string[] = []
  const faults = createFaults()
  const services: Service[] = []
  const close = async () => {
    await Promise.all(services.map((service) => service.close()))
  }
  const start = async (name: string, handler: Handler) => {
    const own = port === 0 ? 0 : port + services.length
    const service = await startService({ name, host, port: own, handler, requests, faults })
    services.push(service)
    return service.url
  }

  try {
    const indexers: SandboxIndexer[] = []
    for (const world of worlds) {
      const { chainId, prettyName: name, vm, bech32Prefix, denom } = world.chain
      const url = await start(chainId, createIndexer(world))
      indexers.push({ chainId, url, name, vm, bech32Prefix, feeDenoms: [denom] })
    }
    const routerUrl = await start('router', createRouter({ worlds, clock, seed }))
    return { indexers, routerUrl, requests, faults, close }
  } catch (error) {
    await close()
    throw error
  }
}
