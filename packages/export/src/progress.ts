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

/** The progress over a span of time, of which the beginning can be unknown: then it is that of the first record. */
export function createProgress(
  io: ExportIo,
  span: { readonly since?: string | undefined; readonly until?: string | undefined },
): Progress {
  const startedAt = io.now()
  const end = Math.min(startedAt, Date.parse(span.until ?? '') || startedAt)
  let begin = Date.parse(span.since ?? '')
  let shownAt = startedAt
  let isOpen = false
  return {
    show(rows, time) {
      const at = Date.parse(time ?? '')
      if (Number.isNaN(begin)) begin = at
      const now = io.now()
      if (!io.isTerminal && now - shownAt < lineEveryMs) return
      shownAt = now
      const seconds = (now - startedAt) / 1_000
      const rate = seconds > 0 ? `, ${Math.round(rows / seconds)} rows/s` : ''
      const part = (at - begin) / (end - begin)
      const left = part > 0 && part <= 1 ? `, about ${durationOf((seconds * (1 - part)) / part)} left` : ''
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
