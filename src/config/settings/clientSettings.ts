import { z } from 'zod'
import { apiKeys, rateLimit, rateLimits, trustedProxies } from '../clientParsers.ts'
import { origins } from '../parsers.ts'
import { boolean, type ParsedSetting } from './setting.ts'

/** The settings of clients: their keys, and their shares of the gateway. */
export const clientSettings = {
  allowedOrigins: {
    value: '<* or origin,...>',
    help: 'Origins whose web pages may use the graph.',
    fallback: '*',
    schema: origins,
  },
  trustedProxies: {
    value: '<network,...>',
    help: 'Proxies whose X-Forwarded-For or Forwarded header names the client: addresses, networks such as 10.0.0.0/8, loopback, linklocal, uniquelocal, or none.',
    fallback: 'loopback',
    schema: trustedProxies.optional(),
  },
  apiKeys: {
    value: '<name=key,...>',
    help: 'API keys of clients, which send theirs as Authorization: Bearer or X-API-Key.',
    fallback: 'none',
    isSecret: true,
    canBeFile: true,
    schema: apiKeys.optional(),
  },
  requireApiKey: {
    value: '<true|false>',
    help: 'Refuse clients without an API key.',
    fallback: 'false',
    schema: boolean(false),
  },
  trustedDocuments: {
    value: '<file or url,...>',
    help: 'Documents that the builds of clients list, which requests may name by id: the files of GraphQL codegen, Relay or Apollo.',
    fallback: 'none',
    schema: z.string().optional(),
  },
  trustedDocumentsOnly: {
    value: '<true|false>',
    help: 'Refuse all other documents. It turns GraphiQL and the explorer off.',
    fallback: 'false',
    schema: boolean(false),
  },
  rateLimit: {
    value: '<points[:burst]>',
    help: 'Cost points that each client may spend a second, and save up. 0 for no limit.',
    fallback: '20000:100000, and no limit for clients on this machine',
    schema: rateLimit.optional(),
  },
  apiKeyRateLimits: {
    value: '<name=points[:burst],...>',
    help: 'The same for single clients with an API key.',
    fallback: 'RATE_LIMIT',
    schema: rateLimits.optional(),
  },
} satisfies Record<string, ParsedSetting>
