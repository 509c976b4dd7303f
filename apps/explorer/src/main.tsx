import { createClient } from '@portolan/client'
import { ClientProvider } from '@portolan/client/react'
import { render } from 'preact'
import { App } from './app/App.tsx'
import { apiKey } from './app/apiKey.ts'
import { earlyFetch } from './app/earlyFetch.ts'
import { resumes } from './generated/resumes.ts'

const client = createClient({ url: '/graphql', resumes, apiKey: apiKey(), fetch: earlyFetch })
const root = document.getElementById('app')
if (root) {
  render(
    <ClientProvider value={client}>
      <App />
    </ClientProvider>,
    root,
  )
}
