import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'

/** Parses a whole number within bounds, both included. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

/** Parses host names without ports, separated by commas. */
export const hostNames = z
  .string()
  .regex(/^[\w.-]+(,[\w.-]+)*$/, 'must be host names such as graph.example.org, without ports')
  .transform((text) => text.toLowerCase().split(','))
  .default([])

/** The URL of a service without its credentials, and the headers that carry them. */
export interface ParsedUrl {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Parses the URL of a service: http or https, with or without a path prefix. A user name and password
 * in it become an authorization header.
 */
export const upstreamUrl = z.string().transform((text, context): ParsedUrl => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const problem = !url
    ? 'must be a URL such as https://indexer.example/v1'
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
  return (
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(text)
  )
}, 'must be a URL such as https://graph.example, without credentials, a query or a fragment')

/** Parses the URL of a Redis. The text is kept: it may hold a user and a password. */
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

/** Parses `chainId=value,chainId=value`. Each chain id may occur once. */
export const pairs = <T>(value: z.ZodType<T, string>) =>
  pairsOf(value, isChainId, 'a valid chain id', 'chainId=value')

/** Parses `chainId=value,router=value`. Each service may occur once. */
export const pairsOfServices = <T>(value: z.ZodType<T, string>) => {
  const isService = (text: string) => text === 'router' || isChainId(text)
  return pairsOf(value, isService, 'a chain id or router', 'chainId=value or router=value')
}

const pairsOf = <T>(
  value: z.ZodType<T, string>,
  isKey: (text: string) => boolean,
  keyName: string,
  form: string,
) =>
  z.string().transform((text, context): ReadonlyMap<string, T> => {
    const values = new Map<string, T>()
    const problem = (message: string) => context.addIssue({ code: 'custom', message })
    for (const pair of text.split(',').map((pair) => pair.trim())) {
      const [key = '', ...rest] = pair.split('=')
      const parsed = value.safeParse(rest.join('='))
      if (rest.length === 0) problem(`must be a comma-separated list of ${form}`)
      else if (!isKey(key)) problem(`names '${key}', which is not ${keyName}`)
      else if (values.has(key)) problem(`names ${key} twice`)
      else if (parsed.success) values.set(key, parsed.data)
      else for (const { message } of parsed.error.issues) problem(`for ${key} ${message}`)
    }
    return values
  })

/** Whether a text can be a chain id. `router` cannot: it names the router among the services. */
export const isChainId = (text: string): boolean =>
  /^[\w][\w.:-]{0,63}$/.test(text) && text !== 'router'

/** Parses the virtual machine of each chain. */
export const vmKinds = pairs(
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['evm', 'move', 'wasm'], 'must be evm, move or wasm')),
)

/** Headers of a connection. Setting one would break the connection it is sent on. */
const connectionHeaders =
  /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

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

const wrongShape = 'must be JSON such as {"<chainId or router>": {"<name>": "<value>"}}'

export const headersByService = z.string().transform((text, context) => {
  try {
    const result = z.record(z.string(), headers).safeParse(JSON.parse(text))
    if (result.success) return result.data
    for (const { code, message } of result.error.issues) {
      context.addIssue({ code: 'custom', message: code === 'custom' ? message : wrongShape })
    }
  } catch {
    context.addIssue({ code: 'custom', message: wrongShape })
  }
  return z.NEVER
})

const namesExample =
  'must be a JSON object such as {"swap(uint256)": "swap", "0x1::dex::swap_script": "swap"}'

/** Parses names of functions, by selectors, signatures or places in Move modules. */
export const functionNames = z.string().transform((text, context) => {
  try {
    const key = z.string().regex(/^(0x[0-9a-f]{8}|\w+\(.*\)|0x[0-9a-f]{1,64}::\w+::\w+)$/)
    const result = z.record(key, z.string().min(1).max(60)).safeParse(JSON.parse(text))
    if (result.success) return result.data
  } catch {
    // The issue says what is expected.
  }
  context.addIssue({ code: 'custom', message: namesExample })
  return z.NEVER
})

/** Parses the allowed origins: `*` for all, or a comma-separated list. */
export const origins = z
  .string()
  .default('*')
  .transform((text, context): '*' | readonly string[] => {
    if (text === '*') return text
    const origins = text.split(',').map((origin) => origin.trim())
    for (const origin of origins) {
      if (URL.canParse(origin) && new URL(origin).origin === origin) continue
      context.addIssue({
        code: 'custom',
        message: `has '${origin}', which is not an origin such as https://app.example`,
      })
    }
    return origins
  })

/** Parses keys for signatures, separated by commas. Spaces around them are dropped. */
export const signingKeys = z
  .string()
  .transform((text): readonly string[] => text.split(',').map((key) => key.trim()))
  .refine(
    (keys) => keys.every((key) => Buffer.byteLength(key) >= 32),
    'must be keys of at least 32 characters each, such as `openssl rand -base64 32` prints',
  )

const mostWorkers = 256

/** Parses a number of processes, or `auto`. */
export const workers = z
  .string()
  .default('1')
  .transform((text, context): number | 'auto' => {
    if (text === 'auto') return text
    const count = wholeNumber(1, mostWorkers).safeParse(text)
    if (count.success) return count.data
    const message = `must be auto or a whole number from 1 to ${mostWorkers}`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
