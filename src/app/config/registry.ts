import { z } from 'zod'
import type { ChainOptions } from '../../engine/network/networkOptions.ts'
import { isChainId, upstreamUrl } from '../../engine/network/parsers.ts'
import { lenientPrice } from '../../engine/wire/lenient.ts'
import { ifReadable } from '../../engine/wire/optional.ts'
import { lenientName } from '../../engine/wire/shownText.ts'

/** The chains of a registry. Those without an indexer have no `url`. */
export interface Registry {
  readonly chains: readonly (Omit<ChainOptions, 'url'> & { readonly url?: string })[]
  /** Entries that were skipped, a sentence each. */
  readonly warnings: readonly string[]
}

const optional = z.string().min(1).optional().catch(undefined)
// An unreadable name or price counts as missing: the router may have it.
const readableName = lenientName.transform(ifReadable)
const readablePrice = lenientPrice.transform(ifReadable)
const optionalName = readableName.transform((text) => text ?? undefined)

const explorer = z
  .object({ kind: readableName, tx_page: optional, account_page: optional })
  .transform(({ kind, tx_page, account_page }) => ({
    name: kind,
    transactionPage: tx_page ?? null,
    accountPage: account_page ?? null,
  }))

const vmOfMinitia: Record<string, ChainOptions['vm']> = {
  minievm: 'evm',
  minimove: 'move',
  miniwasm: 'wasm',
}

const feeToken = z
  .object({
    denom: z.string(),
    low_gas_price: readablePrice,
    average_gas_price: readablePrice,
    high_gas_price: readablePrice,
    fixed_min_gas_price: readablePrice,
  })
  .transform(({ denom, low_gas_price, average_gas_price, high_gas_price, ...token }) => ({
    denom,
    low: low_gas_price ?? token.fixed_min_gas_price,
    average: average_gas_price ?? token.fixed_min_gas_price,
    high: high_gas_price ?? token.fixed_min_gas_price,
  }))

const endpoints = z
  .array(z.object({ address: z.string() }))
  .transform((entries) => entries.map(({ address }) => address))
  .catch([])

const noEndpoints: Record<'indexer' | 'rpc' | 'rest', string[]> = { indexer: [], rpc: [], rest: [] }

// A chain has the channels of NFTs and of interchain accounts beside those of coins.
const channels = z
  .array(z.object({ chain_id: z.string(), channel_id: z.string() }))
  .transform((all) => all.map(({ chain_id, channel_id }) => ({ chainId: chain_id, channelId: channel_id })))
  .catch([])

const bridgeId = z
  .union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative().transform(String)])
  .optional()
  .catch(undefined)

// Only the id is required. Anything else that is missing or malformed is ignored.
const chain = z.object({
  chain_id: z.string().refine(isChainId),
  chain_name: optionalName,
  pretty_name: optionalName,
  bech32_prefix: optional,
  logo_URIs: z.object({ svg: optional, png: optional }).catch({}),
  explorers: z.array(explorer).catch([]),
  fees: z
    .object({ fee_tokens: z.array(feeToken) })
    .transform(({ fee_tokens }) => fee_tokens)
    .catch([]),
  apis: z.object({ indexer: endpoints, rpc: endpoints, rest: endpoints }).catch(noEndpoints),
  metadata: z
    .object({
      is_l1: z.boolean().optional().catch(undefined),
      minitia: z.object({ type: z.string() }).optional().catch(undefined),
      ibc_channels: channels,
      op_bridge_id: bridgeId,
    })
    .transform(({ is_l1, minitia, ibc_channels, op_bridge_id }) => ({
      vm: is_l1 ? ('move' as const) : vmOfMinitia[minitia?.type ?? ''],
      ibcChannels: ibc_channels,
      opInitBridgeId: op_bridge_id,
    }))
    .catch({ vm: undefined, ibcChannels: [], opInitBridgeId: undefined }),
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
    const { chain_id: chainId, apis, ...entry } = parsed.data
    const [address] = apis.indexer
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
      name: entry.chain_name,
      prettyName: entry.pretty_name,
      ...entry.metadata,
      bech32Prefix: entry.bech32_prefix,
      logoUrl: entry.logo_URIs.svg ?? entry.logo_URIs.png,
      explorers: entry.explorers,
      feeAssets: entry.fees,
      rpcUrls: apis.rpc.filter(isWebUrl),
      restUrls: apis.rest.filter(isWebUrl),
      ...service?.data,
    })
  }
  return { chains: [...chainsById.values()], warnings }
}

const isWebUrl = (text: string): boolean => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
