import type { Sandbox } from '#sandbox/sandbox'
import { type Log, openLog } from '../../engine/telemetry/log.ts'
import { openTracing } from '../../engine/telemetry/tracing/tracing.ts'
import { type ChangeableOptions, createGateway, type Gateway } from '../../gateway.ts'
import { systemClock } from '../../kit/clock/clock.ts'
import { packageVersion } from '../../kit/version.ts'
import { siteState } from '../../server/static/openSites.ts'
import { type Configuration, changesOf } from '../config/changes.ts'
import { createRegistryReload, type RegistryReload } from '../config/registryReload.ts'
import { banner } from './banner.ts'
import type { CliIo } from './io.ts'
import { chainsOf, makeSandbox, servicesOf } from './network.ts'
import { portOf } from './port.ts'

/** Reads the configuration again. Adds a sentence for each fault, and is undefined where it cannot be read on. */
export type ReadAgain = (problems: string[]) => Promise<Configuration | undefined>

/** Serves the graph until the program should stop. */
export async function serve(configuration: Configuration, io: CliIo, readAgain: ReadAgain): Promise<void> {
  const { command, chains } = configuration
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
    const parts = { ...sites, isSandbox, sandboxControlUrl, log, redis, tracing: await openTracing(io.env, log) }
    // The sandbox has just been started here.
    const options = { ...settings, ...changeableOptions(configuration, sandbox), port, ...parts }
    const gateway = await createGateway({ ...options, probeAtStart: !isSandbox })
    // A signal may come as soon as the log says that it listens.
    const stopped = io.stopped()
    const reload = watchConfiguration({ configuration, sandbox, gateway, log, readAgain })
    io.onHangup?.(reload.reload)
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
    await stopped
    log.info('stopping')
    reload.stop()
    await gateway.close()
  } finally {
    await sandbox?.close()
  }
}

/** The options of the gateway that it can change while it serves. Other settings have the names of options. */
const changeableOptions = ({ command, chains, trustedDocuments }: Configuration, sandbox: Sandbox | undefined) =>
  ({
    ...servicesOf(command, chains, sandbox),
    apiKeys: command.settings.apiKeys,
    requireApiKey: command.settings.requireApiKey,
    rateLimit: command.settings.rateLimit?.everyone,
    apiKeyRateLimits: command.settings.rateLimit?.byKey,
    trustedDocuments,
  }) satisfies ChangeableOptions

/** A new chain is served after ten minutes at most. SIGHUP reads the registry at once. */
const registryIntervalMs = 10 * 60_000

/** What is needed to change what a gateway serves. */
interface Watched {
  readonly configuration: Configuration
  readonly sandbox: Sandbox | undefined
  readonly gateway: Pick<Gateway, 'update' | 'updateChains'>
  readonly log: Log
  readonly readAgain: ReadAgain
}

/**
 * Serves new chains of the registry as soon as it lists them, and at SIGHUP what the settings say now. All is changed or, with
 * a fault, nothing.
 */
function watchConfiguration({ configuration, sandbox, gateway, log, readAgain }: Watched): RegistryReload {
  const started = configuration.command
  let current = configuration
  let logged = new Set(current.chains.warnings)
  const warn = (warnings: readonly string[]) => {
    for (const warning of warnings) if (!logged.has(warning)) log.warn(warning)
    logged = new Set(warnings)
  }
  const serveLatest = async (problems: string[]) => {
    const chains = await chainsOf(current.command, problems)
    if (problems.length > 0) return
    gateway.updateChains(servicesOf(current.command, chains, sandbox))
    current = { ...current, chains }
    warn(chains.warnings)
  }
  const serveAll = async (problems: string[]) => {
    const next = await readAgain(problems)
    if (!next || problems.length > 0) return
    if (next.command.sandbox !== started.sandbox) {
      problems.push('The sandbox is served in place of configured chains, or no longer: that needs a restart.')
      return
    }
    gateway.update(changeableOptions(next, sandbox))
    const { changed, late } = changesOf(current, next, started.settings)
    log.info({ changed }, 'the settings were read again')
    if (late.length > 0) log.warn({ settings: late }, 'settings were changed, but need a restart')
    current = next
    warn([...next.command.warnings, ...next.chains.warnings])
  }
  const interval = () => (current.command.settings.chainRegistry && !started.sandbox ? registryIntervalMs : 0)
  return createRegistryReload({ serveLatest, serveAll }, log, systemClock, interval)
}
