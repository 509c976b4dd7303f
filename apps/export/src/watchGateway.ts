import type { ExportIo } from './io.ts'

/** A request that is older has its gateway named, in milliseconds. */
const patienceMs = 8_000

/** A gateway as its requests find it. */
export interface WatchedGateway {
  readonly fetch: typeof fetch
  /** What is wrong with it, in a sentence that names its host. Undefined while it answers. */
  problem(): string | undefined
}

/** Says on the error stream that a gateway is away, and why, as soon as that is known. It changes no request. */
export function watchGateway(url: string, io: Pick<ExportIo, 'err' | 'isTerminal' | 'signal'>): WatchedGateway {
  const { host } = new URL(url)
  let problem: string | undefined
  const tell = (what: string) => {
    const sentence = `${host} ${what}.`
    if (sentence !== problem && !io.signal.aborted) io.err(`${io.isTerminal ? '\r\x1b[K' : ''}${sentence}\n`)
    problem = sentence
  }
  return {
    problem: () => problem,
    async fetch(...request) {
      let isSlow = false
      const timer = setTimeout(() => {
        isSlow = true
        tell(`has not answered for ${patienceMs / 1_000} s`)
      }, patienceMs)
      try {
        const response = await globalThis.fetch(...request)
        // A body that does not come is no answer either.
        const body = await response.arrayBuffer()
        // A gateway that is always slow is named once.
        if (!isSlow) problem = undefined
        const { status, headers } = response
        return new Response(body.byteLength > 0 ? body : null, { status, headers })
      } catch (error) {
        tell(causeOf(error))
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const causes: readonly (readonly [codes: RegExp, what: string])[] = [
  [/^ECONNREFUSED$/, 'refuses connections: nothing listens there'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'has no address: its name cannot be resolved'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'broke the connection off'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/, 'cannot be reached over the network'],
  // OpenSSL takes the first bytes of an answer over plain HTTP for the version or the length of a record.
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, 'speaks no TLS: write http:// in place of https://'],
  [/CERT|SIGNATURE|SSL|TLS/, 'has no certificate that this computer trusts'],
]

/** What an error of `fetch` says of the gateway. Its cause has a code. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be reached'
  if (error.name === 'AbortError') return 'did not answer in time'
  const cause = error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause ? String(cause.code) : ''
  return causes.find(([codes]) => codes.test(code))?.[1] ?? `cannot be reached (${code || cause.message})`
}
