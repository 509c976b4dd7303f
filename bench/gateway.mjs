import { pino } from 'pino'
import { createMemoryCacheStore } from '../dist/cache/cache.js'
import { systemClock } from '../dist/clock/clock.js'
import { defaultLimits } from '../dist/graphql/complexity.js'
import { createPoller } from '../dist/polling/poller.js'
import { schema } from '../dist/schema/schema.js'
import { startServer } from '../dist/server/server.js'
import { createUpstream } from '../dist/upstream/client.js'
import { createDispatcher } from '../dist/upstream/httpAgent.js'

/** Starts a gateway over a sandbox's services on a free port of loopback. */
export async function startGateway({ indexers, routerUrl }) {
  const dispatcher = createDispatcher()
  const open = (service, url) => createUpstream({ service, url, dispatcher })
  const chains = indexers.map(({ chainId, vm, url, prettyName, bech32Prefix }) => ({
    chainId,
    name: prettyName,
    vm: vm.toUpperCase(),
    bech32Prefix,
    logoUrl: undefined,
    explorers: [],
    feeDenoms: [],
    indexer: open(chainId, url),
  }))
  const cache = createMemoryCacheStore(systemClock)
  const poller = createPoller({ cache })
  const server = await startServer({
    schema,
    network: {
      chains: new Map(chains.map((chain) => [chain.chainId, chain])),
      defaultChain: chains[0],
      router: open('router', routerUrl),
    },
    cache,
    poller,
    limits: defaultLimits,
    host: '127.0.0.1',
    port: 0,
    log: pino({ level: 'error' }),
    graphiql: false,
    introspection: false,
    allowedOrigins: '*',
    grace: 500,
  })
  return {
    url: server.url,
    async close() {
      poller.close()
      await server.close()
      await dispatcher.destroy()
    },
  }
}
