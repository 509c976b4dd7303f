import type { Client } from '@portolan/client'
import { useClient } from '@portolan/client/react'
import { useContext, useEffect, useState } from 'preact/hooks'
import { CollectionNameDocument } from '../generated/graphql.ts'
import { NamesContext } from './NamesContext.ts'

const asked = new Map<string, Promise<string | null | undefined>>()

/** The name of a collection, which is asked for once. Null if the indexer lists no such collection, or it has no name. */
function readName(client: Client, chainId: string, address: string) {
  const key = `${chainId} ${address.toLowerCase()}`
  const name =
    asked.get(key) ??
    client.query(CollectionNameDocument, { chainId, address }).then(({ nftCollection }) => nftCollection?.name)
  asked.set(key, name)
  // After a fault, the next row that has the collection asks again.
  name.catch(() => asked.delete(key))
  return name
}

/**
 * The name of an NFT collection: as the page knows it, else as the indexer does. Undefined until it is known, for one without
 * a name, and without an address.
 */
export function useCollectionName(chainId: string, address: string | undefined): string | undefined {
  const client = useClient()
  const known = useContext(NamesContext).get(address?.toLowerCase() ?? '')?.name
  const [read, setRead] = useState<{ readonly address: string; readonly name: string | null | undefined }>()
  useEffect(() => {
    if (!address || known) return
    let isShown = true
    readName(client, chainId, address).then(
      (name) => isShown && setRead({ address, name }),
      () => {},
    )
    return () => {
      isShown = false
    }
  }, [client, chainId, address, known])
  return known ?? (read?.address === address ? (read?.name ?? undefined) : undefined)
}
