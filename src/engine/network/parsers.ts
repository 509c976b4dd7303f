import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'
import { isServiceName, serviceNames } from '../upstream/services.ts'

/** A setting that a configuration file can have in its own form, and a flag or a variable as text. */
export const orText = <T extends z.ZodType>(read: (text: string) => unknown, form: T) =>
  z.preprocess((value) => (typeof value === 'string' ? read(value) : value), form)

/** A text. A configuration file may also have a number, or a list instead of a text with commas. */
export const text = z.preprocess(
  (value) => (typeof value === 'number' || Array.isArray(value) ? String(value) : value),
  z.string('must be a text'),
)

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return orText(
    (digits) => (/^\d{1,15}$/.test(digits) ? Number(digits) : digits),
    z.number(message).refine((value) => Number.isInteger(value) && value >= min && value <= max, message),
  )
}

/** A list in words: `a, b or c`. */
export const orList = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' or ')

const parts = (list: string): string[] => list.split(',').map((part) => part.trim())

export const list = orText(parts, z.array(z.string(), 'must be a list'))

/** Host names without ports. */
export const hostNames = list
  .refine(
    (names) => names.every((name) => /^[\w.-]+$/.test(name)),
    'must be host names such as graph.example.org, without ports',
  )
  .transform((names) => names.map((name) => name.toLowerCase()))
  .default([])

const pageNames = ['graphiql', 'explorer', 'docs']

/** The pages that browsers get, each true if it is served: a list of their names, or `none`. */
export const pages = list.default(pageNames).transform((names, context) => {
  const served = names.length === 1 && names[0] === 'none' ? [] : names
  for (const name of served) {
    if (pageNames.includes(name)) continue
    context.addIssue({ code: 'custom', message: `has '${name}', which is not graphiql, explorer, docs or none` })
  }
  return {
    graphiql: served.includes('graphiql'),
    explorer: served.includes('explorer'),
    docs: served.includes('docs'),
  }
})

/** The URL of a service without its credentials, and the headers that carry them. */
export interface ParsedUrl {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const notUrl = 'must be a URL such as https://indexer.example/v1'

/**
 * Parses the URL of a service: http or https, with or without a path prefix. A user name and password
 * in it become an authorization header.
 */
export const upstreamUrl = z.string(notUrl).transform((text, context): ParsedUrl => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const problem = !url
    ? notUrl
    : !['http:', 'https:'].includes(url.protocol)
      ? 'must start with http:// or https://'
      : /[?#]/.test(text)
        ? 'must not have a query (?) or a fragment (#)'
        : undefined
  if (!url || problem) {
    context.addIssue({ code: 'custom', message: problem ?? '' })
    return z.NEVER
  }
  const { username, password, origin, pathname } = url
  const login = `${decoded(username)}:${decoded(password)}`
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`
  return {
    url: origin + pathname.replace(/\/+$/, ''),
    headers: username || password ? { authorization } : {},
  }
})

/** Parses a URL that holds no secret: http or https, with or without a path prefix. */
export const publicUrl = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(text)
}, 'must be a URL such as https://graph.example, without credentials, a query or a fragment')

/** Parses the URL of a picture at a proxy for pictures: `{url}` stands in its path or query. */
export const pictureUrl = z.string().refine((text) => {
  const [one, other] = ['a', 'b']
    .map((part) => text.replace('{url}', part))
    .map((url) => URL.canParse(url) && new URL(url))
  const isWhole =
    one && other && one.origin === other.origin && one.pathname + one.search !== other.pathname + other.search
  return isWhole && /^https?:$/.test(one.protocol) && !one.username && !one.password
}, 'must be a URL such as https://img.example/plain/{url}, with {url} in its path or query, without credentials')

/** Parses the URL of a Redis. Returns it unchanged, with any user name and password. */
export const redisUrl = z.string().transform((text, context): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const problem =
    !url || url.hostname === ''
      ? 'must be a URL such as redis://redis.example:6379'
      : !['redis:', 'rediss:'].includes(url.protocol)
        ? 'must start with redis:// or rediss://'
        : !/^(\/\d{0,3})?$/.test(url.pathname)
          ? 'must have the number of a database as its path, or none'
          : /[?#]/.test(text)
            ? 'must not have a query (?) or a fragment (#)'
            : undefined
  if (problem === undefined) return text
  context.addIssue({ code: 'custom', message: problem })
  return z.NEVER
})

/** Parses the beginning of keys in Redis. A brace keeps all keys on one node of a cluster. */
export const redisPrefix = z
  .string()
  .regex(/^[\w{}.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes, underscores or braces')
  .default('portolan')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parses a value for each chain. Messages call the value by this name. */
export const pairs = <T>(value: z.ZodType<T>, name: string) =>
  parsePairs(value, `chainId=${name}`, isChainId, 'a valid chain id')

export const pairsOfServices = <T>(value: z.ZodType<T>) => {
  const isService = (text: string) => isServiceName(text) || isChainId(text)
  const form = orList(['chainId', ...serviceNames].map((name) => `${name}=value`))
  return parsePairs(value, form, isService, orList(['a chain id', ...serviceNames]))
}

const parsePair = (part: string): [key: string, value: unknown] => {
  const end = part.indexOf('=')
  return end < 0 ? [part, undefined] : [part.slice(0, end), part.slice(end + 1)]
}

/** Values by keys: an object, a list of `key=value`, or a text of them. Without a `keyName`, messages repeat no key. */
export function parsePairs<T>(value: z.ZodType<T>, form: string, isKey: (text: string) => boolean, keyName?: string) {
  const wrongForm = `must be a comma-separated list of ${form}`
  const pairs = z.union([z.array(z.string()), z.record(z.string(), z.unknown())], wrongForm)
  const byKey = pairs.transform((given, context): ReadonlyMap<string, T> => {
    const values = new Map<string, T>()
    const problem = (message: string) => context.addIssue({ code: 'custom', message })
    for (const [key, text] of Array.isArray(given) ? given.map(parsePair) : Object.entries(given)) {
      const parsed = value.safeParse(text)
      if (text === undefined || !(isKey(key) || keyName)) problem(wrongForm)
      else if (!isKey(key)) problem(`names '${key}', which is not ${keyName}`)
      else if (values.has(key)) problem(`names ${key} twice`)
      else if (parsed.success) values.set(key, parsed.data)
      else for (const { message } of parsed.error.issues) problem(`for ${key} ${message}`)
    }
    return values
  })
  return orText(parts, byKey)
}

/** Whether a text can be a chain id. The name of another service, such as `router`, cannot. */
export const isChainId = (text: string): boolean => /^[\w][\w.:-]{0,63}$/.test(text) && !isServiceName(text)

const notVm = 'must be evm, move or wasm'

/** Parses the virtual machine of each chain. */
export const vmKinds = pairs(
  z
    .string(notVm)
    .toLowerCase()
    .pipe(z.enum(['evm', 'move', 'wasm'], notVm)),
  'vm',
)

/** Headers of a connection. Setting one would break the connection it is sent on. */
const connectionHeaders = /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

const headers = z.record(z.string(), z.string()).superRefine((record, context) => {
  for (const [name, value] of Object.entries(record)) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
      if (connectionHeaders.test(name)) throw new Error('set by the connection')
    } catch {
      context.addIssue({ code: 'custom', message: `has an invalid header '${name}'` })
    }
  }
})

/** An object in JSON, for the help: the headers of each service. */
export const headersForm = `{"<${orList(['chainId', ...serviceNames])}>": {"<name>": "<value>"}}`

const wrongShape = `must be JSON such as ${headersForm}`

/** The value of a JSON text, or the text itself if it is not JSON. */
function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const headersByService = orText(
  json,
  z.unknown().transform((given, context) => {
    const result = z.record(z.string(), headers).safeParse(given)
    if (result.success) return result.data
    for (const { code, message } of result.error.issues) {
      context.addIssue({ code: 'custom', message: code === 'custom' ? message : wrongShape })
    }
    return z.NEVER
  }),
)

const namesExample = 'must be a JSON object such as {"swap(uint256)": "swap", "0x1::dex::swap_script": "swap"}'

const functionKey = z.string().regex(/^(0x[0-9a-f]{8}|\w+\(.*\)|0x[0-9a-f]{1,64}::\w+::\w+)$/)
const names = z.record(functionKey, z.string().min(1).max(60))

/** Names of functions, by selectors, signatures or places in Move modules. */
export const functionNames = orText(
  json,
  z.custom<z.output<typeof names>>((given) => names.safeParse(given).success, namesExample),
)

/** The allowed origins: `*` for all, or a list. */
export const origins = list.default(['*']).transform((origins, context): '*' | readonly string[] => {
  if (origins.length === 1 && origins[0] === '*') return '*'
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue
    context.addIssue({
      code: 'custom',
      message: `has '${origin}', which is not an origin such as https://app.example`,
    })
  }
  return origins
})

export const signingKeys = list.refine(
  (keys) => keys.every((key) => Buffer.byteLength(key) >= 32),
  'must be keys of at least 32 characters each, such as `openssl rand -base64 32` prints',
)
