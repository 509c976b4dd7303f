import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { text } from '../text.ts'

/** A dialog at the side of the page, over it. A press beside it closes it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a dialog closes with Escape by itself
    <dialog
      ref={dialog}
      class="drawer"
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          {text.close}
        </button>
      </header>
      {children}
    </dialog>
  )
}
