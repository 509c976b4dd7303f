import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { createClient } from '@portolan/client'
import { PortolanError } from '@portolan/client/errors'
import { readFollowed } from './followed.ts'
import { askGateway, watchGateway } from './gateway/watch.ts'
import type { HooksIo } from './io.ts'
import { stream } from './stream.ts'

const help = `Writes live events of a Portolan gateway to its output, a line of JSON for each.

  portolan-stream <document> --url <URL> [options]

  <document>            A subscription, or a file with one, whose name ends with .graphql.
  --url <URL>           The graph, such as https://graph.example/graphql. If it needs a key, PORTOLAN_API_KEY has it.
  --variables <JSON>    Its variables.
  --after-file <file>   Keeps the cursor of the last line, and continues after it. For states, it keeps their ids.
  --help                This text.
`

/** The surroundings of the command. */
export interface StreamCliIo extends Pick<HooksIo, 'after' | 'log' | 'signal'> {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly output: Writable
}

/** Runs a command line. Resolves to the exit code: 2 for wrong options, 1 if it failed. */
export async function runStream(argv: readonly string[], io: StreamCliIo): Promise<number> {
  let options: ReturnType<typeof readOptions>
  try {
    options = readOptions(argv)
  } catch (error) {
    io.log(`${messageOf(error)}\n\n${help}`)
    return 2
  }
  if (!options) {
    io.output.write(help)
    return 0
  }
  try {
    const { url, ...rest } = options
    using client = watchGateway(createClient({ url, apiKey: io.env.PORTOLAN_API_KEY }), { url, io })
    await stream({ ...rest, client, output: io.output, signal: io.signal })
    return 0
  } catch (error) {
    const isLost = error instanceof PortolanError && error.code === 'NETWORK'
    const fault = isLost && (await askGateway(options.url))
    io.log(fault ? `The gateway at ${new URL(options.url).host} ${fault}.` : messageOf(error))
    return 1
  }
}

/** Undefined if they ask for help. Throws an Error if they are wrong. */
function readOptions(argv: readonly string[]) {
  const text = { type: 'string' as const }
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      ...{ url: { ...text, default: '' }, variables: { ...text, default: '{}' }, 'after-file': text },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const [given, ...more] = positionals
  if (given === undefined || more.length > 0) throw new Error('Name one document.')
  if (!URL.canParse(values.url) || !/^https?:/.test(values.url))
    throw new Error('The option --url has the URL of the graph, such as https://graph.example/graphql.')
  const document = given.endsWith('.graphql') ? readFileSync(given, 'utf8') : given
  const variables: unknown = JSON.parse(values.variables)
  return {
    ...{ url: values.url, followed: readFollowed(document), afterFile: values['after-file'] },
    variables: { ...(variables as object) },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
