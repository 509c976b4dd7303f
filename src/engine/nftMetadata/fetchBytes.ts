import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Client, type Dispatcher } from 'undici'
import type { Signal } from '../../kit/clock/signal.ts'
import { type ConnectOptions, connectPublicly } from './connect.ts'
import { MetadataError } from './fault.ts'
import { checkUrl } from './target.ts'

/** The most redirects that are followed. */
const maxRedirects = 3

/** The headers of each request. A host learns nothing else of the gateway. */
const headers = {
  accept: '*/*',
  'accept-encoding': 'gzip, br',
  'user-agent': 'Portolan',
}

/**
 * The bytes at a URL, decompressed. Each redirect is checked as the first URL is. Rejects with `MetadataError`, and with
 * anything when the signal aborts, which closes the connection.
 */
export async function fetchBytes(
  start: URL,
  options: ConnectOptions,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: Signal },
): Promise<Buffer> {
  const abort = new AbortController()
  signal.addEventListener('abort', () => abort.abort(signal.reason))
  let url = start
  for (let redirects = 0; ; redirects += 1) {
    // Each request has its own connection: a kept connection could belong to an older check.
    const client = new Client(url.origin, {
      connect: connectPublicly(options, signal),
      // The signal is the one deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    try {
      const response = await request(client, url, abort.signal)
      const location = response.headers.location
      if (!isRedirect(response.statusCode)) return await readBody(response, maxBytes)
      if (redirects === maxRedirects || typeof location !== 'string') {
        throw new MetadataError('REJECTED')
      }
      url = checkUrl(location, url)
    } catch (error) {
      throw error instanceof MetadataError ? error : new MetadataError('UNREACHABLE', { cause: error })
    } finally {
      void client.destroy()
    }
  }
}

async function request(client: Client, url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const path = url.pathname + url.search
  const response = await client.request({ method: 'GET', path, headers, signal })
  // A body that nobody reads fails when its connection is closed.
  response.body.on('error', () => {})
  return response
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const decoders: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

async function readBody({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  if (statusCode !== 200) throw new MetadataError('REJECTED')
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new MetadataError('TOO_LARGE')
  const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  if (coding === 'identity') return readStream(body, maxBytes)
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  if (!decoder) throw new MetadataError('REJECTED')
  // Errors reach the reader of the last stream.
  return readStream(
    pipeline(body, decoder(), () => {}),
    maxBytes,
  )
}

async function readStream(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new MetadataError('TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
