import { useEffect, useState } from 'preact/hooks'
import { type ActivityChoice, filterOf, filterOfSpan, type Span, spanOf } from '../pages/account/activityFilter.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { FaultNote } from '../parts/FaultNote.tsx'
import { TimeField } from '../parts/TimeField.tsx'
import { text } from '../text.ts'
import { count, zoneName } from '../values/format.ts'
import { type Subject, subjects } from './exportFile.ts'
import { maxPages, maxRows } from './readActivity.ts'
import { type Saving, savingWords, useSaving } from './Saving.tsx'

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
  useEffect(() => {
    saving.setShown(true)
    return () => saving.setShown(false)
  }, [saving.setShown])
  const isTimed = subject !== 'balances'
  const save = () => {
    const span = isTimed ? spanOf(times) : spanOf({ since: '', until: '' })
    const filter = { ...filterOf(choice), ...filterOfSpan(span) }
    saving.start({ subject, address, hexAddress, filter, span, sides: choice })
  }
  const time = (name: keyof typeof times) => (
    <TimeField label={text.csv[name]} value={times[name]} onChange={(value) => setTimes({ ...times, [name]: value })} />
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
          <button type="button" onClick={saving.end}>
            {text.csv.cancel}
          </button>
        ) : (
          <button type="submit">{text.csv.start}</button>
        )}
      </form>
      {(filterOf(choice) || choice.direction || choice.party) && <p class="note">{text.csv.filtered}</p>}
      {isTimed && (
        <p class="note">
          {text.csv.bound(count(maxRows), count(maxPages))} {text.csv.zones(zoneName())}
        </p>
      )}
      <FaultNote error={saving.error} />
      <Progress saving={saving} span={spanOf(times)} />
    </Dialog>
  )
}

function Progress({ saving, span }: { saving: Saving; span: Span }) {
  const { oldest, newest } = saving.progress
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
            {savingWords(saving)} {text.csv.goesOn}
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
