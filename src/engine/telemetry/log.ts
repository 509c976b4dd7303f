import { styleText } from 'node:util'
import { type DestinationStream, type Logger, pino } from 'pino'

/** The log of the server. Variables, headers and bodies are never logged. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Opens a log: colored lines for people on a terminal, and one line of JSON for each entry elsewhere. */
export function openLog(level: string, destination: DestinationStream, isTerminal: boolean): Logger {
  const lines = { write: (json: string) => destination.write(logLine(json)) }
  return pino({ level }, isTerminal ? lines : destination)
}

const levels: Readonly<Record<number, readonly [string, 'red' | 'yellow' | 'green' | 'gray']>> = {
  10: ['TRACE', 'gray'],
  20: ['DEBUG', 'gray'],
  30: ['INFO', 'green'],
  40: ['WARN', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'red'],
}

/**
 * An entry of the log, from one line of JSON as pino writes it, for people: the time of day, the level, the message,
 * and what else is in the entry. The stack of an error stands on lines of its own.
 */
function logLine(json: string): string {
  const { level, time, msg = '', pid: _, hostname: __, err, ...rest } = JSON.parse(json)
  const [name, color] = levels[level] ?? [String(level), 'gray']
  const paint = (style: typeof color | 'cyan', text: string) => styleText(style, text, { validateStream: false })
  const clock = new Date(time).toTimeString().slice(0, 8)
  const further = Object.keys(rest).length > 0 ? ` ${paint('gray', JSON.stringify(rest))}` : ''
  const stack = err ? `\n    ${String(err.stack ?? err.message).replaceAll('\n', '\n    ')}` : ''
  return `[${clock}] ${paint(color, name)}: ${paint('cyan', msg)}${further}${stack}\n`
}
