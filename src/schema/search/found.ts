import type { AccountShape } from '../account/account.ts'
import type { ChainShape } from '../chain/knownChain.ts'
import type { Match } from '../chain/labels.ts'
import type { BlockShape } from '../indexer/block/block.ts'
import type { EvmTransactionShape } from '../indexer/evm/evmTransaction.ts'
import type { NftCollectionShape } from '../indexer/nft/nftCollection.ts'
import type { TransactionShape } from '../indexer/transaction/transaction.ts'
import type { AssetShape } from '../router/asset/asset.ts'
import type { FollowCandidateShape } from './followCandidates.ts'

/** The records that a search can find. */
export type FoundNode =
  | AssetShape
  | BlockShape
  | ChainShape
  | EvmTransactionShape
  | AccountShape
  | FollowCandidateShape
  | NftCollectionShape
  | TransactionShape

/** Something that a search found, and how well it matches. */
export interface SearchHit {
  readonly node: FoundNode
  readonly match: Match | 'POSSIBLE'
  /** Null for what belongs to no chain. */
  readonly chain: ChainShape | null
}
