import { isIP } from 'node:net'
import { z } from 'zod'
import { list, parsePairs, text, wholeNumber } from '../../engine/network/parsers.ts'

/** The trusted proxies: addresses, networks and names of networks, or `none`. */
export const trustedProxies = list.transform((networks, context): readonly string[] => {
  if (networks.length === 1 && networks[0] === 'none') return []
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

const byClient = <T>(value: z.ZodType<T>) => parsePairs(value, 'name=value', (name) => /^[\w.-]{1,64}$/.test(name))

export const apiKeys = byClient(
  z.string().regex(/^[\w.~+/=-]{16,256}$/, 'must be a key of 16 to 256 letters, digits or -._~+/='),
).refine((keys) => new Set(keys.values()).size === keys.size, 'must not have a key twice')

/** `points` or `points:burst`, both cost points, the first of them for each second. 0 is no limit. The form is for messages. */
const rateLimit = (form: string) =>
  text.transform((given, context) => {
    const [points = '', burst, ...rest] = given.split(':')
    const perSecond = wholeNumber(0, 1_000_000_000).safeParse(points)
    const most = wholeNumber(1, 1_000_000_000).safeParse(burst ?? '1')
    if (!perSecond.success || !most.success || rest.length > 0) {
      context.addIssue({
        code: 'custom',
        message: `must be ${form}, in whole numbers up to 1000000000`,
      })
      return z.NEVER
    }
    return {
      pointsPerSecond: perSecond.data,
      ...(burst !== undefined && { burst: most.data }),
    }
  })

const isNamed = (entry: string): boolean => entry.includes('=')

/** Parses the rate limit of each client, and those of single clients with an API key: `points:burst,name=points:burst`. */
export const rateLimits = text
  .transform((given): unknown => {
    const entries = given.split(',').map((entry) => entry.trim())
    return { everyone: entries.filter((entry) => !isNamed(entry)), byKey: entries.filter(isNamed) }
  })
  .pipe(
    z.object({
      everyone: z
        .array(z.string())
        .max(1, 'must have one limit without a name, and name=points:burst for others')
        .transform(([limit]): unknown => limit)
        .pipe(rateLimit('points, points:burst, or name=points:burst for one client').optional()),
      byKey: byClient(rateLimit('points or points:burst')),
    }),
  )
