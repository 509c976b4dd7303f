import { type SandboxChain, sandboxChains, type Vm } from './chains.ts'
import { createControl } from './control.ts'
import { createFaults, type Faults } from './faults.ts'
import { type Handler, type Service, startService } from './http.ts'
import { createIndexer } from './indexer/indexer.ts'
import { oddChain } from './odd/oddChains.ts'
import { withOddReplies } from './odd/oddRouter.ts'
import { prepareAccounts } from './prepare.ts'
import { createPrices } from './prices.ts'
import { sandboxSide } from './router/chains.ts'
import { createRouter } from './router/router.ts'
import { findConnections, type SandboxConnections } from './world/stories/connections.ts'
import { createWorld, type World } from './world/world.ts'

export type { Quirks, SandboxChain, Vm } from './chains.ts'
export type { Fault, Faults } from './faults.ts'

/** How to start a sandbox. Every option has a default. */
export interface SandboxOptions {
  /** Determines every record. Equal seeds give equal networks. Default: `portolan`. */
  readonly seed?: string
  /**
   * The current time, in milliseconds since 1970. Chains grow and transfers advance as it moves, so a
   * test that supplies its own clock decides when both happen. It must not go back.
   * Default: `Date.now`.
   */
  readonly clock?: () => number
  /**
   * Port of the first chain. The other chains take the ports after it, in order, then the router, the control, and
   * last the service of prices. Default: 0, a free port for each.
   */
  readonly port?: number
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /**
   * The chains to simulate, at least one. Default: `harbor-1` (Move, the hub), `galley-1` (EVM) and
   * `lantern-1` (Wasm).
   */
  readonly chains?: readonly SandboxChain[]
  /**
   * Whether the services are as odd as real ones can be: records that cannot be read, missing heights,
   * burns between pages, ids that are hard to put in a path, refusals in many words. Default: false, with
   * some of each that hurts nobody.
   */
  readonly odd?: boolean
  /**
   * Whether a transfer of a hash that no chain has begins again when it is tracked, once it has ended or nobody watches
   * it, so that everybody sees it move. A gateway over it needs `isSandbox`: it tracks at the start of each watch, and keeps no end. Default: false.
   */
  readonly transfersBeginAnew?: boolean
  /**
   * Whether it reads whom its transactions name once it listens, which takes some seconds of work in small parts. Without it, the
   * first request for an account that few transactions name takes a second. Default: false.
   */
  readonly preparesAccounts?: boolean
  /**
   * The records of a sandbox that was started before, in place of `seed`, `chains` and `odd`. Both share what they have computed, so
   * that tests which start a sandbox each need not compute it again.
   */
  readonly records?: SandboxRecords
}

/** The chains of a sandbox, whatever the time is. */
export interface SandboxRecords {
  readonly seed: string
  readonly odd: boolean
  readonly worlds: readonly World[]
}

/** The indexer of one chain. A gateway takes these as its chains. */
export interface SandboxIndexer extends SandboxConnections {
  readonly chainId: string
  readonly url: string
  readonly name: string
  readonly prettyName: string
  readonly vm: Vm
  readonly bech32Prefix: string
  /** Denoms that pay fees, with their gas prices. */
  readonly feeAssets: readonly SandboxFeeAsset[]
}

/** A denom that pays fees. Prices are in base units for one unit of gas. */
export interface SandboxFeeAsset {
  readonly denom: string
  readonly low: string
  readonly average: string
  readonly high: string
}

/** A running sandbox. `await using` closes it at the end of the scope. */
export interface Sandbox extends AsyncDisposable {
  /** One for each chain, in the order of the chains. */
  readonly indexers: readonly SandboxIndexer[]
  readonly routerUrl: string
  /** The service of past prices by CoinGecko id. */
  readonly pricesUrl: string
  /** The account, in 0x form, whose coins go between the chains in every way. It has the same address on each chain. */
  readonly traveller: string
  /**
   * The requests received, oldest first, each as `service METHOD target`. The service is a chain id,
   * `router` or `prices`. At most the latest 20,000 are kept. Set `length = 0` to empty it.
   */
  readonly requests: string[]
  /** Replaces responses by delays, errors and broken connections. */
  readonly faults: Faults
  /** Its chains, for another sandbox. */
  readonly records: SandboxRecords
  /** Where the services are broken and mended over HTTP, on this machine only. */
  readonly controlUrl: string
  /** Stops all servers and destroys their open connections. Can be called more than once. */
  close(): Promise<void>
}

/**
 * Starts one indexer for each chain, a router over all of them and a service of prices, on HTTP.
 * @throws Error if a port is in use.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { clock = Date.now, port = 0, host = '127.0.0.1' } = options
  const { transfersBeginAnew = false, preparesAccounts = false } = options
  const records = options.records ?? createRecords(options)
  const { seed, odd } = records
  const worlds = records.worlds.map((world) => world.withClock(clock))
  const network = worlds.map(({ chain }) => chain)
  const requests: string[] = []
  const faults = createFaults()
  const names = network.map(({ chainId }) => chainId)
  const services: Service[] = []
  const control = createControl({ faults, services: () => [...names, 'router', 'prices'] })
  let stopPreparing = () => {}
  const close = async () => {
    stopPreparing()
    control.close()
    await Promise.all(services.map((service) => service.close()))
  }
  const start = async (name: string, handler: Handler) => {
    const servicePort = port === 0 ? 0 : port + services.length
    const service = await startService({ name, host, port: servicePort, handler, requests, faults })
    services.push(service)
    return service.url
  }

  try {
    const indexers: SandboxIndexer[] = []
    for (const world of worlds) {
      const { chainId, prettyName, vm, bech32Prefix, denom } = world.chain
      const url = await start(chainId, createIndexer(world))
      const name = prettyName.toLowerCase()
      const feeAssets = [{ denom, ...sandboxSide(world.chain).gasPrice }]
      const connections = findConnections(world.chain, network)
      indexers.push({ chainId, url, name, prettyName, vm, bech32Prefix, feeAssets, ...connections })
    }
    const router = createRouter({
      worlds,
      clock,
      seed,
      successStatus: odd ? 201 : 200,
      isRestartable: transfersBeginAnew,
    })
    const routerUrl = await start('router', odd ? withOddReplies(router) : router)
    const controlService = await startService({
      name: 'control',
      host: '127.0.0.1',
      port: port === 0 ? 0 : port + services.length,
      handler: control.handler,
      requests: [],
      faults: createFaults(),
    })
    services.push(controlService)
    const controlUrl = controlService.url
    const pricesUrl = await start('prices', createPrices({ seed, clock }))
    if (preparesAccounts) stopPreparing = prepareAccounts(worlds)
    return {
      indexers,
      routerUrl,
      pricesUrl,
      records,
      traveller: worlds[0]?.fixtures.traveller.hex ?? '',
      controlUrl,
      requests,
      faults,
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function createRecords({ seed = 'portolan', odd = false, chains = sandboxChains }: SandboxOptions): SandboxRecords {
  const given = odd ? chains.map(oddChain) : chains
  return { seed, odd, worlds: given.map((chain) => createWorld(chain, seed, Date.now, given)) }
}
