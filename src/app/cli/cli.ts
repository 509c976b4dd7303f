import { readFileSync } from 'node:fs'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { withoutDescriptions } from '#mcp/openMcp'
import { startSandbox } from '#sandbox/sandbox'
import { defaultPageSize } from '../../engine/graphql/pageArgs.ts'
import { publicSdl } from '../../engine/graphql/publicSdl.ts'
import { resolveLimits } from '../../engine/limits/limits.ts'
import { servicesAt } from '../../engine/network/networkOptions.ts'
import { serviceNames, urlNameOf } from '../../engine/upstream/services.ts'
import { createGateway } from '../../gateway.ts'
import { packageVersion } from '../../kit/version.ts'
import { schema } from '../../schema/schema.ts'
import { subgraphSdl } from '../../schema/subgraph/sdl.ts'
import type { Chains } from '../config/chains.ts'
import type { Configuration } from '../config/changes.ts'
import { readCommand, type ServiceCommand } from '../config/commandLine.ts'
import { help, wholeHelp } from '../config/help.ts'
import { settingOf } from '../config/settings/settings.ts'
import { readTrustedDocuments } from '../config/trustedDocuments.ts'
import { reachable } from './banner.ts'
import type { CliIo } from './io.ts'
import { chainsOf, makeSandbox, servicesOf } from './network.ts'
import { portOf } from './port.ts'
import { readText } from './readText.ts'
import { runDoctor } from './runDoctor.ts'
import { serve } from './serve.ts'

/** A process that reads the graph of another one needs no chains. */
const noChains: Chains = { entries: [], listed: [], warnings: [] }

/** Runs a command line. Resolves to the exit code: 2 for a faulty configuration, 1 if it could not start. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const problems: string[] = []
  const readAgain = (faults: string[]) =>
    readCommand(argv, { env: io.env, readFile: (path) => readFileSync(path, 'utf8'), problems: faults })
  const command = readAgain(problems)
  switch (command.run) {
    case 'help':
      io.out(command.isWhole ? wholeHelp : help)
      return 0
    case 'version':
      io.out(`${packageVersion()}\n`)
      return 0
    case 'schema':
      if (problems.length > 0) return reportProblems(problems, io)
      io.out(
        command.isSubgraph
          ? subgraphSdl(schema, defaultPageSize(resolveLimits()))
          : publicSdl(lexicographicSortSchema(schema)),
      )
      return 0
  }
  const { chains, trustedDocuments } = await readFiles(command, problems)
  if (problems.length > 0) return reportProblems([...problems, ...command.warnings], io)
  try {
    switch (command.run) {
      case 'serve':
        await serve({ command, chains, trustedDocuments }, io, async (faults) => {
          const next = readAgain(faults)
          return next.run === 'serve' && faults.length === 0 ? readFiles(next, faults) : undefined
        })
        return 0
      case 'sandbox':
        await runSandbox(command, io)
        return 0
      case 'mcp':
        if (command.url === undefined) await runMcp(command, chains, io)
        else await runMcpAt(command.url, command, io)
        return 0
      case 'doctor':
        return await runDoctor(command, chains, io)
    }
  } catch (error) {
    io.err(`Portolan could not start: ${startProblem(error, command)}\n`)
    return 1
  }
}

/** Reads what the settings of a command name. Adds a sentence to `problems` for each fault. */
async function readFiles(command: ServiceCommand, problems: string[]): Promise<Configuration> {
  const chains = command.url === undefined ? await chainsOf(command, problems) : noChains
  return { command, chains, trustedDocuments: await readTrustedDocuments(command.settings, { readText, problems }) }
}

function reportProblems(problems: readonly string[], { err }: CliIo): number {
  err(`${problems.join('\n')}\n\nRun portolan --help for options.\n`)
  return 2
}

/** Serves tools of the graph at a URL over the streams of this process. PORTOLAN_API_KEY has the key for it. */
async function runMcpAt(url: string, { settings }: ServiceCommand, io: CliIo): Promise<void> {
  const { serveUrl } = await import('#mcp/serveUrl')
  const graph = { url, apiKey: io.env.PORTOLAN_API_KEY }
  const sdl = settings.mcp === 'query' ? withoutDescriptions(printSchema(schema)) : undefined
  await serveUrl({ ...graph, version: packageVersion(), sdl }, io.stopped())
}

/** The same for the graph of the configured chains, which is served for as long. */
async function runMcp(command: ServiceCommand, chains: Chains, io: CliIo): Promise<void> {
  const sandbox = await makeSandbox(command)
  try {
    const services = servicesOf(command, chains, sandbox)
    const { limits } = command.settings
    await using gateway = await createGateway({ ...services, limits, isSandbox: command.sandbox })
    await runMcpAt(gateway.url, command, io)
  } finally {
    await sandbox?.close()
  }
}

/** Runs the sandbox alone until the program should stop, prints the settings of a gateway that serves it, and how to break it. */
async function runSandbox(command: ServiceCommand, { out, stopped }: CliIo): Promise<void> {
  const { host, sandbox: kind } = command.settings
  const sandbox = await startSandbox({ host, port: portOf(command), odd: kind === 'odd', preparesAccounts: true })
  const indexers = sandbox.indexers.map(({ chainId, url }) => `${chainId}=${reachable(url)}`)
  const kinds = sandbox.indexers.map(({ chainId, vm }) => `${chainId}=${vm}`)
  out('To serve this network, start a gateway with\n\n')
  out(`INDEXERS=${indexers.join(',')}\n`)
  const services = servicesAt(sandbox)
  for (const name of serviceNames) {
    const { url } = services[name] ?? {}
    if (url !== undefined) out(`${settingOf(urlNameOf(name)).env}=${reachable(url)}\n`)
  }
  out(`VM_KINDS=${kinds.join(',')}\n`)
  const fault = JSON.stringify({ service: sandbox.indexers[0]?.chainId, kind: 'error' })
  out(`\nTo break a service of it for a minute:\n\n  curl ${reachable(sandbox.controlUrl)} -d '${fault}'\n`)
  await stopped()
  await sandbox.close()
}

/** Why a command could not start, and what to do about it. */
function startProblem(error: unknown, command: ServiceCommand): string {
  if (!(error instanceof Error)) return String(error)
  const { host, metricsPort } = command.settings
  // A server that cannot listen says on which port.
  const { code, port = portOf(command) }: NodeJS.ErrnoException & { port?: number } = error
  const place = `port ${port} of ${host}`
  const setting = port === metricsPort ? 'METRICS_PORT or --metrics-port' : 'PORT or --port'
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use. Set ${setting} to another one, or to 0 for any that is free.`
    case 'EACCES':
      return `this user may not listen on ${place}. Set ${setting} to 1024 or higher.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set HOST or --host, for example to 0.0.0.0.`
  }
  return error.message
}
