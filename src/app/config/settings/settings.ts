import type { z } from 'zod'
import { type LimitName, type Limits, limitNames, limitOf } from '../../../engine/limits/limits.ts'
import {
  functionNames,
  headersByService,
  headersForm,
  origins,
  orList,
  pairs,
  pairsOfServices,
  text,
  upstreamUrl,
  vmKinds,
  wholeNumber,
} from '../../../engine/network/parsers.ts'
import { openRequests, serviceNames, serviceOf, type UrlName, urlNameOf } from '../../../engine/upstream/services.ts'
import { apiKeys, rateLimits, trustedProxies } from '../clientParsers.ts'
import { serverSettings } from './serverSettings.ts'
import { boolean, booleanOr, type ParsedSetting, type SettingEntry, withinLimit } from './setting.ts'

/** The settings of clients: their keys, and their shares of the gateway. */
const clientSettings = {
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
    schema: text.optional(),
  },
  trustedDocumentsOnly: {
    value: '<true|false>',
    help: 'Refuse all other documents. It turns GraphiQL and the explorer off.',
    fallback: 'false',
    schema: boolean(false),
  },
  rateLimit: {
    value: '<points[:burst],name=points[:burst],...>',
    help: 'Cost points that each client may spend a second, and save up, and the same for single clients by the name of their API key. 0 for no limit.',
    fallback: '20000:100000, and no limit for clients on this machine',
    schema: rateLimits.optional(),
  },
} satisfies Record<string, ParsedSetting>

const wordSettings = {
  words: {
    value: '<json>',
    help: 'Names of functions of contracts in the words of transactions: {"swap(uint256)": "swap", "0x1::dex::swap_script": "swap"}.',
    fallback: 'names of common functions',
    canBeFile: true,
    schema: functionNames.optional(),
  },
} satisfies Record<string, ParsedSetting>

/** The settings of the URLs of services, by their names. */
const urlSettings = serviceNames.map((name) => {
  const { help, fallback } = serviceOf(name)
  const setting = {
    value: '<url>',
    help,
    fallback,
    isSecret: true,
    canBeFile: true,
    schema: upstreamUrl.optional(),
  } as const
  return [urlNameOf(name), setting] as const
})

/** The names of services in settings: `chainId, router or prices`. */
const keysOfServices = orList(['chainId', ...serviceNames])

/** Requests open at once by default, in words: `256, or 8 for prices`. */
const usualConcurrency = [
  openRequests,
  ...serviceNames
    .filter((name) => serviceOf(name).maxRequests !== openRequests)
    .map((name) => `${serviceOf(name).maxRequests} for ${name}`),
].join(', or ')

/** The chains and the other services, and how they are requested. */
const networkSettings = {
  indexers: {
    value: '<chainId=url,...>',
    help: 'Chains to serve, each with the URL of its indexer.',
    isSecret: true,
    canBeFile: true,
    schema: pairs(upstreamUrl, 'url').optional(),
  },
  // `Object.fromEntries` loses the names, hence the assertion.
  ...(Object.fromEntries(urlSettings) as Readonly<Record<UrlName, (typeof urlSettings)[number][1]>>),
  sandbox: {
    value: '<true|false|odd>',
    help: 'Serve the sandbox, a simulated network, in place of configured chains. `odd` makes it as odd as real services can be, to test a client.',
    fallback: 'false',
    schema: booleanOr('odd'),
  },
  defaultChain: {
    value: '<chainId>',
    help: 'Chain of queries that do not name one.',
    fallback: 'the first chain',
    schema: text.optional(),
  },
  chainRegistry: {
    value: '<file or url>',
    help: 'Chain registry (JSON). Chains that list an indexer are served.',
    isSecret: true,
    schema: text.optional(),
  },
  vmKinds: {
    value: '<chainId=evm|move|wasm,...>',
    help: 'Virtual machine of each chain.',
    fallback: 'detected through the indexer',
    schema: vmKinds.optional(),
  },
  opinitFinalizationSeconds: {
    value: '<chainId=seconds,...>',
    help: 'Seconds from an output of a rollup until its withdrawals can be claimed on the hub: the finalization period of its OPinit bridge.',
    fallback: 'unknown, so that the graph gives no time of a claim',
    schema: pairs(wholeNumber(1, 2 ** 31 - 1), 'seconds').optional(),
  },
  upstreamHeaders: {
    value: '<json>',
    help: `Headers to send upstream: ${headersForm}.`,
    isSecret: true,
    canBeFile: true,
    schema: headersByService.optional(),
  },
  upstreamTimeouts: {
    value: `<${keysOfServices}=ms,...>`,
    help: 'Longest time of a request to one service, in milliseconds.',
    fallback: 'UPSTREAM_TIMEOUT_MS',
    schema: pairsOfServices(withinLimit('upstreamTimeoutMs')).optional(),
  },
  upstreamConcurrency: {
    value: `<${keysOfServices}=n,...>`,
    help: 'Maximum number of requests open at once to one service.',
    fallback: usualConcurrency,
    schema: pairsOfServices(wholeNumber(1, 10_000)).optional(),
  },
} satisfies Record<string, ParsedSetting>

/**
 * All settings but the limits. Flags, variables, keys of the configuration file, `_FILE` variables, help
 * and messages are made from this table, so a new setting is one entry and its use.
 */
export const settings = {
  ...serverSettings,
  ...networkSettings,
  ...wordSettings,
  ...clientSettings,
}

/** One setting or limit, given as a flag, as an environment variable, or in the configuration file. */
export interface Setting extends SettingEntry {
  readonly env: string
  readonly flag: string
}

/** The name of a setting that is not a limit. */
export type SettingName = keyof typeof settings

export type Settings = {
  readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']>
} & { readonly limits: Limits }

/** The names of all settings that are not limits, in the order of the help. */
export const settingNames = Object.keys(settings) as SettingName[]

export type OptionName = SettingName | LimitName

export const allNames: readonly OptionName[] = [...settingNames, ...limitNames]

/** A setting as it was given: the value of a file or the text of a flag or variable, and which of them gave it. */
export interface GivenValue {
  readonly value: unknown
  readonly source: string
  readonly rank: SourceRank
}

/** The kinds of sources by their precedence: a flag is above a variable, and a variable above the configuration file. */
export const sourceRanks = { file: 1, variable: 2, flag: 3 } as const

export type SourceRank = (typeof sourceRanks)[keyof typeof sourceRanks]

/** A setting or limit, whichever it is. Its flag and variable are its name: `maxCost`, `--max-cost`, `MAX_COST`. */
export function settingOf(name: OptionName): Setting {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const env = flag.replaceAll('-', '_').toUpperCase()
  return { env, flag, ...(isLimit(name) ? limitSetting(name) : settings[name]) }
}

const isLimit = (name: OptionName): name is LimitName => !(name in settings)

function limitSetting(name: LimitName): SettingEntry {
  const { unit, description, default: fallback } = limitOf(name)
  return { value: `<${unit}>`, help: description, fallback: String(fallback) }
}
