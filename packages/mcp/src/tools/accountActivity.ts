import { z } from 'zod'
import {
  address,
  amountOf,
  chainId,
  changesOf,
  type Data,
  queryTool,
  rows,
  unavailable,
  unavailableChains,
} from '../tool.ts'

export const accountActivity = queryTool({
  name: 'account_activity',
  title: 'Transactions of an account',
  description:
    'The transactions of one address on all chains in one list, the newest first, ten a page: when, what each did in words, whether it succeeded, and what the address lost and got, fees apart. For the next page, call it with the arguments in `next`.',
  input: z.object({
    address,
    chainIds: z.array(chainId).min(1).max(100).optional().describe('Only these chains.'),
    signedOnly: z.boolean().optional().describe('Only transactions that the account signed first.'),
    isSuccessful: z.boolean().optional().describe('Only those that succeeded, or only those that failed.'),
    after: z.string().max(20_000).optional().describe('The cursor in `next` of the page before.'),
  }),
  output: z.object({ transactions: rows, unavailableChains }),
  document: `query McpAccountActivity($address: Address!, $filter: AccountActivityFilter, $after: String) {
  account(address: $address) { hexAddress activity(first: 10, filter: $filter, after: $after) {
    edges { cursor chain { prettyName chainId }
      balanceChanges { kind amount denom formattedAmount asset { symbol } tokenId objectAddress }
      node { hash height isSuccessful
        ... on Transaction { timestamp memo actions { summary } fee { amount { ...coin } } } } }
    pageInfo { hasNextPage } unavailableChains { chainId code }
  } }
}
fragment coin on Coin { amount denom formattedAmount asset { symbol } }`,
  variables: ({ address: text, chainIds, signedOnly, isSuccessful, after }) => ({
    address: text,
    after,
    filter: { chainIds, signedOnly, isSuccessful },
  }),
  read({ account }, args) {
    const { activity } = account
    if (!activity) return { result: { address: account.hexAddress } }
    const transactions = activity.edges.map(({ chain, node, balanceChanges }: Data) => ({
      timestamp: node?.timestamp,
      actions: node?.actions?.map(({ summary }: Data) => summary),
      isSuccessful: node?.isSuccessful,
      changes: changesOf(balanceChanges),
      fee: node?.fee?.amount.map(amountOf).join(', '),
      memo: node?.memo,
      chain: chain.prettyName,
      chainId: chain.chainId,
      height: node?.height,
      hash: node?.hash,
    }))
    return {
      result: {
        address: account.hexAddress,
        transactions,
        ...unavailable(activity.unavailableChains),
      },
      page: {
        list: 'transactions',
        cursors: activity.edges.map(({ cursor }: Data) => cursor),
        hasNextPage: activity.pageInfo.hasNextPage,
        next: (after) => ({ ...args, after }),
      },
    }
  },
})
