import { z } from 'zod'
import { amountOf, chainId, type Data, queryTool, rows, usd } from '../tool.ts'

export const tokenOrNft = queryTool({
  name: 'token_or_nft',
  title: 'Token, NFT collection or NFT',
  description:
    'A token by its denom, with price and largest holders, or an NFT collection by its address, or one NFT of it by its token id. `search` finds denoms and addresses by name.',
  input: z.object({
    chainId,
    denom: z.string().min(1).max(256).optional().describe('Denom of a token, such as uinit.'),
    collection: z.string().max(128).optional().describe('Address of an NFT collection.'),
    tokenId: z.string().max(1_024).optional().describe('Token id of an NFT of the collection.'),
  }),
  output: z.object({ holders: rows }),
  document: `query McpTokenOrNft($chainId: ChainId!, $denom: Denom! = "", $collection: Address! = "", $tokenId: String! = "",
  $isToken: Boolean!, $isCollection: Boolean!, $isNft: Boolean!) {
  asset(chainId: $chainId, denom: $denom) @include(if: $isToken) {
    symbol name decimals denom usdPrice tokenContract originChainId originDenom }
  chain(chainId: $chainId) @include(if: $isToken) { richList(denom: $denom, first: 10) { totalCount nodes {
    amount denom formattedAmount asset { symbol } account { address } } } }
  nftCollection(chainId: $chainId, address: $collection) @include(if: $isCollection) {
    name originName address nftCount creator { address } timestamp }
  nft(chainId: $chainId, collection: $collection, tokenId: $tokenId) @include(if: $isNft) {
    tokenId uri owner { address } timestamp }
}`,
  variables: ({ chainId: id, ...args }) => ({
    ...args,
    chainId: id,
    isToken: args.denom !== undefined,
    isCollection: args.collection !== undefined,
    isNft: args.collection !== undefined && args.tokenId !== undefined,
  }),
  read: ({ asset, chain, nftCollection, nft }) => ({
    result: {
      token: asset && { ...asset, usdPrice: usd(asset.usdPrice) },
      holderCount: chain?.richList?.totalCount,
      holders: chain?.richList?.nodes.map(
        (holder: Data) => holder && { amount: amountOf(holder), address: holder.account.address },
      ),
      collection: nftCollection && { ...nftCollection, creator: nftCollection.creator?.address },
      nft: nft && { ...nft, owner: nft.owner?.address },
    },
  }),
})
