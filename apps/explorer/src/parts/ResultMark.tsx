import { text } from '../text.ts'

/** Whether a transaction succeeded. The short form is a mark. */
export function ResultMark({ ok, isShort = false }: { ok: boolean | null | undefined; isShort?: boolean }) {
  const words = ok == null ? text.unknownResult : ok ? text.ok : text.failed
  return (
    <span class={ok == null ? 'result none' : ok ? 'result good' : 'result bad'} title={isShort ? words : undefined}>
      {ok == null ? '?' : ok ? '✓' : '✕'} <span class={isShort ? 'unseen' : undefined}>{words}</span>
    </span>
  )
}
