import { Resolver } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isAllowedAddress } from './address.ts'

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

/** Asks the name servers of the machine. */
export const resolveHost: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
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
    throw new Error('A receiver needs https.')
  const isUsual = url.port === '' || ports.includes(Number(url.port))
  if (!isUsual && !allowsPrivate) throw new Error(`The port ${url.port} is not among those that are allowed.`)
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
    const areAllowed = addresses.length > 0 && addresses.every((each) => isAllowedAddress(each, rules.allowsPrivate))
    if (!areAllowed) throw new Error('The host has no address that messages may be sent to.')
    return addresses
  }
  return async ({ url: text, headers, body, signal }) => {
    const url = checkReceiver(text, rules)
    const addresses = await allowed(url.hostname.replace(/^\[|\]$/g, ''))
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
