import { parseArgs } from 'node:util'
import { readSdl } from './readSdl.ts'
import { remoteGraph } from './remoteGraph.ts'
import { serveUrl } from './serveUrl.ts'
import { packageVersion } from './version.ts'

const help = `Serves tools for agents over the graph of a Portolan gateway, by the Model Context Protocol over stdio.

  portolan-mcp --url https://graph.example/graphql [options]

  --url <URL>  The graph. If it needs a key, PORTOLAN_API_KEY has it.
  --query      Agents can also send queries of their own. Reads the schema by introspection.
  --help       This text.
`

/** The surroundings of the command: its environment, its streams, and when it should stop. */
export interface McpCliIo {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
  readonly stopped: Promise<void>
}

/** Serves tools until it should stop. Resolves to the exit code: 2 for wrong options, 1 if it could not start. */
export async function runMcp(argv: readonly string[], { env, out, err, stopped }: McpCliIo): Promise<number> {
  let options: ReturnType<typeof read>
  try {
    options = read(argv)
  } catch (error) {
    err(`${messageOf(error)}\n\n${help}`)
    return 2
  }
  if (options === undefined) {
    out(help)
    return 0
  }
  const graph = { url: options.url, apiKey: env.PORTOLAN_API_KEY }
  try {
    const sdl = options.hasQuery ? await readSdl(remoteGraph(graph)) : undefined
    await serveUrl({ ...graph, version: packageVersion(), sdl }, stopped)
    return 0
  } catch (error) {
    err(`The tools could not start: ${messageOf(error)}\n`)
    return 1
  }
}

/** The options of a command line. Undefined if it asks for help. */
function read(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      url: { type: 'string', default: '' },
      query: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  if (!URL.canParse(values.url) || !/^https?:/.test(values.url))
    throw new Error('The option --url has the URL of the graph, such as https://graph.example/graphql.')
  return { url: values.url, hasQuery: values.query }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
