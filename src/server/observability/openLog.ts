import { type DestinationStream, type Logger, pino } from 'pino'

/** What is logged, how, and where to. */
export interface LogOptions {
  /** The lowest level to log. */
  readonly level: string
  /** `auto` is `pretty` on a terminal, and `json` elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty'
  readonly isTerminal: boolean
  readonly destination: DestinationStream
}

/** Opens a log: one line of JSON for each entry, or one line for people to read. */
export async function openLog(options: LogOptions): Promise<Logger> {
  const { level, format, isTerminal, destination } = options
  const isPretty = format === 'auto' ? isTerminal : format === 'pretty'
  return pino({ level }, isPretty ? await prettyStream(destination, isTerminal) : destination)
}

/** Loaded only when it is needed: JSON is for machines, and costs nothing to load. */
async function prettyStream(
  destination: DestinationStream,
  isTerminal: boolean,
): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty')
  const print = prettyFactory({
    colorize: isTerminal,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  })
  return { write: (line) => destination.write(print(line)) }
}
