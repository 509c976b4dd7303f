import { Resolver } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { isPublicAddress } from '#kit/address'
import { asError } from '#kit/errors'
import type { Signal } from '../../kit/clock/signal.ts'
import { MetadataError } from './fault.ts'

/** The addresses of a host. Empty if it has none. */
export type Resolve = (host: string, signal: Signal) => Promise<readonly string[]>

/** Opens a connection, to an address in place of the name of a host. */
export type Dial = buildConnector.connector

/** How connections are made. */
export interface ConnectOptions {
  readonly resolve: Resolve
  readonly dial: Dial
}

/** The most addresses of one host that are tried. */
const maxTried = 4

/**
 * Asks the name servers of the machine, and not its file of hosts. Unlike `dns.lookup` it holds no thread of the few
 * that all of the process shares, however slow the name server of a host is.
 */
export const resolveHost: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/**
 * A connector for one request. All addresses of the host have to be public. The connection is opened to an address
 * that was checked, so that a second answer of a name server changes nothing. Certificates are still compared with
 * the name.
 */
export function connectPublicly({ resolve, dial }: ConnectOptions, signal: Signal): Dial {
  const connect = async (options: buildConnector.Options): Promise<Socket> => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(host) ? [host] : await resolve(host, signal)
    if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
      throw new MetadataError('NOT_PUBLIC')
    }
    let fault: unknown
    for (const address of addresses.slice(0, maxTried)) {
      if (signal.aborted) break
      try {
        return await dialOnce(dial, { ...options, hostname: address })
      } catch (error) {
        fault = error
      }
    }
    throw new MetadataError('UNREACHABLE', { cause: fault })
  }
  return (options, callback) => {
    connect(options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(asError(error), null),
    )
  }
}

const dialOnce = (dial: Dial, options: buildConnector.Options): Promise<Socket> =>
  new Promise((resolve, reject) => {
    dial(options, (error, socket) => {
      if (socket) resolve(socket)
      else reject(asError(error))
    })
  })
