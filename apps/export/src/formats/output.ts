import { createHash } from 'node:crypto'
import type { Row } from '#kit/table'

/** What a file is, or will be when it was completed. It tells a file that its owner changed. */
export interface Mark {
  /** Bytes of the file, or parts of the folder. */
  readonly extent: number
  /** SHA-256 of all bytes, in hex. Those of parts follow each other. */
  readonly sha256: string
  /** The last text of the file. Not all of it may be there yet: a run that is killed leaves a part of it. */
  readonly pending: string
}

/** The mark of a file without contents. */
export const nothing: Mark = { extent: 0, sha256: createHash('sha256').digest('hex'), pending: '' }

/** A file that grows. What it will be is known, and can be kept elsewhere, before it is changed. */
export interface OutputFile {
  /**
   * Makes rows ready. Resolves to the mark of the file with all rows so far, or to undefined while some of them are only
   * in memory. `isLast` leaves none there.
   */
  stage(rows: readonly Row[], isLast?: boolean): Promise<Mark | undefined>
  /** Makes the file what the mark says, and waits until it is on the disk. */
  commit(): Promise<void>
}

/** A file was changed, so it cannot be continued. */
export const changed = (path: string): Error =>
  new Error(
    `${path} is not as this command left it: it was edited, cut or added to. It is left alone. Use another name for --out, or remove it and ${path}.state.json to begin anew.`,
  )
