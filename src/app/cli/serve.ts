import { type Log, openLog } from '../../engine/telemetry/log.ts'
import { openTracing } from '../../engine/telemetry/tracing/tracing.ts'
import { createGateway, type Gateway } from '../../gateway.ts'
import { systemClock } from '../../kit/clock/clock.ts'
import { packageVersion } from '../../kit/version.ts'
import { siteState } from '../../server/static/openSites.ts'
import type { Chains } from '../config/chains.ts'
import type { ServiceCommand } from '../config/commandLine.ts'
import { createRegistryReload, type RegistryReload } from '../config/registryReload.ts'
import { banner } from './banner.ts'
import type { CliIo } from './io.ts'
import { chainsOf, makeSandbox, servicesOf } from './network.ts'
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
  const { log: destination, isTerminal = false } = io
  const log = openLog(settings.logLevel, destination, isTerminal)
  for (const warning of [...warnings, ...chains.warnings]) log.warn(warning)
  const sandbox = await makeSandbox(command)
  try {
    const network = servicesOf(command, chains, sandbox)
    // Most settings are options of the gateway, with the same names.
    const { redisUrl, redisPrefix: prefix } = settings
    const redis = redisUrl === undefined ? undefined : { url: redisUrl, prefix }
    const port = portOf(command)
    const sandboxControlUrl = sandbox?.controlUrl
    const sites = { ...settings.pages, trustedDocumentsOnly: settings.trustedDocumentsOnly }
    const parts = {
      ...sites,
      rateLimit: settings.rateLimit?.everyone,
      apiKeyRateLimits: settings.rateLimit?.byKey,
      isSandbox,
      sandboxControlUrl,
      log,
      trustedDocuments,
      redis,
      tracing: await openTracing(io.env, log),
    }
    // The sandbox has just been started here.
    const options = { ...settings, ...network, port, ...parts, probeAtStart: !isSandbox }
    const gateway = await createGateway(options)
    // A signal may come as soon as the log says that it listens.
    const stopped = io.stopped()
    const started = {
      version: packageVersion(),
      url: gateway.url,
      isSandbox,
      graphiql: sites.graphiql && !sites.trustedDocumentsOnly,
      explorer: siteState('explorer', sites),
      docs: siteState('docs', sites),
      chainIds: network.chains.map(({ chainId }) => chainId),
      hasRouter: network.router !== undefined,
    }
    if (io.outIsTerminal) io.out(banner(started))
    else log.info({ ...started, metricsUrl: gateway.metricsUrl }, 'listening')
    const registry = watchRegistry(command, gateway, chains, log)
    io.onHangup?.(async () => registry.reload())
    await stopped
    log.info('stopping')
    registry.stop()
    await gateway.close()
  } finally {
    await sandbox?.close()
  }
}

/** A new chain is served after ten minutes at most. SIGHUP reads the registry at once. */
const registryIntervalMs = 10 * 60_000

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
  const { chainRegistry } = command.settings
  const interval = chainRegistry && !command.sandbox ? registryIntervalMs : 0
  return createRegistryReload(serveLatest, log, systemClock, interval)
}
