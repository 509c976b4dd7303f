/** The surroundings of an export: its clock, its error stream, and when it should stop. */
export interface ExportIo {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after this many milliseconds, or when the export should stop. */
  wait(milliseconds: number): Promise<void>
  /** Writes to the error stream. */
  err(text: string): void
  /** Whether the error stream is a terminal, where a line of progress can be overwritten. */
  readonly isTerminal: boolean
  /** Aborts when the export should stop. */
  readonly signal: AbortSignal
}
