import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The first of some content codings that a client accepts, by its header `Accept-Encoding` (RFC 9110, 12.5.3). */
export function codingFor<Coding extends string>(
  header: string | string[] | undefined,
  codings: readonly Coding[],
): Coding | undefined {
  const accepted = new Set(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .filter((range) => !/;\s*q=0(\.0*)?\s*$/.test(range))
      .map((range) => range.replace(/;.*/, '').trim()),
  )
  return codings.find((coding) => accepted.has(coding))
}

/** Compresses answers for clients that accept it, aside from the event loop. */
export interface Compression {
  /**
   * An answer in a coding that the client accepts. Undefined if it is to be sent as it is: it is short, the client
   * accepts no coding, or as many answers as allowed are being compressed.
   */
  compress(request: IncomingMessage, text: string, length: number): Promise<CodedAnswer> | undefined
  /** The coding of an answer of this many bytes, unless too many are being compressed when it is sent. */
  codingOf(request: IncomingMessage, length: number): Coding | undefined
}

/** The bytes of an answer in a coding. */
export interface CodedAnswer {
  readonly bytes: Buffer
  readonly coding: Coding
}

/** From the best to the plainest. */
const codings = ['br', 'gzip'] as const
type Coding = (typeof codings)[number]

/** A shorter answer fits in one packet of the network, compressed or not. */
const minBytes = 1_024

// Answers of the graph become a sixth as long by these: 0.4 ms of a core for 78 kB. Better qualities take twice the time
// for a twentieth less.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const level = { level: 4 }

const compressors: Readonly<Record<Coding, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, quality),
  gzip: (text) => promisify(gzip)(text, level),
}

/** Node.js compresses on four threads, which also look up host names: more answers would only wait there. */
const maxAtOnce = 4

/** Opens compression for a server. */
export function createCompression(): Compression {
  let running = 0
  const codingOf: Compression['codingOf'] = ({ headers }, length) =>
    length < minBytes ? undefined : codingFor(headers['accept-encoding'], codings)
  return {
    codingOf,
    compress(request, text, length) {
      if (running >= maxAtOnce) return undefined
      const coding = codingOf(request, length)
      if (!coding) return undefined
      running += 1
      return compressors[coding](text)
        .then((bytes) => ({ bytes, coding }))
        .finally(() => {
          running -= 1
        })
    },
  }
}
