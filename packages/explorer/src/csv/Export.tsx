import { useClient } from '@portolan/client/react'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ActivityChoice, filterOf, filterOfSpan, type Span, spanOf } from '../app/activityFilter.ts'
import { count, localTime, zoneName } from '../app/format.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { Failed } from '../parts/Failed.tsx'
import { text } from '../text.ts'
import { type CsvFile, exportFile, type Subject, subjects } from './exportFile.ts'
import { maxPages, maxRows } from './readActivity.ts'

/** Saves what an account did or has as a file. */
export function Export({
  address,
  hexAddress,
  choice,
  onClose,
}: {
  address: string
  hexAddress: string
  /** What the page shows: the file has the same. */
  choice: ActivityChoice
  onClose: () => void
}) {
  const [subject, setSubject] = useState<Subject>('activity')
  const [times, setTimes] = useState({ since: choice.since, until: choice.until })
  const saving = useSaving()
  const isTimed = subject !== 'balances'
  const save = () => {
    const span = isTimed ? spanOf(times) : spanOf({ since: '', until: '' })
    const filter = { ...filterOf(choice), ...filterOfSpan(span) }
    saving.start({ subject, address, hexAddress, filter, span })
  }
  const time = (name: keyof typeof times) => (
    <label>
      {text.csv[name]}
      <input
        type="datetime-local"
        value={times[name]}
        onInput={(event) => setTimes({ ...times, [name]: event.currentTarget.value })}
      />
    </label>
  )
  return (
    <Dialog title={text.csv.title} onClose={onClose}>
      <form
        class="quote"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <label>
          {text.csv.subject}
          <select
            value={subject}
            onChange={({ currentTarget: { value } }) =>
              setSubject(subjects.find((name) => name === value) ?? 'activity')
            }
          >
            {subjects.map((name) => (
              <option key={name} value={name}>
                {text.csv.subjects[name]}
              </option>
            ))}
          </select>
        </label>
        {isTimed && time('since')}
        {isTimed && time('until')}
        {saving.isRunning ? (
          <button type="button" onClick={saving.stop}>
            {text.csv.cancel}
          </button>
        ) : (
          <button type="submit">{text.csv.start}</button>
        )}
      </form>
      {filterOf(choice) && <p class="note">{text.csv.filtered}</p>}
      {isTimed && (
        <p class="note">
          {text.csv.bound(count(maxRows), count(maxPages))} {text.zone(zoneName())}
        </p>
      )}
      <Failed error={saving.error} />
      <Progress saving={saving} span={spanOf(times)} />
    </Dialog>
  )
}

type Saving = ReturnType<typeof useSaving>

function Progress({ saving, span }: { saving: Saving; span: Span }) {
  const { rows, oldest, newest } = saving.progress
  const newer = Math.min(span.until ?? newest, newest)
  const part =
    oldest !== undefined && span.since !== undefined
      ? Math.min(1, Math.max(0, (newer - oldest) / Math.max(1, newer - span.since)))
      : undefined
  return (
    <div aria-live="polite">
      {saving.isRunning && (
        <>
          <progress aria-label={text.csv.title} value={part} />
          <p class="note">
            {oldest !== undefined && text.csv.progress(count(rows), localTime(new Date(oldest).toISOString()))}
          </p>
        </>
      )}
      {saving.saved && (
        <>
          <p>{text.csv.saved(count(saving.saved.file.rows), saving.saved.name)}</p>
          {saving.saved.file.notes.map((note) => (
            <p class="failed" role="note" key={note}>
              {note}
            </p>
          ))}
        </>
      )}
    </div>
  )
}

/** The making of a file: how far it is, and what came of it. */
function useSaving() {
  const client = useClient()
  const abort = useRef<AbortController>(undefined)
  const [isRunning, setRunning] = useState(false)
  const [progress, setProgress] = useState<{ rows: number; oldest?: number; newest: number }>({
    rows: 0,
    newest: Date.now(),
  })
  const [saved, setSaved] = useState<{ name: string; file: CsvFile }>()
  const [error, setError] = useState<Error>()
  useEffect(() => () => abort.current?.abort(), [])
  const start = (of: Parameters<typeof exportFile>[0]) => {
    abort.current = new AbortController()
    const { signal } = abort.current
    const newest = Date.now()
    setError(undefined)
    setSaved(undefined)
    setProgress({ rows: 0, newest })
    setRunning(true)
    const onProgress = (rows: number, oldest?: number) =>
      setProgress({ rows, newest, ...(oldest !== undefined && { oldest }) })
    exportFile(of, { client, signal, onProgress })
      .then((file) => {
        const name = `${of.subject}-${of.address}.csv`
        download(name, file.text)
        setSaved({ name, file })
      })
      .catch((fault: Error) => signal.aborted || setError(fault))
      .finally(() => setRunning(false))
  }
  return { isRunning, progress, saved, error, start, stop: () => abort.current?.abort() }
}

function download(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
