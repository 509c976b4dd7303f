import { availableParallelism } from 'node:os'
import { siteState } from '../builtSites.ts'
import type { Chains } from '../config/chains.ts'
import type { ServiceCommand } from '../config/commandLine.ts'
import { createRegistryReload, type RegistryReload } from '../config/registryReload.ts'
import { createGateway } from '../gateway.ts'
import { systemClock } from '../kit/clock/clock.ts'
import type { Log } from '../telemetry/log.ts'
import { openLog } from '../telemetry/openLog.ts'
import { openTracing } from '../telemetry/tracing/openTracing.ts'
import { packageVersion } from '../version.ts'
import type { Served, ServeOptions } from '../workers/serveWorkers.ts'
import { banner } from './banner.ts'
import type { CliIo } from './io.ts'
import { chainsOf, sandboxOf, servicesOf } from './network.ts'
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
  const log = openLog({ level, format, destination, isTerminal })
  for (const warning of [...warnings, ...chains.warnings]) log.warn(warning)
  const sandbox = await sandboxOf(command)
  try {
    const network = servicesOf(command, chains, sandbox)
    // Most settings are options of the gateway, with the same names.
    const { redisUrl, redisPrefix: prefix, redisRecords: records } = settings
    const redis = redisUrl === undefined ? undefined : { url: redisUrl, prefix, records }
    const port = portOf(command)
    const sandboxControlUrl = sandbox?.controlUrl
    const parts = { isSandbox, sandboxControlUrl, log, trustedDocuments, redis }
    // The sandbox has just been started here.
    const options = { ...settings, ...network, port, ...parts, probeAtStart: !isSandbox }
    const workers = settings.workers === 'auto' ? availableParallelism() : settings.workers
    const gateway = await open(options, workers, io)
    const started = {
      ...{ version: packageVersion(), url: gateway.url, isSandbox, workers },
      graphiql: settings.graphiql && !settings.trustedDocumentsOnly,
      explorer: siteState('explorer', settings),
      docs: siteState('docs', settings),
      chainIds: network.chains.map(({ chainId }) => chainId),
      hasRouter: network.router !== undefined,
    }
    if (io.outIsTerminal) io.out(banner(started))
    else log.info({ ...started, metricsUrl: gateway.metricsUrl }, 'listening')
    const registry = watchRegistry(command, { gateway, log, chains })
    io.onHangup?.(() => registry.reload())
    await io.stopped()
    log.info('stopping')
    registry.stop()
    await gateway.close()
  } finally {
    await sandbox?.close()
  }
}

/** Starts a gateway in this process, or the same in several workers. */
async function open(options: ServeOptions, workers: number, { env }: CliIo): Promise<Served> {
  if (workers === 1) {
    return createGateway({ ...options, tracing: await openTracing(env, options.log) })
  }
  // Most gateways are one process, and need none of this.
  const { serveWorkers } = await import('../workers/serveWorkers.ts')
  return serveWorkers(options, workers)
}

/** Serves new chains of the registry as soon as it lists them. The chains of a sandbox stay the same. */
function watchRegistry(
  command: ServiceCommand,
  {
    gateway,
    log,
    chains,
  }: { readonly gateway: Served; readonly log: Log; readonly chains: Chains },
): RegistryReload {
  let logged = new Set(chains.warnings)
  return createRegistryReload({
    async read(problems) {
      if (command.sandbox) problems.push('The chains of the sandbox stay the same.')
      return chainsOf(command, problems)
    },
    apply(latest) {
      gateway.updateChains(servicesOf(command, latest, undefined))
      for (const warning of latest.warnings) if (!logged.has(warning)) log.warn(warning)
      logged = new Set(latest.warnings)
    },
    log,
    after: systemClock.after,
    interval:
      command.settings.chainRegistry && !command.sandbox
        ? command.settings.limits.registryIntervalMs
        : 0,
  })
}
