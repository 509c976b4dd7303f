/** The paths of pages. Chain ids, hashes and denoms are encoded: denoms have slashes. */

const path = (...parts: readonly (string | number)[]): string =>
  `/${parts.map((part) => encodeURIComponent(part)).join('/')}`

export const links = {
  home: () => '/',
  search: (query: string) => `/search?q=${encodeURIComponent(query)}`,
  chain: (chainId: string) => path('chain', chainId),
  block: (chainId: string, height: number) => path('block', chainId, height),
  transaction: (chainId: string, hash: string) => path('tx', chainId, hash),
  account: (address: string) => path('address', address),
  assets: (chainId?: string) => (chainId === undefined ? '/assets' : `/assets?chain=${encodeURIComponent(chainId)}`),
  validators: (chainId: string) => path('validators', chainId),
  contracts: (chainId: string) => path('contracts', chainId),
  asset: (chainId: string, denom: string) => path('asset', chainId, denom),
  collection: (chainId: string, address: string) => path('collection', chainId, address),
  contract: (chainId: string, address: string) => path('contract', chainId, address),
  nft: (chainId: string, collection: string, tokenId: string) => path('nft', chainId, collection, tokenId),
  transfer: (chainId: string, hash: string) => path('transfer', chainId, hash),
  transfers: () => '/transfers',
  quote: () => '/quote',
  status: () => '/status',
}

/** A link to another host, if it is safe to follow: `https:` only. */
export function outside(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'https:' ? href : undefined
}
