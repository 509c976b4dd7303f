import { useEffect, useState } from 'preact/hooks'
import { text } from '../text.ts'

/** A button that copies a text. */
export function CopyButton({
  value,
  label = text.copy,
  isOver = false,
}: {
  value: string
  label?: string
  /** Whether it lies over what follows, and takes no room of its own. */
  isOver?: boolean
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <button type="button" class={isOver ? 'copy over' : 'copy'} onClick={copy} title={label} aria-label={label}>
      {isCopied ? (
        '✓'
      ) : (
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M5 5V2h9v9h-3M2 5h9v9H2z" />
        </svg>
      )}
    </button>
  )
}
