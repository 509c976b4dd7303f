import type { Logger } from 'pino'

/** The log of the server. Variables, headers and bodies are never logged. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
