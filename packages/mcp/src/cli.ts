import { parseArgs } from 'node:util'
import { checkGraphUrl, type ProgramIo, runProgram, untilAborted } from '#kit/cli'
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

/** Serves tools until it should stop. Resolves to the exit code: 2 for wrong options, 1 if it could not start. */
export const runMcp = (argv: readonly string[], io: ProgramIo): Promise<number> =>
  runProgram(argv, io, {
    ...{ help, read, fault: 'The tools could not start: ' },
    async run({ url, hasQuery }) {
      const graph = { url, apiKey: io.env.PORTOLAN_API_KEY }
      const sdl = hasQuery ? await readSdl(remoteGraph(graph)) : undefined
      await serveUrl({ ...graph, version: packageVersion(), sdl }, untilAborted(io.signal))
      return 0
    },
  })

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
  return { url: checkGraphUrl(values.url), hasQuery: values.query }
}
