import type {
  ChainOptions,
  ListedChainOptions,
  NetworkOptions,
  ServiceOptions,
} from '../../engine/network/networkOptions.ts'
import {
  type ByService,
  isServiceName,
  mapServices,
  serviceNames,
  serviceOf,
  urlNameOf,
} from '../../engine/upstream/services.ts'
import type { ServiceCommand } from './commandLine.ts'
import { parseRegistry, type Registry } from './registry.ts'
import { type SettingName, type Settings, settingOf } from './settings/settings.ts'

/** The chains to serve, each once: those of the registry, then those of `INDEXERS`. */
export interface Chains {
  readonly entries: readonly ChainOptions[]
  /** Chains of the registry without an indexer. */
  readonly listed: readonly ListedChainOptions[]
  readonly warnings: readonly string[]
}

/**
 * Reads the configured chains and checks the settings that name chains. Adds a sentence to `problems`
 * for each fault. With the sandbox there are no entries yet, only the ids its chains will have. A name that the chain
 * registry does not have is a warning: others decide what it lists, and it may have had the chain before.
 */
export async function readChains(
  command: ServiceCommand,
  options: {
    readonly sandboxIds: readonly string[]
    /** Reads the text of a file or URL. */
    readonly readText: (source: string) => Promise<string>
    readonly problems: string[]
  },
): Promise<Chains> {
  const { settings, sandbox } = command
  const { sandboxIds, readText, problems } = options
  if (sandbox) {
    problems.push(...unknownNames(command, sandboxIds))
    return { entries: [], listed: [], warnings: [] }
  }
  const registry = await readRegistry(settings.chainRegistry, readText, problems)
  if (!registry) return { entries: [], listed: [], warnings: [] }

  const warnings = [...registry.warnings]
  const indexers = new Map(settings.indexers)
  const entries: ChainOptions[] = []
  const listed: ListedChainOptions[] = []
  for (const { url, ...chain } of registry.chains) {
    const indexer = indexers.get(chain.chainId)
    indexers.delete(chain.chainId)
    if (indexer) entries.push({ ...chain, ...indexer })
    else if (url !== undefined) entries.push({ ...chain, url })
    else listed.push(chain)
  }
  if (listed.length > 0) {
    const ids = listed.map(({ chainId }) => chainId)
    const some = ids.slice(0, 5).join(', ') + (ids.length > 5 ? ', …' : '')
    warnings.push(`The chain registry lists no indexer for ${ids.length} of its chains: ${some}.`)
  }
  for (const [chainId, indexer] of indexers) entries.push({ chainId, ...indexer })
  if (entries.length === 0 && problems.length === 0) {
    problems.push(`${settingOf('chainRegistry').env} lists no chain with an indexer.`)
  }
  const servedIds = entries.map(({ chainId }) => chainId)
  const unknown = unknownNames(command, servedIds)
  if (settings.chainRegistry === undefined) problems.push(...unknown)
  else warnings.push(...unknown.map((text) => `${text} It has no effect.`))
  problems.push(...namesWithoutUrl(command))
  return { entries, listed, warnings }
}

/** The network of the configuration: services with what is set for each of them. */
export function networkOptions(
  settings: Settings,
  services: ByService<ServiceOptions> & {
    readonly chains: readonly ChainOptions[]
    readonly listed?: readonly ListedChainOptions[] | undefined
  },
): NetworkOptions {
  const withSettings = <T extends ServiceOptions>(name: string, service: T): T => ({
    ...service,
    headers: { ...service.headers, ...settings.upstreamHeaders?.[name] },
    timeoutMs: settings.upstreamTimeouts?.get(name),
    maxRequests: settings.upstreamConcurrency?.get(name),
  })
  return {
    chains: services.chains.map((chain) => ({
      ...withSettings(chain.chainId, chain),
      vm: settings.vmKinds?.get(chain.chainId) ?? chain.vm,
      opInitFinalizationSeconds:
        settings.opinitFinalizationSeconds?.get(chain.chainId) ?? chain.opInitFinalizationSeconds,
    })),
    listed: services.listed,
    ...mapServices((name) => {
      const service = services[name]
      return service && withSettings(name, service)
    }),
    // The first chain is the default if it is not set.
    defaultChain: services.chains.find(({ chainId }) => chainId === settings.defaultChain)?.chainId,
  }
}

async function readRegistry(
  source: string | undefined,
  readText: (source: string) => Promise<string>,
  problems: string[],
): Promise<Registry | undefined> {
  if (source === undefined) return { chains: [], warnings: [] }
  const { env } = settingOf('chainRegistry')
  try {
    const text = await readText(source)
    try {
      return parseRegistry(text)
    } catch {
      problems.push(`${env} is not a chain registry: it is not JSON, or has another shape.`)
    }
  } catch (error) {
    problems.push(`${env} could not be read: ${reasonOf(error)}.`)
  }
  return undefined
}

/** The reason of an error. A failed fetch gives it in its cause only. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}

/** A sentence for each chain that settings name and that is not served. */
function unknownNames({ settings, isFileUnderstood }: ServiceCommand, served: readonly string[]): string[] {
  if (served.length === 0 || !isFileUnderstood) return []
  const { defaultChain } = settings
  const names: (readonly [SettingName, string])[] = [
    ...(defaultChain === undefined ? [] : [['defaultChain', defaultChain] as const]),
    ...(['vmKinds', 'opinitFinalizationSeconds'] as const).flatMap((setting) =>
      [...(settings[setting]?.keys() ?? [])].map((name) => [setting, name] as const),
    ),
    ...servicesNamed(settings).filter(([, name]) => !isServiceName(name)),
  ]
  return names
    .filter(([, name]) => !served.includes(name))
    .map(
      ([setting, name]) =>
        `${settingOf(setting).env} names ${name}, which is not served. Served: ${served.join(', ')}.`,
    )
}

/** A sentence for each setting that names another service than an indexer while its URL is not set. */
const namesWithoutUrl = ({ settings, sandbox, isFileUnderstood }: ServiceCommand): string[] =>
  serviceNames
    .filter((name) => !settings[urlNameOf(name)] && !sandbox && isFileUnderstood)
    .flatMap((name) => {
      const unset = `names ${serviceOf(name).named}, but ${settingOf(urlNameOf(name)).env} is not set.`
      const named = servicesNamed(settings).filter(([, service]) => service === name)
      return named.map(([setting]) => `${settingOf(setting).env} ${unset}`)
    })

/** The services that settings name, each with its setting: chain ids, and names of other services such as `router`. */
const servicesNamed = (settings: Settings): (readonly [SettingName, string])[] => [
  ...Object.keys(settings.upstreamHeaders ?? {}).map((name) => ['upstreamHeaders', name] as const),
  ...(['upstreamTimeouts', 'upstreamConcurrency'] as const).flatMap((setting) =>
    [...(settings[setting]?.keys() ?? [])].map((name) => [setting, name] as const),
  ),
]
