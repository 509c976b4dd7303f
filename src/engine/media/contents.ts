import type { CacheStore } from '../../kit/cache/cache.ts'
import { SharedWork } from '../../kit/cache/singleFlight.ts'
import { typedCache } from '../../kit/cache/typedCache.ts'
import { typedKey } from '../../kit/cache/typedKey.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { Limits } from '../limits/limits.ts'
import type { Signer } from '../signing/signer.ts'
import type { ConnectOptions } from './connect.ts'
import { MediaError, type MediaFault } from './fault.ts'
import type { FetchTurns, MediaCaller } from './fetchTurns.ts'
import { isDataUri, type MediaGateways, parseTarget } from './target.ts'

/** A form that content is parsed into. */
export interface ContentKind<T> {
  readonly name: string
  readonly maxBytes: number
  /** Bytes of memory for each byte of content. */
  readonly bytesInMemory: number
  /** Throws `MediaError` for other content. */
  readonly read: (bytes: Buffer) => T
}

/** Content at URIs. */
export interface Contents {
  /** Rejects with `MediaError`, or with the reason of the caller's signal. */
  read<T>(kind: ContentKind<T>, uri: string, caller: MediaCaller): Promise<T>
  /** How often content was fetched, by outcome: `OK` or a reason. */
  readonly outcomes: ReadonlyMap<string, number>
}

/** How media are read. */
export interface MediaOptions {
  readonly limits: Limits
  readonly gateways: MediaGateways
  /** The URL of the gateway, as the start of the URLs of pictures. Left out, they are paths. */
  readonly baseUrl?: string | undefined
  /** Only what URIs hold themselves is read. */
  readonly isOffline: boolean
  readonly clock: Clock
  readonly cache: CacheStore
  readonly signer: Pick<Signer, 'sign' | 'verify'>
  /** Parts that tests replace. Default: the name servers and the network of the machine. */
  readonly connect?: Partial<ConnectOptions> | undefined
}

type ContentResult<T> = { readonly value: T; readonly size: number } | { readonly fault: MediaFault }

/** Milliseconds before content that could not be read is fetched again. */
const faultTtlMs = 60_000

/** Bytes of an entry besides its content. */
const entryBytes = 4_096

/** Reads the content of URIs, once for all readers, and keeps it. A failure is kept too, for a shorter time. */
export function createContents({ cache, limits, isOffline, gateways }: MediaOptions, turns: FetchTurns): Contents {
  const { mediaCacheBytes: maxBytes, mediaCacheTtlMs: ttlMs } = limits
  const kept = typedCache(cache.open({ name: 'media', maxBytes, ttlMs }))
  const work = new SharedWork()
  const outcomes = new Map<string, number>()

  const fetch = async <T>(
    { maxBytes, read }: ContentKind<T>,
    url: URL,
    caller: MediaCaller,
  ): Promise<ContentResult<T>> => {
    const outcome = await turns({ url, maxBytes, ...caller })
      .then((bytes): ContentResult<T> => ({ value: read(bytes), size: bytes.length }))
      .catch(toFault)
    const name = 'fault' in outcome ? outcome.fault : 'OK'
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
    return outcome
  }

  return {
    outcomes,
    async read(kind, uri, caller) {
      if (isDataUri(uri)) return kind.read(readDataUri(uri, kind.maxBytes))
      const url = parseTarget(uri, gateways)
      if (isOffline) throw new MediaError('UNREACHABLE')
      type Value = ReturnType<typeof kind.read>
      const key = typedKey<ContentResult<Value>>(`${kind.name} ${url.href}`)
      const known = kept.get(key)
      if (known) return contentOf(known)
      const { budget } = caller.requester
      budget?.send()
      const outcome = await work.run(key, caller.signal, async (signal) => {
        const outcome = await fetch<Value>(kind, url, { ...caller, signal })
        if ('value' in outcome) kept.set(key, outcome, entryBytes + outcome.size * kind.bytesInMemory)
        // BUSY says nothing about the content, so it is not kept.
        else if (outcome.fault !== 'BUSY') kept.set(key, outcome, entryBytes, faultTtlMs)
        return outcome
      })
      if ('size' in outcome) budget?.receive(outcome.size)
      budget?.check()
      return contentOf(outcome)
    },
  }
}

function toFault(error: unknown): { readonly fault: MediaFault } {
  if (error instanceof MediaError) return { fault: error.fault }
  throw error
}

function contentOf<T>(outcome: ContentResult<T>): T {
  if ('fault' in outcome) throw new MediaError(outcome.fault)
  return outcome.value
}

/**
 * The bytes of a `data:` URI (RFC 2397), whatever type it names, or of JSON in place of one. Contracts often leave text
 * unescaped, so a percent sign that escapes nothing stands for itself. Throws `MediaError` if there are too many bytes.
 */
export function readDataUri(uri: string, maxBytes: number): Buffer {
  if (!/^\s*data:/i.test(uri)) return readText(uri, maxBytes)
  const comma = uri.indexOf(',')
  if (comma < 0) throw new MediaError('UNSUPPORTED_URI')
  // A byte takes at most three characters.
  if (uri.length - comma > maxBytes * 4) throw new MediaError('TOO_LARGE')
  const isBase64 = /;\s*base64\s*$/i.test(uri.slice(0, comma))
  const content = unescaped(uri.slice(comma + 1))
  const bytes = isBase64 ? Buffer.from(content.toString('latin1'), 'base64') : content
  if (bytes.length > maxBytes) throw new MediaError('TOO_LARGE')
  return bytes
}

function readText(text: string, maxBytes: number): Buffer {
  if (Buffer.byteLength(text) > maxBytes) throw new MediaError('TOO_LARGE')
  return Buffer.from(text)
}

function unescaped(text: string): Buffer {
  if (!text.includes('%')) return Buffer.from(text)
  const parts = text.split(/((?:%[\da-f]{2})+)/i)
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 1 ? Buffer.from(part.replaceAll('%', ''), 'hex') : Buffer.from(part))),
  )
}
