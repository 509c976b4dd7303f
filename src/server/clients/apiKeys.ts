import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Finds the clients of API keys. */
export interface ApiKeys {
  /** The name of the client with this key. Undefined if there is none. */
  nameOf(key: string): string | undefined
  /** Whether there are no keys. No key is required or refused then. */
  readonly isEmpty: boolean
}

/** The keys of clients by the names of the clients. */
export function createApiKeys(keys: ReadonlyMap<string, string>): ApiKeys {
  // Keys are found by their hashes, in the same time whatever part of a key is right.
  const names = new Map([...keys].map(([name, key]) => [digest(key), name]))
  return { nameOf: (key) => names.get(digest(key)), isEmpty: names.size === 0 }
}

const digest = (key: string): string => createHash('sha256').update(key).digest('base64')

/** The key in `X-API-Key` or `Authorization: Bearer`. */
export function keyInHeaders(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key']
  return key === undefined ? bearerOf(headers.authorization) : String(key)
}

/**
 * The key in the payload of a `connection_init` message, for browsers, which cannot set headers of a
 * WebSocket. Clients name it as they would a header, or `apiKey`.
 */
export function keyInPayload(payload: Readonly<Record<string, unknown>>): string | undefined {
  const values = new Map(
    Object.entries(payload).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const key = values.get('x-api-key') ?? values.get('apikey')
  if (typeof key === 'string') return key
  const authorization = values.get('authorization')
  return typeof authorization === 'string' ? bearerOf(authorization) : undefined
}

const bearerOf = (authorization = ''): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization.trim())?.[1]
