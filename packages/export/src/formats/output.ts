import type { Row } from '../table.ts'

/** A file that grows. */
export interface Output {
  /**
   * Adds rows. Resolves to the extent of what is safely on the disk with all rows so far, or to undefined while some
   * of them are only in memory.
   */
  append(rows: readonly Row[]): Promise<number | undefined>
  /** Writes what is in memory. Resolves to the extent of the file. */
  flush(): Promise<number>
  close(): Promise<void>
}
