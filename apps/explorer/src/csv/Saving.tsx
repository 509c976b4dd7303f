import { useClient } from '@portolan/client/react'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useRef, useState } from 'preact/hooks'
import { text } from '../text.ts'
import { count, localTime, shortened } from '../values/format.ts'
import type { CsvFile, FileOf } from './exportFile.ts'

/** The making of a file: how far it is, and what came of it. It goes on while the reader looks at other pages. */
export interface Saving {
  /** What is saved or was saved last. */
  readonly of: FileOf | undefined
  readonly isRunning: boolean
  readonly progress: Progress
  readonly saved: { readonly name: string; readonly file: CsvFile } | undefined
  readonly error: Error | undefined
  readonly start: (of: FileOf) => void
  /** Stops it, and forgets what came of it. */
  readonly end: () => void
  /** Whether a dialog shows it. */
  readonly setShown: (isShown: boolean) => void
}

interface Progress {
  readonly rows: number
  /** The time of the oldest record that was read, in milliseconds since 1970. */
  readonly oldest?: number
  /** When it began. */
  readonly newest: number
}

const SavingContext = createContext<Saving | undefined>(undefined)

/** The file that the reader saves. */
export function useSaving(): Saving {
  const saving = useContext(SavingContext)
  if (!saving) throw new Error('Nothing around this part of the page saves files.')
  return saving
}

/** Saves files for all pages. A bar shows the one in the making, unless a dialog does. */
export function SavingProvider({ children }: { children: ComponentChildren }) {
  const [isShown, setShown] = useState(false)
  const saving = useMaking(setShown)
  return (
    <SavingContext.Provider value={saving}>
      {children}
      {!isShown && <SavingBar of={saving} />}
    </SavingContext.Provider>
  )
}

function useMaking(setShown: (isShown: boolean) => void): Saving {
  const client = useClient()
  const abort = useRef<AbortController>(undefined)
  const [of, setOf] = useState<FileOf>()
  const [isRunning, setRunning] = useState(false)
  const [progress, setProgress] = useState<Progress>({ rows: 0, newest: 0 })
  const [saved, setSaved] = useState<Saving['saved']>()
  const [error, setError] = useState<Error>()
  const clear = () => {
    abort.current?.abort()
    setError(undefined)
    setSaved(undefined)
    setRunning(false)
  }
  const start = async (next: FileOf) => {
    clear()
    const controller = new AbortController()
    abort.current = controller
    const { signal } = controller
    const newest = Date.now()
    const onProgress = (rows: number, oldest?: number) =>
      signal.aborted || setProgress({ rows, newest, ...(oldest !== undefined && { oldest }) })
    setOf(next)
    onProgress(0)
    setRunning(true)
    try {
      // Most readers save no file.
      const { exportFile } = await import('./exportFile.ts')
      const file = await exportFile(next, { client, signal, onProgress, now: newest })
      if (signal.aborted) return
      const name = `${next.subject}-${next.address}.csv`
      download(name, file.text)
      setSaved({ name, file })
    } catch (fault) {
      if (!signal.aborted) setError(fault as Error)
    }
    if (!signal.aborted) setRunning(false)
  }
  return {
    ...{ of, isRunning, progress, saved, error, setShown },
    start: (next) => void start(next),
    end: () => {
      clear()
      setOf(undefined)
    },
  }
}

/** The state of a file in a line. */
export const savingWords = ({ progress: { rows, oldest } }: Saving): string =>
  oldest === undefined ? '' : text.csv.progress(count(rows), localTime(new Date(oldest).toISOString()))

function SavingBar({ of: saving }: { of: Saving }) {
  const { of, isRunning, saved, error, end } = saving
  if (!of) return null
  return (
    <aside class="saving" aria-label={text.csv.title}>
      <p>
        <strong>{text.csv.savingOf(text.csv.subjects[of.subject], shortened(of.address))}</strong>{' '}
        {isRunning && savingWords(saving)}
        {error && text.csv.broken}
        {saved && text.csv.saved(count(saved.file.rows), saved.name)} {saved?.file.notes.join(' ')}
      </p>
      <button type="button" onClick={end}>
        {isRunning ? text.csv.cancel : text.close}
      </button>
      {/* Said once at the end, and not with each page that is read. */}
      <span class="unseen" role="status">
        {saved && text.csv.saved(count(saved.file.rows), saved.name)}
        {error && text.csv.broken}
      </span>
    </aside>
  )
}

function download(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
