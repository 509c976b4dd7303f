import type { Logger } from 'pino'

/** Where the server tells what happened to it: never variables, headers or bodies. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
