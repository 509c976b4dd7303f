import type { QueryState } from '@portolan/client/react'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { text } from '../text.ts'
import { ChainText } from './ChainText.tsx'
import { FaultNote } from './FaultNote.tsx'
import { LoadingNote } from './LoadingNote.tsx'
import { lazyPage } from './lazyPage.tsx'
import type { Operation } from './Operation.ts'

// Most readers never open it.
const Drawer = lazyPage(() => import('./Drawer.tsx').then((part) => part.Drawer), { isQuiet: true })

/** A part of a page with a title, and the query behind it. */
export function Panel({
  title,
  note,
  of,
  live,
  children,
}: {
  title: string
  note?: ComponentChildren
  of?: Operation | undefined
  live?: Operation | undefined
  children: ComponentChildren
}) {
  const [shown, setShown] = useState(false)
  const id = useId()
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note != null && note !== false && <span class="note">{note}</span>}
        {of && (
          <button
            type="button"
            class="behind"
            title={text.behind}
            aria-label={`${text.behind}: ${title}`}
            onClick={() => setShown(true)}
          >
            {'{ }'}
          </button>
        )}
      </header>
      {children}
      {shown && of && <Drawer operations={live ? [of, live] : [of]} onClose={() => setShown(false)} />}
    </section>
  )
}

/**
 * The state of a query: a wait before its first answer, an error above what may be out of date. Of an answer
 * whose fields all failed, only the error is shown.
 */
export function Loaded<Data extends object>({
  of,
  children,
}: {
  of: QueryState<Data>
  children: (data: Data) => ComponentChildren
}) {
  const { data, rootError } = of
  const isLost = rootError && Object.values(data ?? {}).every((value) => value === null)
  return (
    <>
      <FaultNote error={of.error ?? rootError} onRetry={of.refetch} />
      {of.isLoading && <LoadingNote />}
      {data !== undefined && !isLost && <div class={of.error ? 'stale' : undefined}>{children(data)}</div>}
    </>
  )
}

/** Whether there is nothing to show, or a list of nothing. */
const isEmpty = (value: ComponentChildren): boolean =>
  Array.isArray(value) ? value.every(isEmpty) : value === null || value === undefined || value === '' || value === false

/** Names and values, such as the parts of a block. Rows without a value are left out. */
export const Facts = ({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {rows
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => (
        <div key={name}>
          <dt>
            <ChainText>{name}</ChainText>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
