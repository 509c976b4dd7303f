import type { IncomingMessage } from 'node:http'
import type { HttpError } from '../http/requestGuards.ts'
import { type ApiKeys, keyInHeaders, keyInPayload } from './apiKeys.ts'
import { clientOf, forwardedText, type OriginOf } from './proxies.ts'

/**
 * Identifies a client on every transport: `key:<name>` for a client with an API key, `local:<address>` for a
 * client on this machine that no proxy names, otherwise `ip:<address or IPv6 network>`.
 */
export type ClientKey = `${'key' | 'local' | 'ip'}:${string}`

/** How clients are identified. */
export interface IdentifyOptions {
  readonly originOf: OriginOf
  readonly apiKeys: ApiKeys
  readonly requireApiKey: boolean
}

/** Finds out which client sends a request. */
export interface Identify {
  ofRequest(request: IncomingMessage): ClientKey | HttpError
  /** The client that opens a WebSocket, which may still send its key in a message. */
  ofUpgrade(request: IncomingMessage): ClientKey | HttpError
  /**
   * The client of an open WebSocket after its `connection_init` message. Undefined if the key in it is not
   * valid, or is required and absent.
   */
  ofPayload(client: ClientKey, payload: Readonly<Record<string, unknown>>): ClientKey | undefined
}

/** Identifies clients by their API keys, and those without one by their addresses. */
export function createIdentify({ originOf, apiKeys, requireApiKey }: IdentifyOptions): Identify {
  const isAllowed = (client: ClientKey) => !requireApiKey || client.startsWith('key:')

  const byKey = (key: string): ClientKey | undefined => {
    const name = apiKeys.nameOf(key)
    return name === undefined ? undefined : `key:${name}`
  }

  const ofUpgrade = (request: IncomingMessage): ClientKey | HttpError => {
    const key = apiKeys.isEmpty ? undefined : keyInHeaders(request.headers)
    if (key !== undefined) return byKey(key) ?? unauthenticated('The API key is not valid.')
    return byAddress(request)
  }

  // Requests of one connection mostly have one origin, and finding it takes some microseconds.
  const known = new WeakMap<object, { readonly forwarded: string; readonly client: ClientKey }>()

  const byAddress = (request: IncomingMessage): ClientKey => {
    const forwarded = forwardedText(request.headers)
    const last = known.get(request.socket)
    if (last?.forwarded === forwarded) return last.client
    const { address, isLocal } = originOf(request)
    const client: ClientKey = `${isLocal ? 'local' : 'ip'}:${clientOf(address)}`
    known.set(request.socket, { forwarded, client })
    return client
  }

  return {
    ofUpgrade,

    ofRequest(request) {
      const client = ofUpgrade(request)
      return typeof client !== 'string' || isAllowed(client) ? client : unauthenticated(keyRequired)
    },

    ofPayload(client, payload) {
      const key = apiKeys.isEmpty ? undefined : keyInPayload(payload)
      if (key !== undefined) return byKey(key)
      return isAllowed(client) ? client : undefined
    },
  }
}

const keyRequired = 'An API key is required, as `Authorization: Bearer` or `X-API-Key`.'

const unauthenticated = (message: string): HttpError => ({
  status: 401,
  code: 'UNAUTHENTICATED',
  message,
  headers: { 'www-authenticate': 'Bearer' },
})
