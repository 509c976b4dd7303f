import { createContext, useContext } from 'react'
import type { Client } from '../client.ts'

const ClientContext = createContext<Client | undefined>(undefined)

/** Gives its client to the hooks below it: `<ClientProvider value={client}>`. */
export const ClientProvider = ClientContext.Provider

/**
 * The client of the `ClientProvider` above.
 * @throws Error if there is none.
 */
export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new Error('There is no <ClientProvider> above this component.')
  return client
}
