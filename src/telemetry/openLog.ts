import { type DestinationStream, type Logger, pino } from 'pino'
import { logLine } from './logLine.ts'

/** The level, the format and the destination of the log. */
export interface LogOptions {
  /** The lowest level to log. */
  readonly level: string
  /** `auto` is `pretty` on a terminal, and `json` elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty'
  readonly isTerminal: boolean
  readonly destination: DestinationStream
}

/** Opens a log: one line of JSON for each entry, or lines for people to read. */
export function openLog({ level, format, isTerminal, destination }: LogOptions): Logger {
  const isPretty = format === 'auto' ? isTerminal : format === 'pretty'
  const lines = { write: (json: string) => destination.write(logLine(json, isTerminal)) }
  return pino({ level }, isPretty ? lines : destination)
}
