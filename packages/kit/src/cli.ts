import { messageOf } from './errors.ts'

/** The surroundings of a program. */
export interface ProgramIo {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes to the output. */
  out(text: string): void
  /** Writes to the error stream. */
  err(text: string): void
  /** Aborts when the program should stop. */
  readonly signal: AbortSignal
}

/** The surroundings of this process, which should stop at the first SIGINT or SIGTERM. */
export function processIo(): ProgramIo {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    signal: stop.signal,
  }
}

/** Resolves when the signal aborts. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** What a command line is read by, and what runs it. */
export interface Program<Options> {
  readonly help: string
  /**
   * The options of a command line. Undefined if it asks for help.
   * @throws Error if they are wrong.
   */
  read(argv: readonly string[]): Options | undefined
  /** Resolves to the exit code. */
  run(options: Options): Promise<number>
  /** What stands before the message of a run that throws. Default: nothing. */
  readonly fault?: string
}

/** Runs a command line. Resolves to the exit code: 2 for wrong options, 0 for help, 1 if it throws, or that of the run. */
export async function runProgram<Options>(
  argv: readonly string[],
  { out, err }: Pick<ProgramIo, 'out' | 'err'>,
  { help, read, run, fault = '' }: Program<Options>,
): Promise<number> {
  let options: Options | undefined
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
  try {
    return await run(options)
  } catch (error) {
    err(`${fault}${messageOf(error)}\n`)
    return 1
  }
}

/**
 * The URL of a graph, as the option `--url` gives it.
 * @throws Error if it is none.
 */
export function checkGraphUrl(url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url
  throw new Error('The option --url has the URL of the graph, such as https://graph.example/graphql.')
}
