import type { ServiceCommand } from './commandLine.ts'
import type {
  ChainOptions,
  ListedChainOptions,
  NetworkOptions,
  ServiceOptions,
} from './openNetwork.ts'
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
 * for each fault. With the sandbox there are no entries yet, only the ids its chains will have.
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
    checkChainIds(command, sandboxIds, problems)
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
  checkChainIds(command, servedIds, problems)
  return { entries, listed, warnings }
}

/** The network of the configuration: services with what is set for each of them. */
export function networkOptions(
  settings: Settings,
  services: {
    readonly chains: readonly ChainOptions[]
    readonly listed?: readonly ListedChainOptions[] | undefined
    readonly router?: ServiceOptions | undefined
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
    })),
    listed: services.listed,
    router: services.router && withSettings('router', services.router),
    defaultChain: settings.defaultChain,
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

/** Settings may name only chains that are served. */
function checkChainIds(
  { settings, sandbox }: ServiceCommand,
  served: readonly string[],
  problems: string[],
) {
  if (served.length === 0) return
  const { defaultChain, vmKinds, upstreamHeaders, routerUrl } = settings
  const problem = (name: SettingName, text: string) =>
    problems.push(`${settingOf(name).env} names ${text}`)
  const checkChain = (name: SettingName, chainId: string) => {
    if (served.includes(chainId)) return
    problem(name, `${chainId}, which is not served. Served: ${served.join(', ')}.`)
  }
  const checkService = (name: SettingName, service: string) => {
    if (service !== 'router') checkChain(name, service)
    else if (!routerUrl && !sandbox) {
      problem(name, `the router, but ${settingOf('routerUrl').env} is not set.`)
    }
  }
  if (defaultChain !== undefined) checkChain('defaultChain', defaultChain)
  for (const chainId of vmKinds?.keys() ?? []) checkChain('vmKinds', chainId)
  for (const name of Object.keys(upstreamHeaders ?? {})) checkService('upstreamHeaders', name)
  for (const name of ['upstreamTimeouts', 'upstreamConcurrency'] as const) {
    for (const service of settings[name]?.keys() ?? []) checkService(name, service)
  }
}
