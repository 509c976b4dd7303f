import './dom.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Client } from '../../src/client.ts'
import { ClientProvider } from '../../src/react.ts'

/** Shows a component below a client, in StrictMode. */
export function mount(client: Client, initial: React.ReactNode) {
  const element = document.createElement('div')
  const root = createRoot(element)
  const show = (content: React.ReactNode, of = client) =>
    root.render(
      <StrictMode>
        <ClientProvider value={of}>{content}</ClientProvider>
      </StrictMode>,
    )
  show(initial)
  return { show, text: () => element.textContent ?? '', unmount: () => root.unmount() }
}
