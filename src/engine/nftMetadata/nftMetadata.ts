import { buildConnector } from 'undici'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { SharedWork } from '../../kit/cache/singleFlight.ts'
import { typedCache } from '../../kit/cache/typedCache.ts'
import { typedKey } from '../../kit/cache/typedKey.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import { type ConnectOptions, resolveHost } from './connect.ts'
import { readDataUri } from './dataUri.ts'
import { type Metadata, readMetadata } from './document.ts'
import { MetadataError, type MetadataFault } from './fault.ts'
import { createFetchTurns, fetchMs, type MetadataCaller } from './fetchTurns.ts'
import { absoluteUri, type ContentGateways, isDataUri, parseTarget } from './target.ts'

/** Reads the metadata of NFTs by their URIs. */
export interface NftMetadata {
  /** The metadata at a URI. Rejects with `MetadataError` if there is none, or with the reason of the signal. */
  read(uri: string, caller: MetadataCaller): Promise<Metadata>
  /**
   * The URL at which browsers can load the picture at a URI: at the operator's proxy for pictures, or itself if it
   * contains the picture. Null without such a proxy, and for a URI that no gateway fetches.
   */
  pictureUrl(uri: string): string | null
}

/** How metadata are read. */
export interface NftMetadataParts {
  readonly gateways: ContentGateways
  /** The URL of a picture at the operator's proxy, with `{url}` where that of the picture goes. */
  readonly pictureUrl: string | undefined
  /** Only what URIs hold themselves is read. */
  readonly isOffline: boolean
  readonly clock: Clock
  readonly cache: CacheStore
  /** Parts that tests replace. Default: the name servers and the network of the machine. */
  readonly connect?: Partial<ConnectOptions> | undefined
}

type ReadResult = { readonly metadata: Metadata; readonly size: number } | { readonly fault: MetadataFault }

/** The most bytes of metadata, decompressed. Traits and texts take some hundreds. */
const maxMetadataBytes = 256 * 1_024

/** Milliseconds that metadata are kept, and that the failure to read them is. */
const [ttlMs, faultTtlMs] = [3_600_000, 60_000]

/** Memory for metadata. */
const maxCacheBytes = 16 * 1_024 * 1_024

/** Bytes of an entry besides its texts, which may have two bytes for a character. */
const entryBytes = 4_096

/** Opens the reading of metadata. They are read once for all readers, and kept. Nothing is fetched before it is asked for. */
export function createNftMetadata({ cache, clock, gateways, isOffline, ...parts }: NftMetadataParts): NftMetadata {
  const connect = {
    resolve: resolveHost,
    dial: buildConnector({ timeout: fetchMs, maxCachedSessions: 0 }),
    ...parts.connect,
  }
  const turns = createFetchTurns(clock, connect)
  const kept = typedCache(cache.open({ name: 'nftMetadata', maxBytes: maxCacheBytes, ttlMs }))
  const work = new SharedWork()

  const fetch = (url: URL, caller: MetadataCaller): Promise<ReadResult> =>
    turns({ url, maxBytes: maxMetadataBytes, ...caller })
      .then((bytes): ReadResult => ({ metadata: readMetadata(bytes), size: bytes.length }))
      .catch(toFault)

  const read = async (uri: string, caller: MetadataCaller): Promise<Metadata> => {
    if (isDataUri(uri)) return readMetadata(readDataUri(uri, maxMetadataBytes))
    const url = parseTarget(uri, gateways)
    if (isOffline) throw new MetadataError('UNREACHABLE')
    const key = typedKey<ReadResult>(url.href)
    const known = kept.get(key)
    if (known) return metadataOf(known)
    const { budget } = caller.requester
    budget?.send()
    const result = await work.run(key, caller.signal, async (signal) => {
      const result = await fetch(url, { ...caller, signal })
      if ('metadata' in result) kept.set(key, result, entryBytes + result.size * 2)
      // BUSY says nothing about the content, so it is not kept.
      else if (result.fault !== 'BUSY') kept.set(key, result, entryBytes, faultTtlMs)
      return result
    })
    if ('size' in result) budget?.receive(result.size)
    budget?.check()
    return metadataOf(result)
  }

  return {
    async read(uri, caller) {
      const metadata = await read(uri, caller)
      const { image, animation } = metadata
      return {
        ...metadata,
        image: image && absoluteUri(image, uri),
        animation: animation && absoluteUri(animation, uri),
      }
    },
    pictureUrl(uri) {
      if (isPicture(uri)) return uri.trim()
      if (parts.pictureUrl === undefined || isDataUri(uri)) return null
      try {
        const { href } = parseTarget(uri, gateways)
        return parts.pictureUrl.replace('{url}', () => encodeURIComponent(href))
      } catch {
        return null
      }
    },
  }
}

/** Whether a URI contains a picture of a kind that browsers draw. In an `<img>`, an SVG runs no script and loads nothing. */
const isPicture = (uri: string): boolean => /^\s*data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(uri)

function toFault(error: unknown): { readonly fault: MetadataFault } {
  if (error instanceof MetadataError) return { fault: error.fault }
  throw error
}

function metadataOf(result: ReadResult): Metadata {
  if ('fault' in result) throw new MetadataError(result.fault)
  return result.metadata
}
