import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'

/** Where a service is, with a user and password of its URL turned into a header. */
export interface ServiceUrl {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Reads the URL of a service: http or https, a path prefix kept, nothing behind the path. */
export const upstreamUrl = z.string().transform((text, context): ServiceUrl => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const fault = !url
    ? 'has to be a URL, such as https://indexer.example/v1'
    : !['http:', 'https:'].includes(url.protocol)
      ? 'has to begin with http:// or https://'
      : url.search || url.hash || /[?#]/.test(text)
        ? 'may have nothing behind its path: no ? and no #'
        : undefined
  if (!url || fault) {
    context.addIssue({ code: 'custom', message: fault ?? '' })
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads `key=value,key=value`, each key a chain id and there once. */
export const pairs = <T>(value: z.ZodType<T, string>) =>
  z.string().transform((text, context): ReadonlyMap<string, T> => {
    const read = new Map<string, T>()
    const fault = (message: string) => context.addIssue({ code: 'custom', message })
    for (const pair of text.split(',').map((one) => one.trim())) {
      const [chainId = '', ...rest] = pair.split('=')
      const parsed = value.safeParse(rest.join('='))
      if (rest.length === 0) fault(`has to be chainId=value pairs with commas between`)
      else if (!isChainId(chainId)) fault(`names '${chainId}', which cannot be a chain id`)
      else if (read.has(chainId)) fault(`names ${chainId} twice`)
      else if (parsed.success) read.set(chainId, parsed.data)
      else for (const { message } of parsed.error.issues) fault(`for ${chainId} ${message}`)
    }
    return read
  })

/** True for what can name a chain; `router` names the router wherever services are named. */
export const isChainId = (text: string): boolean =>
  /^[\w][\w.:-]{0,63}$/.test(text) && text !== 'router'

/** Reads which virtual machine each chain runs. */
export const vmKinds = pairs(
  z
    .string()
    .toUpperCase()
    .pipe(z.enum(['EVM', 'MOVE', 'WASM'], 'has to be evm, move or wasm')),
)

/** Headers that belong to a connection, and would break the one they are sent on. */
const connectionHeaders =
  /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

const headers = z.record(z.string(), z.string()).superRefine((record, context) => {
  for (const [name, value] of Object.entries(record)) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
      if (connectionHeaders.test(name)) throw new Error('the connection has its own')
    } catch {
      context.addIssue({ code: 'custom', message: `has a header '${name}' that cannot be sent` })
    }
  }
})

const wrongShape = 'has to be JSON of the shape {"<chainId or router>": {"<name>": "<value>"}}'

/** Reads headers by the service they are for. */
export const headersByService = z.string().transform((text, context) => {
  try {
    const read = z.record(z.string(), headers).safeParse(JSON.parse(text))
    if (read.success) return read.data
    for (const { code, message } of read.error.issues) {
      context.addIssue({ code: 'custom', message: code === 'custom' ? message : wrongShape })
    }
  } catch {
    context.addIssue({ code: 'custom', message: wrongShape })
  }
  return z.NEVER
})

/** Reads the origins that are allowed: all, or those listed. */
export const origins = z
  .string()
  .default('*')
  .transform((text, context): '*' | readonly string[] => {
    if (text === '*') return text
    const listed = text.split(',').map((one) => one.trim())
    for (const one of listed) {
      if (URL.canParse(one) && new URL(one).origin === one) continue
      context.addIssue({
        code: 'custom',
        message: `has '${one}', which is no origin such as https://app.example`,
      })
    }
    return listed
  })
