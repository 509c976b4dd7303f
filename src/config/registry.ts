import { z } from 'zod'
import type { ServedChain, Vm } from '../upstream/network.ts'
import { isChainId, type ServiceUrl, upstreamUrl } from './parsers.ts'

/** A chain to be served, before its indexer is opened. */
export type ChainEntry = Omit<ServedChain, 'indexer'> & { readonly target: ServiceUrl }

/** What a registry holds: chains, some of them without an indexer, and what was passed over. */
export interface Registry {
  readonly chains: readonly (Omit<ChainEntry, 'target'> & { readonly target?: ServiceUrl })[]
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

const vmOfMinitia: Record<string, Vm> = { minievm: 'EVM', minimove: 'MOVE', miniwasm: 'WASM' }

// Only the id has to be there; whatever else is missing or malformed is as if it were not listed.
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
    .transform(({ is_l1, minitia }) => (is_l1 ? 'MOVE' : vmOfMinitia[minitia?.type ?? '']))
    .catch(undefined),
})

const chains = z.array(z.unknown())
const list = z.union([
  chains,
  z.object({ chains }).transform((registry) => registry.chains),
  z
    .object({ chain_id: z.string() })
    .loose()
    .transform((one) => [one]),
])

/** Reads a chain registry: a list of chains, an object that holds one, or a single chain. Throws on other text. */
export function parseRegistry(text: string): Registry {
  const warnings: string[] = []
  const read = new Map<string, Registry['chains'][number]>()
  for (const [index, item] of list.parse(JSON.parse(text.replace(/^\ufeff/, ''))).entries()) {
    const parsed = chain.safeParse(item)
    if (!parsed.success) {
      warnings.push(`Entry ${index + 1} of the chain registry has no chain id; it is passed over.`)
      continue
    }
    const { chain_id: chainId, apis: address, ...entry } = parsed.data
    if (read.has(chainId)) {
      warnings.push(`The chain registry lists ${chainId} twice; the first entry counts.`)
      continue
    }
    const target = address === undefined ? undefined : upstreamUrl.safeParse(address)
    for (const { message } of target?.error?.issues ?? []) {
      warnings.push(`The indexer that the chain registry lists for ${chainId} ${message}.`)
    }
    read.set(chainId, {
      chainId,
      name: entry.pretty_name ?? chainId,
      vm: entry.metadata,
      bech32Prefix: entry.bech32_prefix,
      logoUrl: entry.logo_URIs.svg ?? entry.logo_URIs.png,
      explorers: entry.explorers,
      feeDenoms: entry.fees,
      ...(target?.data && { target: target.data }),
    })
  }
  return { chains: [...read.values()], warnings }
}
