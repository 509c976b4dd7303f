import { createFaults } from '../../packages/sandbox/src/faults.ts'
import { type Handler, startService } from '../../packages/sandbox/src/http.ts'
import { createIndexer } from '../../packages/sandbox/src/indexer/indexer.ts'
import { createRouter } from '../../packages/sandbox/src/router/router.ts'
import { createWorld } from '../../packages/sandbox/src/world/world.ts'
import { youngChains } from './world.ts'

/** How much later than its block an indexer has each kind of record, in milliseconds. */
export interface Lags {
  readonly transactions: number
  readonly evm: number
}

/** A router and the indexer of the EVM chain, which has blocks before it has their transactions. */
export interface LaggingNetwork extends AsyncDisposable {
  readonly indexerUrl: string
  readonly routerUrl: string
  /** Hash of the first transaction and of the first EVM transaction in a block that has one. */
  hashesAt(height: number): { native: string; evm: string } | undefined
}

/** Starts both on free ports. `clock` is in milliseconds since 1970. */
export async function startLaggingNetwork(clock: () => number, lags: Lags): Promise<LaggingNetwork> {
  const seed = 'portolan'
  const chains = youngChains(60)
  const worlds = chains.map((chain) => createWorld(chain, seed, clock))
  const chain = chains.find(({ vm }) => vm === 'evm')
  if (!chain) throw new Error('no EVM chain')
  const lagging = (lag: number) => createIndexer(createWorld(chain, seed, () => clock() - lag))
  const [blocks, transactions, evm] = [0, lags.transactions, lags.evm].map(lagging)
  const indexer: Handler = (request) => {
    const part = request.path.startsWith('/indexer/tx/v1/evm-')
      ? evm
      : /\/txs(\/|$)/.test(request.path)
        ? transactions
        : blocks
    if (!part) throw new Error('no indexer')
    return part(request)
  }
  const start = (name: string, handler: Handler) =>
    startService({
      ...{ name, handler, requests: [], faults: createFaults() },
      ...{ host: '127.0.0.1', port: 0 },
    })
  const services = [
    await start(chain.chainId, indexer),
    await start('router', createRouter({ worlds, clock, seed })),
  ] as const
  const all = createWorld(chain, seed, () => Number.MAX_SAFE_INTEGER)
  return {
    indexerUrl: services[0].url,
    routerUrl: services[1].url,
    hashesAt(height) {
      const native = all.transactionsAt(height)
      const wrapping = native.find(({ evmHash }) => evmHash)
      return wrapping?.evmHash && native[0] ? { native: native[0].hash, evm: wrapping.evmHash } : undefined
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(services.map((service) => service.close()))
    },
  }
}
