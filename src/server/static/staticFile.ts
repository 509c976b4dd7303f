import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { codingFor } from '../http/compression.ts'
import { hasTag } from '../http/etag.ts'
import { type HttpError, sendError } from '../http/httpError.ts'
import { type Reply, writeHead } from '../http/reply.ts'

/** Content codings that files are kept in, from the best to the plainest. */
const codings = ['br', 'gzip', 'identity'] as const

/** The bytes of a file by their coding. Small files have no other than `identity`. */
export type Bodies = Readonly<Partial<Record<(typeof codings)[number], Buffer>>> & {
  readonly identity: Buffer
}

/** A file in memory, ready to be sent. */
export interface StaticFile {
  readonly bodies: Bodies
  /** All headers but those of the coding. */
  readonly headers: Readonly<Record<string, string>>
  /** The HTTP status. Default: 200. */
  readonly status?: number
}

/** How long caches keep a file. */
const cacheControls = {
  /** The name has the hash of the bytes. */
  forever: 'public, max-age=31536000, immutable',
  /** Caches keep the file, and ask before each use whether it is still the same. */
  asked: 'no-cache',
} as const

/** A file of these bytes. `own` are the headers that only this file has, such as its type. */
export function staticFile(
  bodies: Bodies,
  kept: keyof typeof cacheControls,
  own: Readonly<Record<string, string>>,
): StaticFile {
  const etag = `"${createHash('sha256').update(bodies.identity).digest('base64url')}"`
  const headers = {
    etag,
    vary: 'Accept-Encoding',
    'cache-control': cacheControls[kept],
    'x-content-type-options': 'nosniff',
    ...own,
  }
  return { bodies, headers }
}

/** Beyond this, better compression takes seconds for files of megabytes. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Compresses bytes that are made while the gateway runs, aside from its event loop. */
export async function compress(identity: Buffer): Promise<Bodies> {
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity, quality), promisify(gzip)(identity)])
  return { identity, br, gzip: zipped }
}

/**
 * Sends a file to GET and HEAD, in the best coding that the client accepts. `charge` returns the error for a
 * client that may not spend the bytes of it: none if the client has the file already.
 */
export function sendFile(
  { bodies, headers, status = 200 }: StaticFile,
  request: IncomingMessage,
  reply: Reply,
  charge: (bytes: number) => HttpError | undefined,
): void {
  const isKnown = status === 200 && hasTag(request.headers['if-none-match'], headers.etag)
  const kept = codings.filter((coding) => bodies[coding])
  const coding = codingFor(request.headers['accept-encoding'], kept) ?? 'identity'
  const body = bodies[coding] ?? bodies.identity
  const isBodySent = !isKnown && request.method !== 'HEAD'
  const refusal = charge(isBodySent ? body.length : 0)
  if (refusal) {
    sendError(reply, refusal)
    return
  }
  if (isKnown) {
    writeHead(reply, 304, headers).end()
    return
  }
  const response = writeHead(reply, status, {
    ...headers,
    'content-length': body.length,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
  })
  response.end(isBodySent ? body : undefined)
}

/** Inline scripts of a page. Those with other attributes than `src` are inline too. */
const inlineScript = /<script(?![^>]*\ssrc=)(?:\s[^>]*)?>([\s\S]*?)<\/script>/g

/**
 * A content security policy for a page: of all inline scripts, only those of its text run. The sources of other scripts
 * and of styles are such as `'self'`, and further directives such as `font-src data:`. Images
 * come from the server itself, and from the origins `images`.
 */
export function contentPolicy(
  html: string,
  scripts: readonly string[],
  styles: readonly string[],
  further: readonly string[] = [],
  images: readonly string[] = [],
): string {
  const inline = [...html.matchAll(inlineScript)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src ${[...inline, ...scripts].join(' ')}`,
    `style-src ${styles.join(' ')}`,
    ["img-src 'self' data:", ...images].join(' '),
    ...further,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Headers of every page that is HTML. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const
