import { z } from 'zod'
import { headersByService, origins, pairs, upstreamUrl, vmKinds } from './parsers.ts'

/** One thing that can be set, by a flag or by an environment variable. */
interface Setting {
  readonly env: string
  readonly flag: string
  /** What stands for the value in the help. */
  readonly value: string
  readonly help: string
  /** As the help words it; the schema says what happens. */
  readonly fallback?: string
  /** True for what may hold secrets, and is not repeated in messages. */
  readonly isSecret?: true
  /** Reads the text; undefined when not given. */
  readonly schema: z.ZodType<unknown, string | undefined>
}

const flagText = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'has to be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true')

const portMessage = 'has to be a port: a whole number from 0 to 65535'

/** Everything that can be set. The help and the messages about faults are made of this table. */
export const settings = {
  port: {
    env: 'PORT',
    flag: 'port',
    value: '<number>',
    help: 'Port to listen on; for `sandbox`, the first of several.',
    fallback: '4000; 4100 for `sandbox`',
    schema: z
      .string()
      .regex(/^\d{1,5}$/, portMessage)
      .transform(Number)
      .refine((port) => port <= 65_535, portMessage)
      .optional(),
  },
  host: {
    env: 'HOST',
    flag: 'host',
    value: '<address>',
    help: 'Address to listen on.',
    fallback: '127.0.0.1',
    schema: z
      .string()
      .regex(/^[\w.:-]+$/, 'has to be an address or a host name')
      .default('127.0.0.1'),
  },
  indexers: {
    env: 'INDEXERS',
    flag: 'indexers',
    value: '<chainId=url,...>',
    help: 'The indexer of each chain to serve.',
    isSecret: true,
    schema: pairs(upstreamUrl).optional(),
  },
  routerUrl: {
    env: 'ROUTER_URL',
    flag: 'router-url',
    value: '<url>',
    help: 'The cross-chain router.',
    fallback: "the sandbox's, with the sandbox",
    isSecret: true,
    schema: upstreamUrl.optional(),
  },
  defaultChain: {
    env: 'DEFAULT_CHAIN',
    flag: 'default-chain',
    value: '<chainId>',
    help: 'The chain asked when a query names none.',
    fallback: 'the first',
    schema: z.string().optional(),
  },
  chainRegistry: {
    env: 'CHAIN_REGISTRY',
    flag: 'chain-registry',
    value: '<file or url>',
    help: 'A chain registry; its chains with an indexer are served.',
    isSecret: true,
    schema: z.string().optional(),
  },
  vmKinds: {
    env: 'VM_KINDS',
    flag: 'vm-kinds',
    value: '<chainId=evm|move|wasm,...>',
    help: 'The virtual machine of chains.',
    fallback: 'asked of their indexers',
    schema: vmKinds.optional(),
  },
  upstreamHeaders: {
    env: 'UPSTREAM_HEADERS',
    flag: 'upstream-headers',
    value: '<json>',
    help: 'Headers to send, as {"<chainId or router>": {"<name>": "<value>"}}.',
    isSecret: true,
    schema: headersByService.optional(),
  },
  logLevel: {
    env: 'LOG_LEVEL',
    flag: 'log-level',
    value: '<level>',
    help: 'The least level logged: trace, debug, info, warn, error, fatal or silent.',
    fallback: 'info',
    schema: z
      .enum(
        ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        'has to be one of trace, debug, info, warn, error, fatal and silent',
      )
      .default('info'),
  },
  graphiql: {
    env: 'GRAPHIQL',
    flag: 'graphiql',
    value: '<true|false>',
    help: 'Whether browsers are shown GraphiQL.',
    fallback: 'true',
    schema: flagText(true),
  },
  introspection: {
    env: 'INTROSPECTION',
    flag: 'introspection',
    value: '<true|false>',
    help: 'Whether the schema may be asked for.',
    fallback: 'true',
    schema: flagText(true),
  },
  allowedOrigins: {
    env: 'ALLOWED_ORIGINS',
    flag: 'allowed-origins',
    value: '<* or origin,...>',
    help: 'Origins whose pages may read the graph.',
    fallback: '*',
    schema: origins,
  },
} satisfies Record<string, Setting>

/** The name of a setting. */
export type SettingName = keyof typeof settings

/** What is set, read and checked one by one. */
export type Settings = {
  readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']>
}

/** The names of all settings, in the order of the help. */
export const settingNames = Object.keys(settings).filter(isSettingName)

function isSettingName(name: string): name is SettingName {
  return name in settings
}

/** A setting as the table has it, whichever it is. */
export const settingOf = (name: SettingName): Setting => settings[name]
