import { lookup as lookUp } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivateAddress, isPublicAddress } from '#kit/address'

/** The addresses of a host. Empty if it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** Where messages may be sent. */
export interface PostRules {
  /** Whether receivers in private networks are allowed, and those without TLS. */
  readonly allowsPrivate: boolean
  /** Ports besides 443. */
  readonly ports: readonly number[]
}

/** A message, and how long its receiver may take. */
export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Aborts when the receiver has taken too long, or nobody waits any longer. */
  readonly signal: AbortSignal
}

/** What a receiver answered. Its body is never read: it could be endless, and must not be in a log. */
export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** Why a message was not sent. Its text has no URL and no address, so that it may be in a log. */
export class PostRefusal extends Error {
  override readonly name = 'PostRefusal'
}

/** Codes of a host that has no address. A name server that does not answer has others. */
const unknownHost = /^(ENOTFOUND|EAI_NODATA|EAI_NONAME)$/

/** Asks what the machine asks: its file of hosts, and its name servers with their search domains. */
export const resolveHost: Resolve = async (host) => {
  try {
    return (await lookUp(host, { all: true })).map(({ address }) => address)
  } catch (error) {
    const { code = 'unknown fault' } = error as NodeJS.ErrnoException
    if (unknownHost.test(code)) return []
    throw new PostRefusal(`its host could not be looked up (${code})`)
  }
}

/**
 * The URL of a receiver.
 * @throws Error if messages may not be sent there, whatever its addresses are.
 */
export function checkReceiver(text: string, { allowsPrivate, ports }: PostRules): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username !== '' || url.password !== '')
    throw new Error('The URL of a receiver has no credentials, and is a whole one.')
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:'))
    throw new Error('A receiver needs https. With `allowPrivate: true` in the file of hooks, it can have http.')
  const isUsual = url.port === '' || ports.includes(Number(url.port))
  if (!isUsual && !allowsPrivate)
    throw new Error(`The port ${url.port} is not allowed. Name it in \`ports\` of the file of hooks.`)
  return url
}

/**
 * Sends a message over a connection of its own, to an address that was checked: a second answer of a name server changes
 * nothing. It follows no redirect. Rejects if the receiver cannot be reached, or must not be.
 */
export function createPost(
  rules: PostRules,
  resolve: Resolve = resolveHost,
): (message: Message) => Promise<PostAnswer> {
  const allowed = async (host: string): Promise<readonly string[]> => {
    const addresses = isIP(host) ? [host] : await resolve(host)
    if (addresses.length === 0) throw new PostRefusal('its host was not found')
    const areAllowed = (allowsPrivate: boolean) =>
      addresses.every((each) => isPublicAddress(each) || (allowsPrivate && isPrivateAddress(each)))
    if (areAllowed(rules.allowsPrivate)) return addresses
    if (areAllowed(true))
      throw new PostRefusal('its host is in a private network, which needs `allowPrivate: true` in the file of hooks')
    throw new PostRefusal('its host has an address that no message may be sent to')
  }
  return async ({ url: text, headers, body, signal }) => {
    const url = checkReceiver(text, rules)
    signal.throwIfAborted()
    // A name server can take longer than the receiver may.
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    const addresses = await Promise.race([allowed(url.hostname.replace(/^\[|\]$/g, '')), aborted])
    const lookup: LookupFunction = (_host, { all }, callback) => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }))
      if (all) return callback(null, found)
      callback(null, found[0]?.address ?? '', found[0]?.family)
    }
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((done, fail) => {
      const sent = send(url, {
        ...{ method: 'POST', agent: false, lookup, signal },
        headers: { 'content-type': 'application/json', 'user-agent': 'Portolan-Hooks', ...headers },
      })
      sent.on('error', fail)
      sent.on('response', (response) => {
        done({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] })
        response.destroy()
      })
      sent.end(body)
    })
  }
}
