import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../engine/upstream/error.ts'
import type { Client } from './client.ts'
import { forwardedText, type OriginOf, toClient } from './proxies.ts'

/**
 * Identifies a client on every transport: `key:<name>` for a client with an API key, `local:<address>` for a
 * client on this machine that no proxy names, otherwise `ip:<address or IPv6 network>`.
 */
export type ClientKey = `${'key' | 'local' | 'ip'}:${string}`

/** The error for a client without the key that it needs. */
export interface KeyError {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly headers: Record<string, string>
}

/** Finds out which client sends a request. */
export interface Identify {
  ofRequest(request: IncomingMessage): Client | KeyError
  /** The client that opens a WebSocket, which may still send its key in a message. */
  ofUpgrade(request: IncomingMessage): Client | KeyError
  /**
   * The client of an open WebSocket after its `connection_init` message. Undefined if the key in it is not
   * valid, or is required and absent.
   */
  ofPayload(client: Client, payload: Readonly<Record<string, unknown>>): Client | undefined
  /** Why the client of an open WebSocket may begin nothing more: its key was removed, or one is required now. */
  refusalOf(client: Client): string | undefined
}

/** Identifies clients by their API keys, and those without one by their addresses. */
export function createIdentify(
  openClient: (key: ClientKey) => Client,
  originOf: OriginOf,
  keys: () => ApiKeys,
): Identify {
  const isAllowed = ({ key }: Client) => !keys().areRequired || key.startsWith('key:')

  const byKey = (key: string): Client | undefined => {
    const name = keys().nameOf(key)
    return name === undefined ? undefined : openClient(`key:${name}`)
  }

  const ofUpgrade = (request: IncomingMessage): Client | KeyError => {
    const key = keys().isEmpty ? undefined : keyInHeaders(request.headers)
    if (key !== undefined) return byKey(key) ?? unauthenticated('The API key is not valid.')
    return byAddress(request)
  }

  // Requests of one connection mostly have one origin, and finding it takes some microseconds.
  const known = new WeakMap<object, { readonly forwarded: string; readonly client: Client }>()

  const byAddress = (request: IncomingMessage): Client => {
    const forwarded = forwardedText(request.headers)
    const last = known.get(request.socket)
    if (last?.forwarded === forwarded) return last.client
    const { address, isLocal } = originOf(request)
    const client = openClient(`${isLocal ? 'local' : 'ip'}:${toClient(address)}`)
    known.set(request.socket, { forwarded, client })
    return client
  }

  return {
    ofUpgrade,

    ofRequest(request) {
      const client = ofUpgrade(request)
      return 'status' in client || isAllowed(client) ? client : unauthenticated(keyRequired)
    },

    ofPayload(client, payload) {
      const key = keys().isEmpty ? undefined : keyInPayload(payload)
      if (key !== undefined) return byKey(key)
      return isAllowed(client) ? client : undefined
    },

    refusalOf(client) {
      const [kind, name = ''] = client.key.split(/:(.*)/s)
      if (kind === 'key') return keys().hasName(name) ? undefined : 'The API key is no longer valid.'
      return isAllowed(client) ? undefined : keyRequired
    },
  }
}

const keyRequired = 'An API key is required, as `Authorization: Bearer` or `X-API-Key`.'

const unauthenticated = (message: string): KeyError => ({
  status: 401,
  code: 'UNAUTHENTICATED',
  message,
  headers: { 'www-authenticate': 'Bearer' },
})

/** Finds the clients of API keys. */
export interface ApiKeys {
  /** The name of the client with this key. Undefined if there is none. */
  nameOf(key: string): string | undefined
  /** Whether a client of this name has a key. */
  hasName(name: string): boolean
  /** Whether there are no keys. No key is required or refused then. */
  readonly isEmpty: boolean
  /** Whether clients without a key are refused. */
  readonly areRequired: boolean
}

/** The keys of clients by the names of the clients. */
export function createApiKeys(keys: ReadonlyMap<string, string> = new Map(), areRequired = false): ApiKeys {
  // Keys are found by their hashes. The time that takes is the same for every wrong key.
  const names = new Map([...keys].map(([name, key]) => [digest(key), name]))
  return {
    nameOf: (key) => names.get(digest(key)),
    hasName: (name) => keys.has(name),
    isEmpty: names.size === 0,
    areRequired,
  }
}

const digest = (key: string): string => createHash('sha256').update(key).digest('base64')

/** The headers that a key can be in. */
export const keyHeaders = ['Authorization', 'X-API-Key'] as const

/** Whether a request has a header for a key, whatever is in it. */
export const hasKeyHeader = (headers: IncomingHttpHeaders): boolean =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined

/** The key in `X-API-Key` or `Authorization: Bearer`. */
function keyInHeaders(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key']
  return key === undefined ? parseBearer(headers.authorization) : String(key)
}

/**
 * The key in the payload of a `connection_init` message, for browsers, which cannot set headers of a
 * WebSocket. Clients name it as they would a header, or `apiKey`.
 */
function keyInPayload(payload: Readonly<Record<string, unknown>>): string | undefined {
  const values = new Map(Object.entries(payload).map(([name, value]) => [name.toLowerCase(), value]))
  const key = values.get('x-api-key') ?? values.get('apikey')
  if (typeof key === 'string') return key
  const authorization = values.get('authorization')
  return typeof authorization === 'string' ? parseBearer(authorization) : undefined
}

const parseBearer = (authorization = ''): string | undefined => /^bearer +(\S+)$/i.exec(authorization.trim())?.[1]
