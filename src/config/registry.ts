import { z } from 'zod'
import type { ChainOptions } from './openNetwork.ts'
import { isChainId, upstreamUrl } from './parsers.ts'

/** The chains of a registry. Those without an indexer have no `url`. */
export interface Registry {
  readonly chains: readonly (Omit<ChainOptions, 'url'> & { readonly url?: string })[]
  /** Entries that were skipped, a sentence each. */
  readonly warnings: readonly string[]
}

const optional = z.string().min(1).optional().catch(undefined)

const explorer = z
  .object({ kind: optional, tx_page: optional, account_page: optional })
  .transform(({ kind, tx_page, account_page }) => ({
    name: kind ?? null,
    transactionPage: tx_page ?? null,
    accountPage: account_page ?? null,
  }))

const vmOfMinitia: Record<string, ChainOptions['vm']> = {
  minievm: 'evm',
  minimove: 'move',
  miniwasm: 'wasm',
}

// Only the id is required. Anything else that is missing or malformed is ignored.
const chain = z.object({
  chain_id: z.string().refine(isChainId),
  pretty_name: optional,
  bech32_prefix: optional,
  logo_URIs: z.object({ svg: optional, png: optional }).catch({}),
  explorers: z.array(explorer).catch([]),
  fees: z
    .object({ fee_tokens: z.array(z.object({ denom: z.string() })) })
    .transform(({ fee_tokens }) => fee_tokens.map(({ denom }) => denom))
    .catch([]),
  apis: z
    .object({ indexer: z.array(z.object({ address: z.string() })) })
    .transform(({ indexer }) => indexer[0]?.address)
    .catch(undefined),
  metadata: z
    .object({ is_l1: z.boolean().optional(), minitia: z.object({ type: z.string() }).optional() })
    .transform(({ is_l1, minitia }) =>
      is_l1 ? ('move' as const) : vmOfMinitia[minitia?.type ?? ''],
    )
    .catch(undefined),
})

const chains = z.array(z.unknown())
const list = z.union([
  chains,
  z.object({ chains }).transform((registry) => registry.chains),
  z
    .object({ chain_id: z.string() })
    .loose()
    .transform((entry) => [entry]),
])

/** Parses a chain registry: a list of chains, an object with such a list, or a single chain. Throws on any other text. */
export function parseRegistry(text: string): Registry {
  const warnings: string[] = []
  const chainsById = new Map<string, Registry['chains'][number]>()
  for (const [index, item] of list.parse(JSON.parse(text.replace(/^\ufeff/, ''))).entries()) {
    const parsed = chain.safeParse(item)
    if (!parsed.success) {
      const { data: named } = z.object({ chain_id: z.string() }).safeParse(item)
      const fault = named ? `an invalid chain id, '${named.chain_id.slice(0, 80)}',` : 'no chain id'
      warnings.push(`Entry ${index + 1} of the chain registry has ${fault} and was skipped.`)
      continue
    }
    const { chain_id: chainId, apis: address, ...entry } = parsed.data
    if (chainsById.has(chainId)) {
      warnings.push(`The chain registry lists ${chainId} twice. The first entry is used.`)
      continue
    }
    const service = address === undefined ? undefined : upstreamUrl.safeParse(address)
    for (const { message } of service?.error?.issues ?? []) {
      warnings.push(`In the chain registry, the indexer of ${chainId} ${message}.`)
    }
    chainsById.set(chainId, {
      chainId,
      name: entry.pretty_name,
      vm: entry.metadata,
      bech32Prefix: entry.bech32_prefix,
      logoUrl: entry.logo_URIs.svg ?? entry.logo_URIs.png,
      explorers: entry.explorers,
      feeDenoms: entry.fees,
      ...service?.data,
    })
  }
  return { chains: [...chainsById.values()], warnings }
}
