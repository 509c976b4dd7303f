/** The surroundings of hooks: their clock, their log, and when they should stop. */
export interface HooksIo {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after this many milliseconds, 24 days at most, or when the hooks should stop or the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls back after this many milliseconds, 24 days at most. Returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void
  /** From 0 to below 1. */
  random(): number
  /** Writes a line to the log. It never has URLs, secrets or answers of receivers. */
  log(line: string): void
  /** Aborts when the hooks should stop. */
  readonly signal: AbortSignal
}

/** A stream of texts whose lines go to the log. */
export const logStream =
  ({ log }: Pick<HooksIo, 'log'>) =>
  (text: string): void =>
    log(text.trimEnd())
