import type { ExportIo } from './io.ts'

/** Where no terminal overwrites it, a line is written this often, in milliseconds. */
const lineEveryMs = 10_000

/** A line that says how far an export is. */
export interface Progress {
  /** `time` is that of the last record. */
  show(rows: number, time: string | undefined): void
  /** Leaves the last line. */
  end(): void
}

/**
 * The progress of a run that began with so many rows, until a time or now. What is left is known from the second page on:
 * the first one says where this run began.
 */
export function createProgress(io: ExportIo, before: number, until: string | undefined): Progress {
  const startedAt = io.now()
  const end = Math.min(startedAt, Date.parse(until ?? '') || startedAt)
  let begin = Number.NaN
  let beganAt = startedAt
  let shownAt = startedAt
  let isOpen = false
  return {
    show(rows, time) {
      const at = Date.parse(time ?? '')
      const now = io.now()
      if (Number.isNaN(begin)) {
        begin = at
        beganAt = now
      }
      if (!io.isTerminal && now - shownAt < lineEveryMs) return
      shownAt = now
      const seconds = (now - startedAt) / 1_000
      const rate = seconds > 0 ? `, ${Math.round((rows - before) / seconds)} rows/s` : ''
      const part = (at - begin) / (end - begin)
      const left = part > 0 && part <= 1 ? `, about ${durationOf(((now - beganAt) / 1_000) * (1 / part - 1))} left` : ''
      const line = `${rows} rows${rate}${time ? `, at ${time.slice(0, 19)}Z` : ''}${left}`
      io.err(io.isTerminal ? `\r${line}\x1b[K` : `${line}\n`)
      isOpen = io.isTerminal
    },
    end() {
      if (isOpen) io.err('\n')
      isOpen = false
    },
  }
}

function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
