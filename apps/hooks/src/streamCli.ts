import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { createClient } from '@portolan/client'
import { PortolanError } from '@portolan/client/errors'
import { checkGraphUrl, type ProgramIo, runProgram } from '#kit/cli'
import { messageOf } from '#kit/errors'
import { readFollowed } from './followed.ts'
import { askGateway, watchGateway } from './gateway/watch.ts'
import { type HooksIo, logStream } from './io.ts'
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
export interface StreamCliIo extends Pick<HooksIo, 'after' | 'log' | 'signal'>, Pick<ProgramIo, 'env'> {
  readonly output: Writable
}

/** Runs a command line. Resolves to the exit code: 2 for wrong options, 1 if it failed. */
export const runStream = (argv: readonly string[], io: StreamCliIo): Promise<number> =>
  runProgram(
    argv,
    { out: (text) => void io.output.write(text), err: logStream(io) },
    { help, read: readOptions, run: (options) => streamWith(options, io) },
  )

async function streamWith(options: Options, io: StreamCliIo): Promise<number> {
  try {
    const { url, ...rest } = options
    using client = watchGateway(createClient({ url, apiKey: io.env.PORTOLAN_API_KEY }), { url, io })
    await stream({ ...rest, client, output: io.output, log: io.log, signal: io.signal })
    return 0
  } catch (error) {
    const isLost = error instanceof PortolanError && error.code === 'NETWORK'
    const fault = isLost && (await askGateway(options.url))
    io.log(fault ? `The gateway at ${new URL(options.url).host} ${fault}.` : messageOf(error))
    return 1
  }
}

type Options = NonNullable<ReturnType<typeof readOptions>>

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
  const url = checkGraphUrl(values.url)
  const document = given.endsWith('.graphql') ? readFileSync(given, 'utf8') : given
  const variables: unknown = JSON.parse(values.variables)
  return {
    ...{ url, followed: readFollowed(document), afterFile: values['after-file'] },
    variables: { ...(variables as object) },
  }
}
