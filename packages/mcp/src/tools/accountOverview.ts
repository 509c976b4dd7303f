import { z } from 'zod'
import { address, amountOf, type Data, queryTool, rows, unavailable, unavailableChains, usd } from '../tool.ts'

const byValue = (a: Data, b: Data): number => (b.usdValue ?? 0) - (a.usdValue ?? 0)

export const accountOverview = queryTool({
  name: 'account_overview',
  title: 'Account on all chains',
  description:
    'What one address holds on all chains, whatever its spelling: the total value, what it leaves out and why, balances with their values, some NFTs, and its address on each chain. Call account_activity for its transactions.',
  input: z.object({ address }),
  output: z.object({ balances: rows, nfts: rows, addresses: rows, unavailableChains }),
  document: `query McpAccountOverview($address: Address!) { account(address: $address) {
  hexAddress
  chainAccounts { address chain { prettyName chainId } }
  balances { usdValue count excluded { reason count usdValue } unavailableChains { chainId code }
    balances { chain { prettyName chainId } amount denom formattedAmount usdValue exclusion asset { symbol } } }
  nfts(first: 10) { pageInfo { hasNextPage } unavailableChains { chainId code }
    nodes { chain { prettyName chainId } tokenId collection { name address } } }
} }`,
  read({ account }) {
    const { hexAddress, chainAccounts, balances, nfts } = account
    return {
      result: {
        address: hexAddress,
        totalValue: usd(balances?.usdValue),
        notInTotal: balances?.excluded?.map(({ reason, count, usdValue }: Data) => ({
          reason,
          count,
          value: usd(usdValue),
        })),
        balanceCount: balances?.count,
        balances: balances?.balances.toSorted(byValue).map((balance: Data) => ({
          amount: amountOf(balance),
          value: usd(balance.usdValue),
          notInTotal: balance.exclusion,
          chain: balance.chain.prettyName,
          chainId: balance.chain.chainId,
          denom: balance.denom,
        })),
        nfts: nfts?.nodes.map(
          (nft: Data) =>
            nft && {
              collection: nft.collection?.name,
              tokenId: nft.tokenId,
              chain: nft.chain.prettyName,
              chainId: nft.chain.chainId,
              collectionAddress: nft.collection?.address,
            },
        ),
        hasMoreNfts: nfts?.pageInfo.hasNextPage,
        addresses: chainAccounts.map(({ address: text, chain }: Data) => ({
          chain: chain.prettyName,
          chainId: chain.chainId,
          address: text,
        })),
        ...unavailable([...(balances?.unavailableChains ?? []), ...(nfts?.unavailableChains ?? [])]),
      },
    }
  },
})
