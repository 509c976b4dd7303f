import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { type DestinationStream, pino } from 'pino'
import { createMemoryCacheStore } from './cache/cache.ts'
import { systemClock } from './clock/clock.ts'
import { type Chains, readChains } from './config/chains.ts'
import { type Command, type Env, readCommand } from './config/commandLine.ts'
import { help } from './config/help.ts'
import { openNetwork } from './config/openNetwork.ts'
import type { ChainEntry } from './config/registry.ts'
import { defaultLimits } from './graphql/complexity.ts'
import { createPoller } from './polling/poller.ts'
import { sandboxChains } from './sandbox/chains.ts'
import { type Sandbox, startSandbox } from './sandbox/sandbox.ts'
import { schema } from './schema/schema.ts'
import { createMetrics } from './server/observability/metrics.ts'
import { startServer } from './server/server.ts'
import { createDispatcher } from './upstream/httpAgent.ts'
import type { Vm } from './upstream/network.ts'

/** The world a command runs in. */
export interface CliIo {
  readonly env: Env
  out(text: string): void
  err(text: string): void
  readonly log: DestinationStream
  /** Resolves when the program is asked to end. */
  stopped(): Promise<void>
}

type Serve = Extract<Command, { run: 'serve' | 'sandbox' }>

/** Runs a command line; gives the exit code: 2 for a faulty configuration, 1 when it could not start. */
export async function runCli(argv: readonly string[], terminal: CliIo): Promise<number> {
  const faults: string[] = []
  const command = readCommand(argv, terminal.env, faults)
  switch (command.run) {
    case 'help':
      terminal.out(help)
      return 0
    case 'version':
      terminal.out(`${version()}\n`)
      return 0
    case 'schema':
      if (faults.length > 0) return reportProblems(faults, terminal)
      terminal.out(`${printSchema(lexicographicSortSchema(schema))}\n`)
      return 0
  }
  const sandboxIds = sandboxChains.map(({ chainId }) => chainId)
  const chains = await readChains(command, { sandboxIds, readText, faults })
  if (faults.length > 0) return reportProblems(faults, terminal)
  try {
    await (command.run === 'serve'
      ? serve(command, chains, terminal)
      : runSandbox(command, terminal))
    return 0
  } catch (error) {
    terminal.err(`Portolan could not start: ${error instanceof Error ? error.message : error}\n`)
    return 1
  }
}

function reportProblems(faults: readonly string[], { err }: CliIo): number {
  err(`${faults.join('\n')}\n\nportolan --help tells what can be set.\n`)
  return 2
}

/** Serves the graph until the program is asked to end. */
async function serve({ settings, sandbox }: Serve, chains: Chains, terminal: CliIo) {
  const log = pino({ level: settings.logLevel }, terminal.log)
  for (const warning of chains.warnings) log.warn(warning)
  const metrics = createMetrics()
  const dispatcher = createDispatcher()
  const cache = createMemoryCacheStore(systemClock)
  const poller = createPoller({ cache })
  const simulated = sandbox ? await startSandbox() : undefined
  try {
    const found = simulated
      ? {
          chains: entriesOf(simulated),
          router: settings.routerUrl ?? serviceUrl(simulated.routerUrl),
        }
      : { chains: chains.entries, router: settings.routerUrl }
    const network = openNetwork(settings, found, { dispatcher, observe: metrics.onUpstream })
    const { host, port = 4000, graphiql, introspection, allowedOrigins } = settings
    const server = await startServer({
      ...{ schema, network, cache, poller, limits: defaultLimits, log, metrics },
      ...{ host, port, graphiql, introspection, allowedOrigins },
    })
    const services = found.chains.map(({ chainId, target }) => `  ${chainId} at ${target.url}`)
    if (found.router) services.push(`  the router at ${found.router.url}`)
    terminal.out(`Portolan serves${sandbox ? ' the sandbox' : ''}\n${services.join('\n')}\n`)
    terminal.out(`${graphiql ? 'GraphiQL' : 'GraphQL'}: ${reachable(server.url)}\n`)
    await terminal.stopped()
    log.info('closing')
    await server.close()
  } finally {
    poller.close()
    await dispatcher.destroy()
    await simulated?.close()
  }
}

/** Runs the sandbox until the program is asked to end. */
async function runSandbox({ settings }: Serve, { out, stopped }: CliIo) {
  const { host, port = 4100 } = settings
  const sandbox = await startSandbox({ host, port })
  const indexers = sandbox.indexers.map(({ chainId, url }) => `${chainId}=${reachable(url)}`)
  const kinds = sandbox.indexers.map(({ chainId, vm }) => `${chainId}=${vm}`)
  out('A gateway serves this network with\n\n')
  out(`INDEXERS=${indexers.join(',')}\n`)
  out(`ROUTER_URL=${reachable(sandbox.routerUrl)}\n`)
  out(`VM_KINDS=${kinds.join(',')}\n`)
  await stopped()
  await sandbox.close()
}

const vms: Record<Sandbox['indexers'][number]['vm'], Vm> = {
  evm: 'EVM',
  move: 'MOVE',
  wasm: 'WASM',
}

const entriesOf = ({ indexers }: Sandbox): ChainEntry[] =>
  indexers.map(({ chainId, vm, url, prettyName, bech32Prefix }) => ({
    chainId,
    name: prettyName,
    vm: vms[vm],
    bech32Prefix,
    logoUrl: undefined,
    explorers: [],
    feeDenoms: sandboxChains.filter((one) => one.chainId === chainId).map(({ denom }) => denom),
    target: serviceUrl(url),
  }))

const serviceUrl = (url: string) => ({ url, headers: {} })

/** The URL as it can be opened on this machine: one listens on all addresses, but goes to one. */
const reachable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1')

async function readText(source: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(source, 'utf8')
  const response = await fetch(source, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`it answered ${response.status}`)
  return response.text()
}

function version(): string {
  const file = new URL('../package.json', import.meta.url)
  return String(JSON.parse(readFileSync(file, 'utf8')).version)
}
