import type { DestinationStream } from 'pino'
import type { Env } from '../config/readSettings.ts'

/** The surroundings of a command: its environment, its streams, and the signal to stop. */
export interface CliIo {
  readonly env: Env
  out(text: string): void
  err(text: string): void
  /** Whether a person reads `out`. Otherwise the log says where the gateway listens. */
  readonly outIsTerminal: boolean
  readonly log: DestinationStream
  /** Whether people read the log as it is written. */
  readonly isTerminal?: boolean
  /** Resolves when the program should stop. */
  stopped(): Promise<void>
  /** Registers the function to call when the program should read its chains again. */
  onHangup?(run: () => Promise<void>): void
}
