import type { Client } from '@portolan/client'
import { useClient } from '@portolan/client/react'
import { useEffect } from 'preact/hooks'
import { HeadHeightsDocument } from '../generated/graphql.ts'

/** Calls back each time the connection to the gateway is there again. The returned function stops it. */
export function onReturn(client: Client, callback: () => void): () => void {
  let wasAway = client.status !== 'live'
  return client.onStatus(() => {
    const isAway = client.status !== 'live'
    if (wasAway && !isAway) callback()
    wasAway = isAway
  })
}

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
