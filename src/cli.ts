import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { type DestinationStream, pino } from 'pino'
import { type Chains, networkOptions, readChains } from './config/chains.ts'
import { type Command, type Env, readCommand } from './config/commandLine.ts'
import { help } from './config/help.ts'
import { createGateway } from './gateway.ts'
import { sandboxChains } from './sandbox/chains.ts'
import { startSandbox } from './sandbox/sandbox.ts'
import { schema } from './schema/schema.ts'

/** The surroundings of a command: its environment, its streams, and the signal to stop. */
export interface CliIo {
  readonly env: Env
  out(text: string): void
  err(text: string): void
  readonly log: DestinationStream
  /** Resolves when the program should stop. */
  stopped(): Promise<void>
}

type Serve = Extract<Command, { run: 'serve' | 'sandbox' }>

/** Runs a command line. Resolves to the exit code: 2 for a faulty configuration, 1 if it could not start. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const problems: string[] = []
  const command = readCommand(argv, io.env, problems)
  switch (command.run) {
    case 'help':
      io.out(help)
      return 0
    case 'version':
      io.out(`${version()}\n`)
      return 0
    case 'schema':
      if (problems.length > 0) return reportProblems(problems, io)
      io.out(`${printSchema(lexicographicSortSchema(schema))}\n`)
      return 0
  }
  const sandboxIds = sandboxChains.map(({ chainId }) => chainId)
  const chains = await readChains(command, { sandboxIds, readText, problems })
  if (problems.length > 0) return reportProblems(problems, io)
  try {
    await (command.run === 'serve' ? serve(command, chains, io) : runSandbox(command, io))
    return 0
  } catch (error) {
    io.err(`Portolan could not start: ${error instanceof Error ? error.message : error}\n`)
    return 1
  }
}

function reportProblems(problems: readonly string[], { err }: CliIo): number {
  err(`${problems.join('\n')}\n\nRun portolan --help for options.\n`)
  return 2
}

/** Serves the graph until the program should stop. */
async function serve({ settings, sandbox: isSandboxed }: Serve, chains: Chains, io: CliIo) {
  const log = pino({ level: settings.logLevel }, io.log)
  for (const warning of chains.warnings) log.warn(warning)
  const sandbox = isSandboxed ? await startSandbox() : undefined
  try {
    const services = {
      chains: sandbox?.indexers ?? chains.entries,
      router: settings.routerUrl ?? (sandbox && { url: sandbox.routerUrl }),
    }
    const { host, port = 4000, graphiql, introspection, allowedOrigins, limits } = settings
    const { compileOperations, signingKeys } = settings
    const gateway = await createGateway({
      ...networkOptions(settings, services),
      ...{ host, port, graphiql, introspection, allowedOrigins, limits, log },
      ...{ compileOperations, signingKeys },
    })
    const lines = services.chains.map(({ chainId, url }) => `  ${chainId} at ${url}`)
    if (services.router) lines.push(`  the router at ${services.router.url}`)
    io.out(`Portolan serves${sandbox ? ' the sandbox' : ''}\n${lines.join('\n')}\n`)
    io.out(`${graphiql ? 'GraphiQL' : 'GraphQL'}: ${reachable(gateway.url)}\n`)
    await io.stopped()
    log.info('stopping')
    await gateway.close()
  } finally {
    await sandbox?.close()
  }
}

/** Runs the sandbox until the program should stop. */
async function runSandbox({ settings }: Serve, { out, stopped }: CliIo) {
  const { host, port = 4100 } = settings
  const sandbox = await startSandbox({ host, port })
  const indexers = sandbox.indexers.map(({ chainId, url }) => `${chainId}=${reachable(url)}`)
  const kinds = sandbox.indexers.map(({ chainId, vm }) => `${chainId}=${vm}`)
  out('To serve this network, start a gateway with\n\n')
  out(`INDEXERS=${indexers.join(',')}\n`)
  out(`ROUTER_URL=${reachable(sandbox.routerUrl)}\n`)
  out(`VM_KINDS=${kinds.join(',')}\n`)
  await stopped()
  await sandbox.close()
}

/** A URL that can be opened on this machine: a server listens on 0.0.0.0, but no client can connect to it. */
const reachable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1')

async function readText(source: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(source, 'utf8')
  const response = await fetch(source, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`the response status is ${response.status}`)
  return response.text()
}

function version(): string {
  const file = new URL('../package.json', import.meta.url)
  return String(JSON.parse(readFileSync(file, 'utf8')).version)
}
