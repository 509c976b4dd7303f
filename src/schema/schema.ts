import '../engine/graphql/scalars.ts'
import './router/asset/asset.ts'
import './router/asset/assetSearch.ts'
import './router/asset/assetDestinations.ts'
import './router/asset/assetOrigin.ts'
import './router/asset/assetLabel.ts'
import './router/asset/assetAmount.ts'
import './router/balance/balanceChange.ts'
import './router/balance/valueAtTime.ts'
import './indexer/actions/actions.ts'
import './router/action/actionAmounts.ts'
import './router/action/actionSummary.ts'
import './router/routerLists.ts'
import './router/balance/balance.ts'
import './router/balance/accountBalances.ts'
import './router/balance/balancesSubscription.ts'
import './router/routableChainAccounts.ts'
import './chain/prefix.ts'
import './router/routableChains.ts'
import './indexer/entry.ts'
import './indexer/capabilities.ts'
import './indexer/block/connections.ts'
import './indexer/transaction/connections.ts'
import './indexer/accounts/activity.ts'
import './indexer/accounts/nfts.ts'
import './indexer/live/activity.ts'
import './indexer/live/blocks.ts'
import './indexer/live/chainHeads.ts'
import './indexer/live/freshness.ts'
import './indexer/live/transaction.ts'
import './indexer/evm/cosmosEvmLink.ts'
import './indexer/evm/tokenTransfers.ts'
import './indexer/transaction/coinTransfers.ts'
import './indexer/transaction/signedFields.ts'
import './indexer/evm/connections.ts'
import './movement/types/hop.ts'
import './indexer/nft/connections.ts'
import './indexer/nft/metadata.ts'
import './router/messages/opHook.ts'
import './router/messages/nftTransfer.ts'
import './indexer/richList.ts'
import './indexer/rootFields.ts'
import './router/route/routeSubscription.ts'
import './search/search.ts'
import './service.ts'
import './router/messages/transferMessages.ts'
import './movement/types/sentAmounts.ts'
import './movement/types/transactionTransfer.ts'
import './movement/types/accountTransfers.ts'
import './movement/types/summary.ts'
import './movement/guidance/recordGuidance.ts'
import './movement/guidance/transferGuidance.ts'
import './movement/types/transactionFields.ts'
import './movement/live/bridgeTransfersSubscription.ts'
import './movement/live/trackTransfer.ts'
import './movement/live/transferSubscription.ts'
import './movement/live/transfersSubscription.ts'
import { GraphQLSchema } from 'graphql'
import { builder } from '../engine/graphql/builder.ts'

/** The introduction to the schema, in Markdown. */
const description = `
One graph over the indexers of several chains and a router of transfers between them.

- **Enter** by \`chains\`, \`chain(chainId)\`, \`account(address)\` on all chains, \`search(text)\`, \`transaction(hash)\`, \`route(input)\` or \`transfer(chainId, hash)\`. \`node(id)\` finds anything with an \`id\`. Subscriptions follow blocks, accounts and transfers.
- **Null** is a missing value. An unreadable one is null with an error beside it: \`extensions.code\` says why, \`extensions.service\` where. All other fields are answered.
- **Pages** follow Relay: \`first\` and \`after\`, or \`last\` and \`before\`. A cursor is good for its own list, filters and order.
- **Amounts** are exact integers in base units; \`formattedAmount\` has decimals. Times are in UTC.
- **Costs** are points for each operation. \`service { limits }\` has the limits, \`extensions\` of refusals the price.

The gateway serves this schema at \`/schema.graphql\`, and its documentation at \`/docs\` where it was built.
`.trim()

/**
 * The whole schema. Each imported file adds its types and fields to the builder. Types and fields keep their
 * order in the files, also in GraphiQL's documentation.
 */
export const schema = new GraphQLSchema({
  ...builder.toSchema({ sortSchema: false }).toConfig(),
  description,
})
