import { type ComponentType, type ReactNode, StrictMode, type UIEvent } from 'react'
import { createRoot } from 'react-dom/client'
import type { Row } from './documents.ts'

/** What all three pages show. The address of the page names the gateway and what is watched. */
const { searchParams } = new URL(location.href)
export const url = searchParams.get('gateway') ?? '/graphql'
export const [chainId, address, hash] = ['chain', 'address', 'hash'].map((name) => searchParams.get(name) ?? '') as [
  string,
  string,
  string,
]

interface ViewProps {
  readonly status: string
  readonly heights: readonly (number | undefined)[]
  readonly state: string | undefined
  /** The activity. */
  readonly children: ReactNode
}

export const View = ({ status, heights, state, children }: ViewProps) => (
  <main data-status={status}>
    <p id="transfer">{state}</p>
    <ol id="blocks">{heights.map((height) => height && <li key={height}>{height}</li>)}</ol>
    {children}
  </main>
)

interface RowsProps {
  readonly rows: readonly Row[]
  readonly loadMore: () => void
  /** What the rows lack, such as those of a chain. */
  readonly error: { readonly message: string } | undefined
}

export const Rows = ({ rows, loadMore, error }: RowsProps) => (
  <>
    {error && <p>Not everything can be shown: {error.message}</p>}
    <ol id="activity" style={{ height: 120, overflow: 'auto' }} onScroll={atEnd(loadMore)}>
      {rows.map(({ id, hash, actions }) => (
        <li key={id} data-hash={hash}>
          {actions?.[0]?.title ?? hash}
        </li>
      ))}
    </ol>
  </>
)

const atEnd =
  (load: () => void) =>
  ({ currentTarget: list }: UIEvent) => {
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 20) load()
  }

/** Shows a page inside of a provider. */
export const show = <Value,>(
  Page: () => ReactNode,
  Provider: ComponentType<{ client: Value; value: Value; children: ReactNode }>,
  client: Value,
) => {
  createRoot(document.body.appendChild(document.createElement('div'))).render(
    <StrictMode>
      <Provider client={client} value={client}>
        <Page />
      </Provider>
    </StrictMode>,
  )
}
