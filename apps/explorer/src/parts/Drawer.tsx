import { useEffect, useState } from 'preact/hooks'
import { hasKey, keyHeaders } from '../app/apiKey.ts'
import { useNow } from '../app/useNow.tsx'
import { text } from '../text.ts'
import { ageOf, ago, bytes } from '../values/format.ts'
import { CopyButton } from './CopyButton.tsx'
import { clientCode, indented, isSubscription } from './clientCode.ts'
import { Dialog } from './Dialog.tsx'
import type { Operation } from './Operation.ts'

/** The path of the graph. */
const endpoint = '/graphql'

/** The operations behind a panel: what they ask for, what they cost, and how to run them elsewhere. */
export function Drawer({ operations, onClose }: { operations: readonly Operation[]; onClose: () => void }) {
  return (
    <Dialog title={text.behind} onClose={onClose}>
      {operations.map((operation) => (
        <Behind key={String(operation.document)} {...operation} />
      ))}
    </Dialog>
  )
}

function Behind({ document, variables, loadedAt }: Operation) {
  const now = useNow()
  const query = indented(String(document))
  const json = JSON.stringify(variables, null, 2)
  const body = JSON.stringify({ query, variables })
  const curl = `curl -s ${location.origin}${endpoint} -H 'content-type: application/json'${hasKey() ? ' -H "authorization: Bearer $KEY"' : ''} -d '${body.replaceAll("'", "'\\''")}'`
  const link = `${endpoint}?${new URLSearchParams({ query, variables: json })}`
  const code = clientCode({ query, variables: json, url: location.origin + endpoint })
  const isStream = isSubscription(query)
  return (
    <article>
      <p class="cost">{isStream ? text.costOfStream : <Cost body={body} />}</p>
      {loadedAt !== undefined && <p class="note">{text.readAgo(ago(ageOf(new Date(loadedAt).toISOString(), now)))}</p>}
      <p class="actions">
        <a href={link}>{text.openInGraphiql}</a> <CopyButton value={curl} label={text.asCurl} />
        <span>{text.asCurl}</span> <CopyButton value={code} label={text.asClient} />
        <span>{text.asClient}</span>
      </p>
      <Code label={text.document}>{query}</Code>
      <Code label={text.variables}>{json}</Code>
    </article>
  )
}

const Code = ({ label, children }: { label: string; children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
  <section tabIndex={0} aria-label={label}>
    <pre>{children}</pre>
  </section>
)

interface CostParts {
  readonly points: number
  readonly upstreamRequests: number
  readonly upstreamBytes: number
}

/** Runs the query once more, and shows what it cost this time. */
function Cost({ body }: { body: string }) {
  const [cost, setCost] = useState<CostParts | null>()
  useEffect(() => {
    const abort = new AbortController()
    fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'graphql-cost-debug': '1',
        ...keyHeaders(),
      },
      body,
      signal: abort.signal,
    })
      .then((response) => response.json())
      .then((result) => setCost(result.extensions?.cost ?? null))
      .catch(() => setCost(null))
    return () => abort.abort()
  }, [body])
  if (cost === undefined) return <>{text.loading}…</>
  if (cost === null) return <>{text.costUnknown}</>
  return <>{text.costOf(cost.points, cost.upstreamRequests, bytes(cost.upstreamBytes))}</>
}
