import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { lexicographicSortSchema, printSchema } from 'graphql'
import type { DestinationStream } from 'pino'
import { banner, reachable } from './banner.ts'
import { systemClock } from './clock/clock.ts'
import { type Chains, networkOptions, readChains } from './config/chains.ts'
import { readCommand, type ServiceCommand } from './config/commandLine.ts'
import { help } from './config/help.ts'
import type { NetworkOptions } from './config/openNetwork.ts'
import type { Env } from './config/readSettings.ts'
import { createRegistryReload } from './config/registryReload.ts'
import { readTrustedDocuments } from './config/trustedDocuments.ts'
import { reportText, works } from './doctor/report.ts'
import { createGateway } from './gateway.ts'
import { runDoctor } from './runDoctor.ts'
import { sandboxChains } from './sandbox/chains.ts'
import { type Sandbox, startSandbox } from './sandbox/sandbox.ts'
import { schema } from './schema/schema.ts'
import type { Served, ServeOptions } from './served.ts'
import { openLog } from './server/observability/openLog.ts'
import { openTracing } from './server/observability/tracing/openTracing.ts'
import { packageVersion } from './version.ts'

/** The surroundings of a command: its environment, its streams, and the signal to stop. */
export interface CliIo {
  readonly env: Env
  out(text: string): void
  err(text: string): void
  /** Whether a person reads `out`. Otherwise the log says where the gateway listens. */
  readonly outIsTerminal: boolean
  readonly log: DestinationStream
  /** Whether people read the log as it is written. */
  readonly isTerminal?: boolean
  /** Resolves when the program should stop. */
  stopped(): Promise<void>
  /** Takes the function to call when the program should read its chains again. */
  onHangup?(run: () => Promise<void>): void
}

const sandboxIds = sandboxChains.map(({ chainId }) => chainId)

const defaultPorts = { serve: 4000, sandbox: 4100, doctor: 0 }

/** Runs a command line. Resolves to the exit code: 2 for a faulty configuration, 1 if it could not start. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const problems: string[] = []
  const command = readCommand(argv, {
    env: io.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    problems,
  })
  switch (command.run) {
    case 'help':
      io.out(help)
      return 0
    case 'version':
      io.out(`${packageVersion()}\n`)
      return 0
    case 'schema':
      if (problems.length > 0) return reportProblems(problems, io)
      io.out(`${printSchema(lexicographicSortSchema(schema))}\n`)
      return 0
  }
  const chains = await readChains(command, { sandboxIds, readText, problems })
  const trustedDocuments = await readTrustedDocuments(command.settings, { readText, problems })
  if (problems.length > 0) return reportProblems([...problems, ...command.warnings], io)
  try {
    switch (command.run) {
      case 'serve':
        await serve(command, { chains, trustedDocuments }, io)
        return 0
      case 'sandbox':
        await runSandbox(command, io)
        return 0
      case 'doctor':
        return await doctor(command, chains, io)
    }
  } catch (error) {
    io.err(`Portolan could not start: ${startProblem(error, command)}\n`)
    return 1
  }
}

function reportProblems(problems: readonly string[], { err }: CliIo): number {
  err(`${problems.join('\n')}\n\nRun portolan --help for options.\n`)
  return 2
}

/** The services of the configuration, or of a sandbox that is started for them. */
function servicesOf(
  { settings }: ServiceCommand,
  chains: Chains,
  sandbox: Sandbox | undefined,
): NetworkOptions {
  return networkOptions(settings, {
    chains: sandbox?.indexers ?? chains.entries,
    listed: chains.listed,
    router: settings.routerUrl ?? (sandbox && { url: sandbox.routerUrl }),
  })
}

/** Starts the sandbox, if it is the network of the command. */
async function sandboxOf({ settings, sandbox }: ServiceCommand): Promise<Sandbox | undefined> {
  return sandbox ? startSandbox({ odd: settings.sandboxOdd }) : undefined
}

/** Examines the services, and prints the findings. */
async function doctor(command: ServiceCommand, chains: Chains, io: CliIo): Promise<number> {
  const sandbox = await sandboxOf(command)
  try {
    const network = servicesOf(command, chains, sandbox)
    const { limits, redisUrl, redisPrefix: prefix } = command.settings
    const redis = redisUrl === undefined ? undefined : { url: redisUrl, prefix }
    const reports = await runDoctor(network, limits, redis)
    io.out(command.json ? `${JSON.stringify(reports, null, 2)}\n` : reportText(reports))
    return works(reports) ? 0 : 1
  } finally {
    await sandbox?.close()
  }
}

/** What the files and URLs that settings name contain. */
interface ReadFiles {
  readonly chains: Chains
  readonly trustedDocuments: ReadonlyMap<string, string> | undefined
}

/** Serves the graph until the program should stop. */
async function serve(command: ServiceCommand, { chains, trustedDocuments }: ReadFiles, io: CliIo) {
  const { settings, sandbox: isSandbox, warnings } = command
  const { logLevel: level, logFormat: format } = settings
  const { log: destination, isTerminal = false } = io
  const log = await openLog({ level, format, destination, isTerminal })
  for (const warning of [...warnings, ...chains.warnings]) log.warn(warning)
  const sandbox = await sandboxOf(command)
  try {
    const network = servicesOf(command, chains, sandbox)
    const { port = defaultPorts.serve, graphiql } = settings
    // Most settings are options of the gateway, with the same names.
    const { redisUrl, redisPrefix: prefix, redisRecords: records } = settings
    const redis = redisUrl === undefined ? undefined : { url: redisUrl, prefix, records }
    const options = { ...settings, ...network, port, isSandbox, log, trustedDocuments, redis }
    const workers = settings.workers === 'auto' ? availableParallelism() : settings.workers
    const gateway = await open(options, workers, io)
    const started = {
      ...{ version: packageVersion(), url: gateway.url, isSandbox },
      graphiql: graphiql && !settings.trustedDocumentsOnly,
      chainIds: network.chains.map(({ chainId }) => chainId),
      hasRouter: network.router !== undefined,
      workers,
    }
    if (io.outIsTerminal) io.out(banner(started))
    else log.info({ ...started, metricsUrl: gateway.metricsUrl }, 'listening')
    const registry = createRegistryReload({
      read: (problems) => readAgain(command, problems),
      apply: (latest) => gateway.updateChains(servicesOf(command, latest, undefined)),
      log,
      after: systemClock.after,
      interval: settings.chainRegistry && !isSandbox ? settings.limits.registryIntervalMs : 0,
    })
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
  const { serveWorkers } = await import('./serveWorkers.ts')
  return serveWorkers(options, workers)
}

/** The chains of the configuration as they are now. Those of a sandbox stay the same. */
async function readAgain(command: ServiceCommand, problems: string[]): Promise<Chains> {
  if (command.sandbox) problems.push('The chains of the sandbox stay the same.')
  return readChains(command, { sandboxIds, readText, problems })
}

/** Runs the sandbox until the program should stop. */
async function runSandbox({ settings }: ServiceCommand, { out, stopped }: CliIo) {
  const { host, port = defaultPorts.sandbox, sandboxOdd: odd } = settings
  const sandbox = await startSandbox({ host, port, odd })
  const indexers = sandbox.indexers.map(({ chainId, url }) => `${chainId}=${reachable(url)}`)
  const kinds = sandbox.indexers.map(({ chainId, vm }) => `${chainId}=${vm}`)
  out('To serve this network, start a gateway with\n\n')
  out(`INDEXERS=${indexers.join(',')}\n`)
  out(`ROUTER_URL=${reachable(sandbox.routerUrl)}\n`)
  out(`VM_KINDS=${kinds.join(',')}\n`)
  await stopped()
  await sandbox.close()
}

/** Why it could not start, and what to do about it. */
function startProblem(error: unknown, { run, settings }: ServiceCommand): string {
  const { host, port } = settings
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  const place = `port ${port ?? defaultPorts[run]} of ${host}`
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use. Set PORT or --port to another one, or to 0 for any that is free.`
    case 'EACCES':
      return `this user may not listen on ${place}. Set PORT or --port to 1024 or higher.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set HOST or --host, for example to 0.0.0.0.`
  }
  return error.message
}

/** Reads a file or URL. A URL has three chances, since networks fail for a moment. */
async function readText(source: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(source, 'utf8')
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchText(source)
    } catch (error) {
      if (attempt === 3) throw error
      await new Promise<void>((resolve) => void systemClock.after(500 * attempt, resolve))
    }
  }
}

async function fetchText(source: string): Promise<string> {
  const response = await fetch(source, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`the response status is ${response.status}`)
  return response.text()
}
