import type { ExportIo } from './io.ts'

/** A line is written this often, in milliseconds, also while nothing comes. */
const lineEveryMs = 10_000

/** A line that says how far an export is. */
export interface Progress {
  /** Says what is read before the first rows. */
  prepare(text: string): void
  /** `time` is that of the last record. */
  show(rows: number, time: string | undefined): void
  /** Leaves the last line. */
  end(): void
}

/**
 * The progress of a run that began with this many rows, until a time or now. What is left is known from the second page on:
 * the first one says where this run began. In a terminal, each page overwrites the line.
 */
export function createProgress(io: ExportIo, before: number, until: string | undefined): Progress {
  const startedAt = io.now()
  const end = Math.min(startedAt, Date.parse(until ?? '') || startedAt)
  let begin = Number.NaN
  let beganAt = startedAt
  let isOpen = false
  let lineAt = (_now: number) => 'No answer yet'
  const write = (now: number) => {
    const line = lineAt(now)
    io.err(io.isTerminal ? `\r${line}\x1b[K` : `${line}\n`)
    isOpen = io.isTerminal
  }
  const writeInTerminal = (now: number) => {
    if (io.isTerminal) write(now)
  }
  const timer = setInterval(() => write(io.now()), lineEveryMs).unref()
  return {
    prepare(text) {
      lineAt = () => text
      writeInTerminal(io.now())
    },
    show(rows, time) {
      const at = Date.parse(time ?? '')
      const shownAt = io.now()
      if (Number.isNaN(begin)) {
        begin = at
        beganAt = shownAt
      }
      const part = (at - begin) / (end - begin)
      const leftMs = part > 0 && part <= 1 ? (shownAt - beganAt) * (1 / part - 1) : undefined
      lineAt = (now) => {
        const seconds = (now - startedAt) / 1_000
        const rate = seconds > 0 ? `, ${Math.round((rows - before) / seconds)} rows/s` : ''
        const left = leftMs === undefined ? '' : `, about ${durationOf(leftMs / 1_000)} left`
        return `${rows} rows${rate}${time ? `, at ${time.slice(0, 19)}Z` : ''}${left}`
      }
      writeInTerminal(shownAt)
    },
    end() {
      clearInterval(timer)
      if (isOpen) io.err('\n')
      isOpen = false
    },
  }
}

function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
