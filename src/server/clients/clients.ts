import type { Log } from '../observability/log.ts'
import { createApiKeys } from './apiKeys.ts'
import { createIdentify, type Identify } from './identify.ts'
import { createOriginOf } from './proxies.ts'

/** How clients are told apart. */
export interface ClientOptions {
  /**
   * Proxies whose `X-Forwarded-For` or `Forwarded` header names the client: addresses, networks such as
   * `10.0.0.0/8`, and the names `loopback`, `linklocal` and `uniquelocal`. Default: `loopback`.
   */
  readonly trustedProxies?: readonly string[] | undefined
  /** The API keys of clients, by the names of the clients. Default: none. */
  readonly apiKeys?: ReadonlyMap<string, string> | undefined
  /** Refuse clients without an API key. Default: false. */
  readonly requireApiKey?: boolean | undefined
}

/** Tells clients apart by their API keys and addresses. */
export const createClients = (options: ClientOptions, log: Log): Identify =>
  createIdentify({
    originOf: createOriginOf({
      trustedProxies: options.trustedProxies ?? ['loopback'],
      onUntrusted: (address) => log.warn({ address }, untrusted),
    }),
    apiKeys: createApiKeys(options.apiKeys ?? new Map()),
    requireApiKey: options.requireApiKey ?? false,
  })

const untrusted =
  'A proxy that is not in TRUSTED_PROXIES forwards requests. All its clients count as one client.'
