import { useClient } from '@portolan/client/react'
import { useEffect } from 'preact/hooks'
import { HeadHeightsDocument } from '../generated/graphql.ts'

/**
 * Keeps the connection open on every page, by the heights of one chain: the client notices a loss and a return only
 * while it has a subscription.
 */
export function useConnection(chainId: string | undefined): void {
  const client = useClient()
  useEffect(() => {
    if (chainId === undefined) return
    const live = client.subscribe(HeadHeightsDocument, { chainIds: [chainId] })
    const drain = async () => {
      for await (const _ of live);
    }
    // One that the gateway refuses says nothing that the page does not show.
    drain().catch(() => {})
    return () => void live.return()
  }, [client, chainId])
}
