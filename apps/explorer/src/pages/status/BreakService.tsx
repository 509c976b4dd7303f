import { useCallback, useEffect, useState } from 'preact/hooks'
import { keyHeaders } from '../../app/apiKey.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { LoadingNote } from '../../parts/LoadingNote.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { text } from '../../text.ts'

const endpoint = '/sandbox/faults'

/** What is broken in the sandbox, and what can be. */
interface SandboxFaults {
  readonly services: readonly string[]
  readonly kinds: readonly string[]
  readonly faults: readonly {
    readonly service: string
    readonly kind: string
    readonly secondsLeft: number
  }[]
}

/** Breaks a service of the sandbox for a minute, so that one sees what becomes of the pages. */
export function BreakService({ onChange }: { onChange: () => void }) {
  const [state, setState] = useState<SandboxFaults>()
  const [error, setError] = useState<Error>()
  const send = useCallback(
    (command?: object) => {
      const headers = { 'content-type': 'application/json', ...keyHeaders() }
      const post = command && { method: 'POST', body: JSON.stringify(command) }
      fetch(endpoint, { ...post, headers })
        .then((response) => {
          if (!response.ok) throw new Error(String(response.status))
          return response.json()
        })
        .then((next: SandboxFaults) => {
          setState(next)
          setError(undefined)
          if (command) onChange()
        })
        .catch(setError)
    },
    [onChange],
  )
  useEffect(() => {
    send()
    // Faults end by themselves, and others can begin one.
    const timer = setInterval(() => document.hidden || send(), 2_000)
    return () => clearInterval(timer)
  }, [send])
  const faultOf = (name: string) => state?.faults.find(({ service }) => service === name)
  return (
    <Panel title={text.broken.title} note={text.broken.hint}>
      <FaultNote error={error} />
      {!state && !error && <LoadingNote />}
      <ul class="broken">
        {state?.services.map((service) => {
          const fault = faultOf(service)
          return (
            <li key={service}>
              <strong>{service}</strong>
              {state.kinds.map((kind) => (
                <button
                  type="button"
                  key={kind}
                  aria-label={`${service}: ${text.broken.kinds[kind] ?? kind}`}
                  aria-pressed={fault?.kind === kind}
                  onClick={() => send({ service, kind: fault?.kind === kind ? null : kind })}
                >
                  {text.broken.kinds[kind] ?? kind}
                </button>
              ))}
              {fault && <span class="bad">{text.broken.left(fault.secondsLeft)}</span>}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
