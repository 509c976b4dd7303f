import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { deriveKeys, madeKeyMessage } from '../../engine/signing/signer.ts'
import { type Log, openLog } from '../../engine/telemetry/log.ts'
import { openTracing } from '../../engine/telemetry/tracing/tracing.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../../gateway.ts'
import { systemClock } from '../../kit/clock/clock.ts'
import { packageVersion } from '../../kit/version.ts'
import { siteState } from '../../server/static/openSites.ts'
import type { Chains } from '../config/chains.ts'
import type { ServiceCommand } from '../config/commandLine.ts'
import { createRegistryReload, type RegistryReload } from '../config/registryReload.ts'
import { type Primary, startWorkers } from '../workers/primary.ts'
import { banner } from './banner.ts'
import type { CliIo } from './io.ts'
import { chainsOf, makeSandbox, type SandboxPlace, sandboxVariable, servicesOf } from './network.ts'
import { portOf } from './port.ts'

/** The contents of the files and URLs that settings name. */
interface ReadFiles {
  readonly chains: Chains
  readonly trustedDocuments: ReadonlyMap<string, string> | undefined
}

/** Serves the graph until the program should stop. */
export async function serve(
  command: ServiceCommand,
  { chains, trustedDocuments }: ReadFiles,
  io: CliIo,
): Promise<void> {
  const { settings, sandbox: isSandbox, warnings } = command
  const { logLevel: level, logFormat: format } = settings
  const { log: destination, isTerminal = false } = io
  const log = openLog(level, format, destination, isTerminal)
  // The primary says for its workers what concerns all of them.
  const { isWorker } = cluster
  for (const warning of isWorker ? [] : [...warnings, ...chains.warnings]) log.warn(warning)
  const sandbox = await makeSandbox(command, io.env[sandboxVariable])
  try {
    const network = servicesOf(command, chains, sandbox)
    // Most settings are options of the gateway, with the same names.
    const { redisUrl, redisPrefix: prefix } = settings
    const redis = redisUrl === undefined ? undefined : { url: redisUrl, prefix }
    const port = portOf(command)
    const sandboxControlUrl = sandbox?.controlUrl
    const parts = { isSandbox, sandboxControlUrl, log, trustedDocuments, redis }
    // The sandbox has just been started here.
    const options = { ...settings, ...network, port, ...parts, probeAtStart: !isSandbox }
    const workers = settings.workers === 'auto' ? availableParallelism() : settings.workers
    const warmUpMs = settings.warmUpMs ?? (isSandbox ? 0 : usualWarmUpMs)
    const gateway = await open(options, { workers, sandbox, warmUpMs }, io)
    // A signal may come as soon as the log says that it listens.
    const stopped = io.stopped()
    const started = {
      version: packageVersion(),
      url: gateway.url,
      isSandbox,
      workers,
      graphiql: settings.graphiql && !settings.trustedDocumentsOnly,
      explorer: siteState('explorer', settings),
      docs: siteState('docs', settings),
      chainIds: network.chains.map(({ chainId }) => chainId),
      hasRouter: network.router !== undefined,
    }
    if (isWorker) log.debug('a worker serves')
    else if (io.outIsTerminal) io.out(banner(started))
    else log.info({ ...started, metricsUrl: gateway.metricsUrl }, 'listening')
    const registry = 'reload' in gateway ? gateway : watchRegistry(command, gateway, chains, log)
    io.onHangup?.(async () => registry.reload())
    await stopped
    if (!isWorker) log.info('stopping')
    if ('stop' in registry) registry.stop()
    await gateway.close()
  } finally {
    await sandbox?.close()
  }
}

/** Milliseconds, at most, that it reads pages for itself before it listens. */
const usualWarmUpMs = 1_000

/** What a command starts a gateway with, beside its options. */
interface Start {
  readonly workers: number
  readonly sandbox: SandboxPlace | undefined
  readonly warmUpMs: number
}

/** Starts a gateway in this process, or in several workers, of which this process may be one. */
async function open(
  options: GatewayOptions & Required<Pick<GatewayOptions, 'host' | 'log'>>,
  { workers: count, sandbox, warmUpMs }: Start,
  { env }: CliIo,
): Promise<Gateway | Primary> {
  const { log, redis } = options
  if (cluster.isWorker || count === 1) {
    const tracing = await openTracing(env, log)
    if (count === 1) return createGateway({ ...options, tracing }, { server: { warmUpMs } })
    const { openWorker } = await import('../workers/worker.ts')
    return openWorker({ ...options, tracing }, { count, warmUpMs })
  }
  if (!redis) log.info(aloneMessage)
  const isKeyMade = !deriveKeys(options) && !redis
  if (isKeyMade) log.info(madeKeyMessage)
  const workerEnv = {
    ...(isKeyMade && { SIGNING_KEYS: randomBytes(32).toString('base64') }),
    ...(sandbox && { [sandboxVariable]: JSON.stringify(sandbox) }),
  }
  return startWorkers(count, workerEnv, options)
}

const aloneMessage =
  'No REDIS_URL: each worker polls for itself, and has its part of each limit. With Redis, workers share what they read and what clients may spend.'

/** Serves new chains of the registry as soon as it lists them. The chains of a sandbox stay the same. */
function watchRegistry(
  command: ServiceCommand,
  gateway: Pick<Gateway, 'updateChains'>,
  chains: Chains,
  log: Log,
): RegistryReload {
  let logged = new Set(chains.warnings)
  const serveLatest = async (problems: string[]) => {
    if (command.sandbox) problems.push('The chains of the sandbox stay the same.')
    const latest = await chainsOf(command, problems)
    if (problems.length > 0) return
    gateway.updateChains(servicesOf(command, latest, undefined))
    for (const warning of latest.warnings) if (!logged.has(warning)) log.warn(warning)
    logged = new Set(latest.warnings)
  }
  const { chainRegistry, limits } = command.settings
  const interval = chainRegistry && !command.sandbox ? limits.registryIntervalMs : 0
  return createRegistryReload(serveLatest, log, systemClock, interval)
}
