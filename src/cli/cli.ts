import { readFileSync } from 'node:fs'
import { lexicographicSortSchema } from 'graphql'
import type { Chains } from '../config/chains.ts'
import { readCommand } from '../config/commandLine.ts'
import { help, wholeHelp } from '../config/help.ts'
import { resolveLimits } from '../config/limits/limits.ts'
import { readTrustedDocuments } from '../config/trustedDocuments.ts'
import { publicSdl } from '../graphql/publicSdl.ts'
import { schema } from '../schema/schema.ts'
import { subgraphSdl } from '../subgraph/sdl.ts'
import { packageVersion } from '../version.ts'
import type { CliIo } from './io.ts'
import { chainsOf } from './network.ts'
import { readText } from './readText.ts'
import { runDoctor } from './runDoctor.ts'
import { runMcp, runMcpAt } from './runMcp.ts'
import { runSandbox } from './runSandbox.ts'
import { serve } from './serve.ts'
import { startProblem } from './startProblem.ts'

/** A process that reads the graph of another one needs no chains. */
const noChains: Chains = { entries: [], listed: [], warnings: [] }

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
      io.out(command.isWhole ? wholeHelp : help)
      return 0
    case 'version':
      io.out(`${packageVersion()}\n`)
      return 0
    case 'schema':
      if (problems.length > 0) return reportProblems(problems, io)
      io.out(
        command.isSubgraph
          ? subgraphSdl(schema, resolveLimits().defaultPageSize)
          : publicSdl(lexicographicSortSchema(schema)),
      )
      return 0
  }
  const chains = command.url === undefined ? await chainsOf(command, problems) : noChains
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

function reportProblems(problems: readonly string[], { err }: CliIo): number {
  err(`${problems.join('\n')}\n\nRun portolan --help for options.\n`)
  return 2
}
