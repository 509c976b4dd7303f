import '../graphql/scalars.ts'
import './router/asset.ts'
import './router/assetSearch.ts'
import './router/assetDestinations.ts'
import './router/assetPrice.ts'
import './router/routerLists.ts'
import './router/balance.ts'
import './chain/prefix.ts'
import './router/routableChains.ts'
import './indexer/block/connections.ts'
import './indexer/live/activity.ts'
import './indexer/live/blocks.ts'
import './indexer/live/chainHeads.ts'
import './indexer/live/transaction.ts'
import './indexer/evm/cosmosEvmLink.ts'
import './indexer/evm/connections.ts'
import './router/transfer/hop.ts'
import './indexer/nft/connections.ts'
import './router/messages/opHook.ts'
import './router/messages/nftTransfer.ts'
import './indexer/richList.ts'
import './router/route/route.ts'
import './service.ts'
import './router/messages/transferMessages.ts'
import './router/transfer/trackTransfer.ts'
import './router/transfer/transferSubscription.ts'
import './router/transfer/transfersSubscription.ts'
import { builder } from '../graphql/builder.ts'

/**
 * The whole schema. Each imported file adds its types and fields to the builder. They keep the order in
 * which they are written, which is the order of GraphiQL's documentation.
 */
export const schema = builder.toSchema({ sortSchema: false })
