import type { z } from 'zod'
import { type TypedKey, typedKey } from '../cache/typedKey.ts'
import { badInput, GatewayError } from './error.ts'

/** A query string in the making: undefined values are left out, arrays are repeated. */
export type Query = Readonly<
  Record<string, string | number | bigint | boolean | readonly string[] | undefined>
>

/** One request to an upstream, and how its answer is read. Equal keys are equal requests. */
export interface UpstreamRequest<T> {
  readonly method: 'GET' | 'POST'
  /** Path and query as they go over the wire, one Latin-1 character a byte. */
  readonly target: string
  /** A JSON text. */
  readonly body?: string
  /** Reads the answer; what it refuses is an `UPSTREAM_INVALID_RESPONSE`. */
  readonly read: (body: unknown, raw: string) => T
  /** True when the answer, once given, never changes, so that it may be kept. */
  readonly isImmutable: boolean
  /** True when a 404 is a refusal to be read, not the plain absence of a record. */
  readonly is404Error?: boolean
}

/** A path of an upstream, with the route it belongs to. */
export interface Path {
  /** As it goes over the wire, one Latin-1 character a byte. */
  readonly target: string
  /** The path with `*` for each value in it. Paths of one route are served by the same handler. */
  readonly route: string
}

/** The path as it goes over the wire. A path without values may be plain text. */
export const targetOf = (path: Path | string): string =>
  typeof path === 'string' ? path : path.target

/** The route of a path. */
export const routeOf = (path: Path | string): string =>
  typeof path === 'string' ? path : path.route

/** The key of a request to one upstream. Requests of equal keys are equal, and read to one type. */
export const requestKey = <T>({ method, target, body }: UpstreamRequest<T>): TypedKey<T> =>
  typedKey(`${method} ${target} ${body ?? ''}`)

/** A GET; the answer is parsed by `schema`. */
export const get = <T extends z.ZodType>(
  path: Path | string,
  schema: T,
  options: { query?: Query; isImmutable?: boolean } = {},
): UpstreamRequest<z.output<T>> => ({
  method: 'GET',
  target: targetOf(path) + queryString(options.query ?? {}),
  read: (body) => schema.parse(body),
  isImmutable: options.isImmutable ?? false,
})

/** A POST of a JSON text; never repeated by the client on its own. */
export const post = <T>(
  path: string,
  body: string,
  read: (body: unknown, raw: string) => T,
  options: { is404Error?: boolean } = {},
): UpstreamRequest<T> => ({
  method: 'POST',
  target: path,
  body,
  read,
  isImmutable: false,
  ...options,
})

function queryString(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one))
  }
  const encoded = params.toString()
  return encoded && `?${encoded}`
}

/**
 * Builds a path from fixed text and values. Real indexers never percent-decode a path piece, so what
 * RFC 3986 allows in a piece goes as it is, other text as raw UTF-8, and `/` as `%2F` (the one escape
 * they read, in denoms). A piece that would change the route is refused.
 */
export function path(fixed: TemplateStringsArray, ...values: (string | bigint)[]): Path {
  const pieces = values.map((value) => piece(String(value)))
  return { target: String.raw({ raw: fixed }, ...pieces), route: fixed.join('*') }
}

function piece(value: string): string {
  if (value === '' || value === '.' || value === '..' || value.length > 1024) {
    throw badInput('A name used to look a record up is empty, too long, or made of dots only.')
  }
  if (/[\p{Cc}\p{Cs}]/u.test(value)) {
    throw badInput('A name used to look a record up holds control characters.')
  }
  if (/[\s?#%\\]/u.test(value)) {
    throw new GatewayError(
      'UPSTREAM_REJECTED',
      'The indexer has no way to be asked for a name that holds a space or one of ? # % \\.',
    )
  }
  if (value.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw badInput('A name used to look a record up holds an empty or dotted path segment.')
  }
  return Buffer.from(value.replaceAll('/', '%2F')).toString('latin1')
}
