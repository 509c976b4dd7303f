import type { z } from 'zod'
import { decode } from '../wire/compiledSchema.ts'
import type { Listed, Page } from '../wire/decode.ts'
import { badInput, GatewayError } from './error.ts'

/** The parameters of a query string. Undefined values are left out, and arrays repeat their parameter. */
export type Query = Readonly<Record<string, string | number | bigint | boolean | readonly string[] | undefined>>

/** One request to an upstream, and how to read its response. */
export interface UpstreamRequest<T> {
  readonly method: 'GET' | 'POST'
  /** Path and query as sent, one Latin-1 character for each byte. */
  readonly target: string
  /** The route of the path. Requests of one route are served by the same handler. */
  readonly route: string
  /** JSON text. */
  readonly body?: string
  /**
   * Reads a response from its JSON (null if the body is empty) and its text. An error that it throws
   * becomes `UPSTREAM_INVALID_RESPONSE`.
   */
  readonly read: (body: unknown, raw: string) => T
  /** Tells readers apart: requests of equal readers read a body to the same value. Undefined for the only reader of a path. */
  readonly reader?: number
  /** Whether a successful response never changes, so that it can be cached. A rule decides by the value. */
  readonly isFinal: boolean | ((value: T) => boolean)
  /** Whether a 404 is an error, as for a POST and for a list. For a record it means that there is none. */
  readonly is404Error?: boolean
  /** Whether the upstream has to compute the response, so that it may take longer than others. */
  readonly isSlow?: boolean
  /** Whether it reads to the text of the body, which is then not parsed. Nothing of it is cached. */
  readonly isText?: true
  /** The state that the response must have reached: see `atLeast`. Left out, any state will do. */
  readonly consistencyToken?: string
  /** Where pages of a list have the same record, so that an operation which has read one need not ask for it. */
  readonly listed?: ListedRecord<T> | undefined
}

/** The record of a look-up on the pages of a list. */
export interface ListedRecord<T> {
  /** The number of the schema of the pages. */
  readonly reader: number
  readonly key: string
  /** The key of each record. */
  readonly keyOf: (record: T) => string
}

/** A path of an upstream, with the route it belongs to. */
export interface Path {
  /** The path as sent, one Latin-1 character for each byte. */
  readonly target: string
  /** The path with `*` for each value in it. Paths of one route are served by the same handler. */
  readonly route: string
}

/** The path as sent. A path without values may be plain text. */
const targetOf = (path: Path | string): string => (typeof path === 'string' ? path : path.target)

export const routeOf = (path: Path | string): string => (typeof path === 'string' ? path : path.route)

/** The key of a request to one upstream. Requests of equal keys are equal, and are read by one schema. */
export const requestKey = ({
  method,
  target,
  body,
  isText,
  consistencyToken,
  reader,
}: Pick<UpstreamRequest<unknown>, 'method' | 'target' | 'body' | 'isText' | 'consistencyToken' | 'reader'>): string =>
  `${isText ? 'text' : (reader ?? '')} ${method} ${target} ${body ?? consistencyToken ?? ''}`

/** How a GET differs from its path. */
export interface GetOptions<T> {
  readonly query?: Query
  readonly isFinal?: UpstreamRequest<T>['isFinal']
  readonly is404Error?: boolean
  /** Whether a record is the requested one. Another one is an invalid response. By default, any is. */
  readonly isRequested?: (value: T) => boolean
  readonly listed?: ListedRecord<T>
}

/** A GET, whose response `schema` reads. */
export const get = <T extends z.ZodType>(
  path: Path | string,
  schema: T,
  options: GetOptions<z.output<T>> = {},
): UpstreamRequest<z.output<T>> => ({
  method: 'GET',
  target: targetOf(path) + queryString(options.query ?? {}),
  route: routeOf(path),
  reader: schemaNumber(schema),
  read(body) {
    const value = decode(schema, body)
    if (options.isRequested?.(value) === false) throw new Error('The response is not the requested record.')
    return value
  },
  isFinal: options.isFinal ?? false,
  is404Error: options.is404Error ?? false,
  listed: options.listed,
})

/** The record with a key on the pages that a schema reads, where they have it whole. */
export const listedIn = <T>(
  page: z.ZodType<Page<Listed<T>>>,
  key: string,
  keyOf: (record: T) => string,
): ListedRecord<T> => ({ reader: schemaNumber(page), key, keyOf })

/** A GET of a path and query as sent, or a POST if there is a body, which reads to the text of the response. */
export const textRequest = ({
  target,
  route,
  body,
}: {
  readonly target: string
  readonly route: string
  readonly body?: string | undefined
}): UpstreamRequest<string> => ({
  ...(body === undefined ? { method: 'GET' } : { method: 'POST', body, is404Error: true }),
  target,
  route,
  isFinal: false,
  isText: true,
  read: (_body, raw) => raw,
})

/** A POST of JSON text. The client never retries it, and a 404 is an error. */
export const post = <T>(
  path: string,
  body: string,
  read: (body: unknown, raw: string) => T,
  options: Pick<UpstreamRequest<T>, 'isSlow'> = {},
): UpstreamRequest<T> => ({
  method: 'POST',
  target: path,
  route: path,
  body,
  read,
  isFinal: false,
  is404Error: true,
  ...options,
})

function queryString(query: Query): string {
  let encoded = ''
  for (const name in query) {
    const value = query[name]
    if (value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value]) {
      encoded += `${encoded === '' ? '?' : '&'}${formEncoded(name)}=${formEncoded(String(item))}`
    }
  }
  return encoded
}

/** A name or a value of a query string, as `URLSearchParams` writes it. */
const formEncoded = (text: string): string =>
  isBase64.test(text) ? encodeURIComponent(text) : new URLSearchParams([['', text]]).toString().slice(1)

/** Words, numbers and page keys, which both ways of encoding write alike. The plain way is faster. */
const isBase64 = /^[\w.+/=-]*$/

/**
 * Builds a path from fixed text and values. Real indexers never percent-decode the values in a path, so
 * they are sent as raw UTF-8, except that `/` becomes `%2F` (the one escape that indexers read, in
 * denoms).
 * @throws GatewayError if a value would change the route, or cannot be sent without an escape.
 */
export function path(fixed: TemplateStringsArray, ...values: (string | bigint)[]): Path {
  const pieces = values.map((value) => (typeof value === 'bigint' ? String(value) : piece(value)))
  return { target: String.raw({ raw: fixed }, ...pieces), route: fixed.join('*') }
}

function piece(value: string): string {
  if (value === '' || value === '.' || value === '..' || value.length > 1024) {
    throw badInput("A name to look up must not be empty, '.', '..', or longer than 1024 characters.")
  }
  if (/[\p{Cc}\p{Cs}]/u.test(value)) {
    throw badInput('A name to look up must not contain control characters or unpaired surrogates.')
  }
  if (/[\s?#%\\]/u.test(value)) {
    throw new GatewayError('UPSTREAM_REJECTED', 'The indexer cannot look up names containing spaces or ? # % \\.')
  }
  if (value.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw badInput("A name to look up must not contain an empty path segment, '.' or '..'.")
  }
  return Buffer.from(value.replaceAll('/', '%2F')).toString('latin1')
}

/** The numbers of schemas, in the order of their first use. */
const numbers = new WeakMap<z.core.$ZodType, number>()
let lastNumber = 0

/** A number that no other schema of the process has. */
function schemaNumber(schema: z.core.$ZodType): number {
  const known = numbers.get(schema)
  if (known !== undefined) return known
  lastNumber += 1
  numbers.set(schema, lastNumber)
  return lastNumber
}
