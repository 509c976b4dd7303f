import { z } from 'zod'
import { apiKeys, rateLimit, rateLimits, trustedProxies } from './clientParsers.ts'
import { type Limit, type LimitName, type Limits, limitTable } from './limits.ts'
import {
  headersByService,
  origins,
  pairs,
  pairsOfServices,
  redisPrefix,
  redisUrl,
  signingKeys,
  upstreamUrl,
  vmKinds,
  wholeNumber,
  workers,
} from './parsers.ts'

/** One setting, given as a flag, as an environment variable, or in the configuration file. */
interface Setting {
  readonly env: string
  readonly flag: string
  /** Placeholder for the value in the help. */
  readonly value: string
  readonly help: string
  /** The default, in the words of the help. The schema applies it. */
  readonly fallback?: string
  /** True if the value may hold secrets. Messages never repeat it. */
  readonly isSecret?: true
  /** True if the variable `<env>_FILE` may name a file with the value, as secrets are mounted. */
  readonly canBeFile?: true
}

/** How the text of a setting is parsed; it is undefined when the setting is not given. */
interface ParsedSetting extends Setting {
  readonly schema: z.ZodType<unknown, string | undefined>
}

/** Parses a number within the bounds of a limit. */
function withinLimit({ min, max }: Limit) {
  return wholeNumber(min, max)
}

const boolean = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true')

/**
 * All settings but the limits. Flags, variables, keys of the configuration file, `_FILE` variables, help
 * and messages are made from this table, so a new setting is one entry here and its use.
 */
export const settings = {
  config: {
    env: 'PORTOLAN_CONFIG',
    flag: 'config',
    value: '<file>',
    help: 'Configuration file: JSON, with comments if you like.',
    fallback: 'none',
    schema: z.string().optional(),
  },
  port: {
    env: 'PORT',
    flag: 'port',
    value: '<number>',
    help: 'Port to listen on. `sandbox` also uses the ports after it.',
    fallback: '4000, or 4100 for `sandbox`',
    schema: wholeNumber(0, 65_535).optional(),
  },
  metricsPort: {
    env: 'METRICS_PORT',
    flag: 'metrics-port',
    value: '<number>',
    help: 'Port of its own for /metrics.',
    fallback: 'the port of the graph',
    schema: wholeNumber(0, 65_535).optional(),
  },
  workers: {
    env: 'WORKERS',
    flag: 'workers',
    value: '<number|auto>',
    help: 'Processes that serve the graph on one port. `auto` is one for each core.',
    fallback: '1',
    schema: workers,
  },
  host: {
    env: 'HOST',
    flag: 'host',
    value: '<address>',
    help: 'Address to listen on.',
    fallback: '127.0.0.1',
    schema: z
      .string()
      .regex(/^[\w.:-]+$/, 'must be an address or a host name')
      .default('127.0.0.1'),
  },
  indexers: {
    env: 'INDEXERS',
    flag: 'indexers',
    value: '<chainId=url,...>',
    help: 'Chains to serve, each with the URL of its indexer.',
    isSecret: true,
    canBeFile: true,
    schema: pairs(upstreamUrl).optional(),
  },
  routerUrl: {
    env: 'ROUTER_URL',
    flag: 'router-url',
    value: '<url>',
    help: 'URL of the cross-chain router.',
    fallback: 'none, or the router of the sandbox',
    isSecret: true,
    canBeFile: true,
    schema: upstreamUrl.optional(),
  },
  sandboxOdd: {
    env: 'SANDBOX_ODD',
    flag: 'sandbox-odd',
    value: '<true|false>',
    help: 'Make the sandbox as odd as real services can be, to test a client. As a flag, it also serves the sandbox.',
    fallback: 'false',
    schema: boolean(false),
  },
  defaultChain: {
    env: 'DEFAULT_CHAIN',
    flag: 'default-chain',
    value: '<chainId>',
    help: 'Chain of queries that name none.',
    fallback: 'the first chain',
    schema: z.string().optional(),
  },
  chainRegistry: {
    env: 'CHAIN_REGISTRY',
    flag: 'chain-registry',
    value: '<file or url>',
    help: 'Chain registry (JSON). Chains that list an indexer are served.',
    isSecret: true,
    schema: z.string().optional(),
  },
  vmKinds: {
    env: 'VM_KINDS',
    flag: 'vm-kinds',
    value: '<chainId=evm|move|wasm,...>',
    help: 'Virtual machine of each chain.',
    fallback: 'detected through the indexer',
    schema: vmKinds.optional(),
  },
  upstreamHeaders: {
    env: 'UPSTREAM_HEADERS',
    flag: 'upstream-headers',
    value: '<json>',
    help: 'Headers to send upstream: {"<chainId or router>": {"<name>": "<value>"}}.',
    isSecret: true,
    canBeFile: true,
    schema: headersByService.optional(),
  },
  upstreamTimeouts: {
    env: 'UPSTREAM_TIMEOUTS',
    flag: 'upstream-timeouts',
    value: '<chainId or router=ms,...>',
    help: 'Longest time of a request to one service, in milliseconds.',
    fallback: 'UPSTREAM_TIMEOUT_MS',
    schema: pairsOfServices(withinLimit(limitTable.upstreamTimeoutMs)).optional(),
  },
  upstreamConcurrency: {
    env: 'UPSTREAM_CONCURRENCY',
    flag: 'upstream-concurrency',
    value: '<chainId or router=n,...>',
    help: 'Most requests open at once to one service.',
    fallback: 'MAX_INDEXER_REQUESTS, MAX_ROUTER_REQUESTS',
    schema: pairsOfServices(withinLimit(limitTable.maxIndexerRequests)).optional(),
  },
  logLevel: {
    env: 'LOG_LEVEL',
    flag: 'log-level',
    value: '<level>',
    help: 'Lowest level to log: trace, debug, info, warn, error, fatal or silent.',
    fallback: 'info',
    schema: z
      .enum(
        ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        'must be trace, debug, info, warn, error, fatal or silent',
      )
      .default('info'),
  },
  logFormat: {
    env: 'LOG_FORMAT',
    flag: 'log-format',
    value: '<auto|json|pretty>',
    help: 'Format of the log. `auto` is `pretty` on a terminal, and `json` elsewhere.',
    fallback: 'auto',
    schema: z.enum(['auto', 'json', 'pretty'], 'must be auto, json or pretty').default('auto'),
  },
  graphiql: {
    env: 'GRAPHIQL',
    flag: 'graphiql',
    value: '<true|false>',
    help: 'Serve GraphiQL to browsers.',
    fallback: 'true',
    schema: boolean(true),
  },
  introspection: {
    env: 'INTROSPECTION',
    flag: 'introspection',
    value: '<true|false>',
    help: 'Allow introspection of the schema, and serve it at /schema.graphql.',
    fallback: 'true',
    schema: boolean(true),
  },
  compileOperations: {
    env: 'COMPILE_OPERATIONS',
    flag: 'compile-operations',
    value: '<true|false>',
    help: 'Compile operations. If false, graphql-js runs all of them.',
    fallback: 'true',
    schema: boolean(true),
  },
  allowedOrigins: {
    env: 'ALLOWED_ORIGINS',
    flag: 'allowed-origins',
    value: '<* or origin,...>',
    help: 'Origins whose web pages may use the graph.',
    fallback: '*',
    schema: origins,
  },
  signingKeys: {
    env: 'SIGNING_KEYS',
    flag: 'signing-keys',
    value: '<key,...>',
    help: 'Keys that sign cursors and route tokens, 32 characters or more each. The first signs, all are accepted. Replicas need the same.',
    fallback: 'a key made at each start',
    isSecret: true,
    canBeFile: true,
    schema: signingKeys.optional(),
  },
  redisUrl: {
    env: 'REDIS_URL',
    flag: 'redis-url',
    value: '<url>',
    help: 'Redis or Valkey that the gateways of a fleet share, as redis:// or rediss://.',
    fallback: 'none: each gateway is alone',
    isSecret: true,
    canBeFile: true,
    schema: redisUrl.optional(),
  },
  redisPrefix: {
    env: 'REDIS_PREFIX',
    flag: 'redis-prefix',
    value: '<text>',
    help: 'What the keys in Redis begin with. Gateways with the same one are a fleet.',
    fallback: 'portolan',
    schema: redisPrefix,
  },
  redisRecords: {
    env: 'REDIS_RECORDS',
    flag: 'redis-records',
    value: '<true|false>',
    help: 'Keep records that cannot change in Redis too, so that one gateway reads them for all. It pays where upstreams take some milliseconds.',
    fallback: 'false',
    schema: boolean(false),
  },
  trustedProxies: {
    env: 'TRUSTED_PROXIES',
    flag: 'trusted-proxies',
    value: '<network,...>',
    help: 'Proxies whose X-Forwarded-For or Forwarded header names the client: addresses, networks such as 10.0.0.0/8, loopback, linklocal, uniquelocal, or none.',
    fallback: 'loopback',
    schema: trustedProxies.optional(),
  },
  apiKeys: {
    env: 'API_KEYS',
    flag: 'api-keys',
    value: '<name=key,...>',
    help: 'API keys of clients, which send theirs as Authorization: Bearer or X-API-Key.',
    fallback: 'none',
    isSecret: true,
    canBeFile: true,
    schema: apiKeys.optional(),
  },
  requireApiKey: {
    env: 'REQUIRE_API_KEY',
    flag: 'require-api-key',
    value: '<true|false>',
    help: 'Refuse clients without an API key.',
    fallback: 'false',
    schema: boolean(false),
  },
  trustedDocuments: {
    env: 'TRUSTED_DOCUMENTS',
    flag: 'trusted-documents',
    value: '<file or url,...>',
    help: 'Documents that the builds of clients list, which requests may name by id: the files of GraphQL codegen, Relay or Apollo.',
    fallback: 'none',
    schema: z.string().optional(),
  },
  trustedDocumentsOnly: {
    env: 'TRUSTED_DOCUMENTS_ONLY',
    flag: 'trusted-documents-only',
    value: '<true|false>',
    help: 'Refuse all other documents. It turns GraphiQL off.',
    fallback: 'false',
    schema: boolean(false),
  },
  rateLimit: {
    env: 'RATE_LIMIT',
    flag: 'rate-limit',
    value: '<points[:burst]>',
    help: 'Cost points that each client may spend a second, and save up. 0 for no limit.',
    fallback: '20000:100000, and no limit for clients on this machine',
    schema: rateLimit.optional(),
  },
  apiKeyRateLimits: {
    env: 'API_KEY_RATE_LIMITS',
    flag: 'api-key-rate-limits',
    value: '<name=points[:burst],...>',
    help: 'The same for single clients with an API key.',
    fallback: 'RATE_LIMIT',
    schema: rateLimits.optional(),
  },
} satisfies Record<string, ParsedSetting>

const limitSetting = (limit: Limit): Setting => ({
  env: limit.env,
  flag: limit.flag,
  value: `<${limit.unit}>`,
  help: limit.description,
  fallback: String(limit.default),
})

/** The name of a setting that is not a limit. */
export type SettingName = keyof typeof settings

/** The value of each setting. */
export type Settings = {
  readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']>
} & { readonly limits: Limits }

/** The names of all settings that are not limits, in the order of the help. */
export const settingNames = Object.keys(settings) as SettingName[]

/** The name of a setting or limit. */
export type Named = SettingName | LimitName

/** A setting as it was given: its text, and the flag, variable or file that gave it. */
export interface Given {
  readonly text: string
  readonly source: string
}

/** A setting or limit, whichever it is. */
export const settingOf = (name: Named): Setting =>
  isLimit(name) ? limitSetting(limitTable[name]) : settings[name]

const isLimit = (name: Named): name is LimitName => name in limitTable
