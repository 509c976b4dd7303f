import { isIP } from 'node:net'
import { z } from 'zod'
import { wholeNumber } from './parsers.ts'

/** Parses the trusted proxies: addresses, networks and names of networks, separated by commas, or `none`. */
export const trustedProxies = z.string().transform((text, context): readonly string[] => {
  if (text === 'none') return []
  const networks = text.split(',').map((network) => network.trim())
  for (const network of networks) {
    if (isNetwork(network) || ['loopback', 'linklocal', 'uniquelocal'].includes(network)) continue
    const message = `has '${network}', which is not an address, a network such as 10.0.0.0/8, loopback, linklocal or uniquelocal`
    context.addIssue({ code: 'custom', message })
  }
  return networks
})

function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/')
  const version = isIP(address)
  const maxBits = version === 6 ? 128 : 32
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits
}

/** Parses `name=value,name=value`, for the names of clients. Each may occur once. Values are not repeated. */
const byClient = <T>(value: z.ZodType<T, string>) =>
  z.string().transform((text, context): ReadonlyMap<string, T> => {
    const values = new Map<string, T>()
    const problem = (message: string) => context.addIssue({ code: 'custom', message })
    for (const pair of text.split(',').map((pair) => pair.trim())) {
      const end = pair.indexOf('=')
      const name = pair.slice(0, Math.max(0, end))
      const parsed = value.safeParse(pair.slice(end + 1))
      if (!/^[\w.-]{1,64}$/.test(name)) problem('must be a comma-separated list of name=value')
      else if (values.has(name)) problem(`names ${name} twice`)
      else if (parsed.success) values.set(name, parsed.data)
      else for (const { message } of parsed.error.issues) problem(`for ${name} ${message}`)
    }
    return values
  })

/** Parses the API keys: `name=key,name=key`. */
export const apiKeys = byClient(
  z.string().regex(/^[\w.~+/=-]{16,256}$/, 'must be a key of 16 to 256 letters, digits or -._~+/='),
).refine((keys) => new Set(keys.values()).size === keys.size, 'must not have a key twice')

/** Parses `points` or `points:burst`, both cost points, the first of them for each second. 0 is no limit. */
export const rateLimit = z.string().transform((text, context) => {
  const [points = '', burst, ...rest] = text.split(':')
  const perSecond = wholeNumber(0, 1_000_000_000).safeParse(points)
  const most = wholeNumber(1, 1_000_000_000).safeParse(burst ?? '1')
  if (!perSecond.success || !most.success || rest.length > 0) {
    context.addIssue({
      code: 'custom',
      message: 'must be points or points:burst, both whole numbers up to 1000000000',
    })
    return z.NEVER
  }
  return {
    pointsPerSecond: perSecond.data,
    ...(burst !== undefined && { burst: most.data }),
  }
})

/** Parses the rate limits of clients with an API key: `name=points:burst,name=points`. */
export const rateLimits = byClient(rateLimit)
