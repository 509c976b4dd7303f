import type { Command } from './commandLine.ts'
import { type ChainEntry, parseRegistry, type Registry } from './registry.ts'
import { settingOf } from './settings.ts'

type Serve = Extract<Command, { run: 'serve' | 'sandbox' }>

/** The chains to serve, each once: those of the registry, then those that are set beside it. */
export interface Chains {
  readonly entries: readonly ChainEntry[]
  readonly warnings: readonly string[]
}

/**
 * Reads the chains that are configured; what is wrong goes to `faults`. With the sandbox there are
 * none yet, only the ids they will have.
 */
export async function readChains(
  command: Serve,
  options: {
    readonly sandboxIds: readonly string[]
    /** The text of a file or URL. */
    readonly readText: (source: string) => Promise<string>
    readonly faults: string[]
  },
): Promise<Chains> {
  const { settings, sandbox } = command
  const { sandboxIds, readText, faults } = options
  if (sandbox) {
    checkNames(command, sandboxIds, faults)
    return { entries: [], warnings: [] }
  }
  const registry = await readRegistry(settings.chainRegistry, readText, faults)
  if (!registry) return { entries: [], warnings: [] }

  const warnings = [...registry.warnings]
  const own = new Map(settings.indexers)
  const entries: ChainEntry[] = []
  for (const { target: listed, ...chain } of registry.chains) {
    const target = own.get(chain.chainId) ?? listed
    own.delete(chain.chainId)
    if (target) entries.push({ ...chain, target })
    else warnings.push(`${chain.chainId} is not served: the chain registry lists no indexer of it.`)
  }
  for (const [chainId, target] of own) entries.push({ ...bareChain(chainId), target })
  if (entries.length === 0 && faults.length === 0) {
    faults.push(`${settingOf('chainRegistry').env} lists no chain with an indexer.`)
  }
  checkNames(
    command,
    entries.map(({ chainId }) => chainId),
    faults,
  )
  return { entries, warnings }
}

const bareChain = (chainId: string) => ({
  chainId,
  name: chainId,
  vm: undefined,
  bech32Prefix: undefined,
  logoUrl: undefined,
  explorers: [],
  feeDenoms: [],
})

async function readRegistry(
  source: string | undefined,
  readText: (source: string) => Promise<string>,
  faults: string[],
): Promise<Registry | undefined> {
  if (source === undefined) return { chains: [], warnings: [] }
  const { env } = settingOf('chainRegistry')
  try {
    const text = await readText(source)
    try {
      return parseRegistry(text)
    } catch {
      faults.push(`${env} is no chain registry: its text is not JSON, or of another shape.`)
    }
  } catch (error) {
    const why = reasonOf(error)
    faults.push(`${env} could not be read: ${why}.`)
  }
  return undefined
}

/** What went wrong in words; a failed fetch says it in its cause only. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}

/** Settings that speak of a chain have to speak of one that is served. */
function checkNames({ settings, sandbox }: Serve, served: readonly string[], faults: string[]) {
  if (served.length === 0) return
  const { defaultChain, vmKinds, upstreamHeaders, routerUrl } = settings
  const check = (name: 'defaultChain' | 'vmKinds' | 'upstreamHeaders', chainId: string) => {
    if (served.includes(chainId)) return
    const { env } = settingOf(name)
    faults.push(`${env} names ${chainId}, which is not served; served are ${served.join(', ')}.`)
  }
  if (defaultChain !== undefined) check('defaultChain', defaultChain)
  for (const chainId of vmKinds?.keys() ?? []) check('vmKinds', chainId)
  for (const service of Object.keys(upstreamHeaders ?? {})) {
    if (service !== 'router') check('upstreamHeaders', service)
    else if (!routerUrl && !sandbox) {
      faults.push(`${settingOf('upstreamHeaders').env} names the router, but none is set.`)
    }
  }
}
