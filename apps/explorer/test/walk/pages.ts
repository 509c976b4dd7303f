import { account, hash, transfer } from './browser.ts'
import type { startGateway } from './gateway.ts'

/** An NFT of galley-1. */
export type FoundNft = readonly [collection: string, tokenId: string]

/** An NFT of galley-1, found in a gateway. */
export async function findNft({ query }: Awaited<ReturnType<typeof startGateway>>): Promise<FoundNft> {
  const { chain } = await query(
    '{ chain(chainId: "galley-1") { nftCollections(first: 1) { nodes { address nfts(first: 1) { nodes { tokenId } } } } } }',
  )
  const [{ address, nfts }] = chain.nftCollections.nodes
  return [address, nfts.nodes[0].tokenId]
}

/** The path of each page, and a text that it shows once its data has come. */
export const pagesOf = ([collection, tokenId]: FoundNft): readonly (readonly [string, string | RegExp])[] => [
  ['/', /Galley Sequencer/],
  ['/search?q=lantern', 'Lantern'],
  ['/chain/galley-1', 'galley-1'],
  ['/validators/harbor-1', 'Polaris'],
  ['/contracts/galley-1', 'Bored Sailors'],
  ['/usage/galley-1', /UTC/],
  ['/assets', '$3,200.00'],
  ['/assets?chain=galley-1', '$0.35'],
  ['/block/galley-1/1041', 'Galley Sequencer'],
  [`/tx/${hash}`, /\/ 99,982$/],
  [`/address/${account}`, /^worth on \d chains/],
  [`/address/${account}?tab=bridges`, 'Accounts'],
  [`/address/${account}?tab=transfers`, /^\d+[smh] ago$/],
  [`/address/${account}?tab=nfts`, 'NFTs'],
  [`/address/${account}?tab=evm`, /^Internal calls/],
  ['/asset/harbor-1/uinit', 'Holders'],
  [`/contract/galley-1/${collection}`, /^Internal calls/],
  [`/collection/galley-1/${collection}`, 'Creator'],
  [`/nft/galley-1/${collection}/${encodeURIComponent(tokenId)}`, 'Owner'],
  [`/transfer/osmosis-1/${transfer}`, 'Hops'],
  ['/quote?from=harbor-1&asset=uinit&to=1&for=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&amount=250', 'You receive'],
  ['/transfers', 'None yet.'],
  ['/status', 'Max cost per operation'],
  ['/block/galley-1/none', 'Page not found'],
]
