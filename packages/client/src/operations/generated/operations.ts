// Written by `npm run config` from examples/documents and schema.graphql.

import type { Client, Live, ResumeRules, SubscribeOptions, TypedDocument } from '../../client.ts'
import type { QueryOptions } from '../../query.ts'
import type { ResumeRule } from '../../resume.ts'
import { subscribeBy } from '../subscribeBy.ts'

/** Which transactions of an account to list. All conditions hold. */
export type AccountActivityFilter = {
  /** Only on these chains. All by default. */
  readonly chainIds?: ReadonlyArray<string> | null | undefined;
  /** Only with an event that names one of these assets. The balance of the account need not change. */
  readonly denoms?: ReadonlyArray<string> | null | undefined;
  /** Only successful or only failed transactions. */
  readonly isSuccessful?: boolean | null | undefined;
  /** Only with a message of one of these types, such as `cosmos.bank.v1beta1.MsgSend`. */
  readonly messageTypes?: ReadonlyArray<string> | null | undefined;
  /** Only if the account signed first. Default: false. */
  readonly signedOnly?: boolean | null | undefined;
  /** Only records of this time or later. Costs about 5 upstream requests, 10 on the EVM, at most 20, once. */
  readonly since?: string | null | undefined;
  /** Only records before this time, at the same cost. */
  readonly until?: string | null | undefined;
};

/** Which NFTs of an account to list. All conditions hold. */
export type AccountNftFilter = {
  /** Only on these chains. All by default. */
  readonly chainIds?: ReadonlyArray<string> | null | undefined;
  /** Only NFTs of the collection at this address. */
  readonly collection?: string | null | undefined;
  /** Part of the collection's name or origin name. Only letters and digits count, in any case. */
  readonly search?: string | null | undefined;
};

/** An asset on a chain. */
export type AssetInput = {
  /** The chain that the asset is on. */
  readonly chainId: string;
  /** Base denom on that chain, or contract address. */
  readonly denom: string;
};

/** A bridge that carries an asset from one chain to another. */
export type Bridge =
  /** Axelar. */
  | 'AXELAR'
  /** Circle's Cross-Chain Transfer Protocol for USDC. */
  | 'CCTP'
  /** Version 2 of Circle's Cross-Chain Transfer Protocol for USDC. */
  | 'CCTP_V2'
  /** IBC Eureka, which connects Cosmos chains with Ethereum. */
  | 'EUREKA'
  /** Go Fast: solvers deliver the asset in advance from their own funds. */
  | 'GO_FAST'
  /** Hyperlane. */
  | 'HYPERLANE'
  /** The Inter-Blockchain Communication protocol (ICS-20 transfers). */
  | 'IBC'
  /** LayerZero. */
  | 'LAYER_ZERO'
  /** The optimistic bridge between a hub and its rollups. */
  | 'OPINIT'
  /** Stargate, a bridge of liquidity pools over LayerZero. */
  | 'STARGATE'
  /** Another bridge: see the raw name. */
  | 'UNKNOWN';

/** State of a bridge transfer. */
export type BridgeTransferState =
  /** The destination chain gave it to the receiver. */
  | 'ARRIVED'
  /** It has left the source chain, and has not arrived: a chain or the router says so. */
  | 'ON_THE_WAY'
  /** The destination chain passed it on to another chain. See `onward`. */
  | 'PASSED_ON'
  /** The destination chain did not take it, and it is back with the sender. See `refund`. */
  | 'REFUNDED'
  /** The destination chain did not take it. Nothing shows yet that it is back with the sender. */
  | 'REFUSED'
  /** It was not received in time, and the source chain sent it again. See `onward`. */
  | 'SENT_AGAIN'
  /** It was not received in time, and is back with the sender. See `refund`. */
  | 'TIMED_OUT'
  /** No record that was read shows what became of it. */
  | 'UNKNOWN';

/** The family of a chain: its form of transactions and addresses. */
export type ChainKind =
  /** Cosmos SDK chains: bech32 addresses and transactions of messages. */
  | 'COSMOS'
  /** EVM chains: hex addresses and Ethereum transactions. */
  | 'EVM'
  /** Solana: base58 addresses and Solana transactions. */
  | 'SVM'
  /** A family unknown to this gateway. See `rawKind`. */
  | 'UNKNOWN';

/** Kind of an EVM call. */
export type EvmCallKind =
  /** Calls an account. */
  | 'CALL'
  /** The older form of DELEGATECALL, which keeps no sender. */
  | 'CALLCODE'
  /** Creates a contract. */
  | 'CREATE'
  /** Creates a contract at an address that is known before. */
  | 'CREATE2'
  /** Runs the code of a contract on the data of the caller. */
  | 'DELEGATECALL'
  /** Removes the contract, and sends its coins to an account. */
  | 'SELFDESTRUCT'
  /** Calls a contract that must not change anything. */
  | 'STATICCALL'
  /** A kind unknown to this gateway. See `rawKind`. */
  | 'UNKNOWN';

/** State of one hop of a transfer. */
export type HopState =
  /** The asset arrived. */
  | 'COMPLETED'
  /** The asset did not arrive, or its next step failed. See `rawState`. */
  | 'FAILED'
  /** Not started, or in progress. */
  | 'PENDING'
  /** No state, or one unknown to this gateway. See `rawState`. */
  | 'UNKNOWN';

/** Kind of a transaction of a hop. */
export type HopTransactionKind =
  /** Reports delivery or refusal to the source chain. */
  | 'ACKNOWLEDGE'
  /** Approves the delivery on the bridge. */
  | 'APPROVE'
  /** Runs the action after the delivery. */
  | 'COMPOSE'
  /** Confirms the sending on the bridge. */
  | 'CONFIRM'
  /** Failed on the destination chain. */
  | 'ERROR'
  /** Executes the delivery on the destination chain. */
  | 'EXECUTE'
  /** Pays the bridge for the gas on the destination chain. */
  | 'GAS_PAID'
  /** A solver delivers the asset on the destination chain. */
  | 'ORDER_FILL'
  /** Refunds the order, as no solver filled it. */
  | 'ORDER_REFUND'
  /** Submits the order to the solvers. */
  | 'ORDER_SUBMIT'
  /** Closes the order, as no solver filled it in time. */
  | 'ORDER_TIMEOUT'
  /** Delivers the asset on the destination chain. */
  | 'RECEIVE'
  /** Sends the asset from the source chain. */
  | 'SEND'
  /** Returns the asset on the source chain, as it was not delivered in time. */
  | 'TIMEOUT'
  /** A purpose unknown to this gateway. See `rawKind`. */
  | 'UNKNOWN';

/** Kind of a notice. */
export type LiveNoticeKind =
  /** The cursor is too old to continue from. The list starts here: read anew. */
  | 'GAP'
  /** The indexer is behind what it sent before. Records follow. */
  | 'HEAD_BEHIND'
  /** No new block, or no readable answer, for some time. Records follow. */
  | 'LATE'
  /** The indexer lacks these blocks, or they cannot be read. They are skipped. */
  | 'MISSING'
  /** The chain is gone. No records follow. */
  | 'REMOVED'
  /** A transaction of the chain cannot be read, and may be one of the account. It is skipped. */
  | 'UNREADABLE'
  /** The indexer's records cannot be followed. No records follow. */
  | 'UNSUPPORTED';

/** What a fee pays for. */
export type RouteFeeKind =
  /** A bridge. */
  | 'BRIDGE'
  /** Execution on a chain. */
  | 'GAS'
  /** A relayer. */
  | 'RELAY'
  /** A relayer that pays for the delivery. */
  | 'SMART_RELAY'
  /** A swap venue. */
  | 'SWAP'
  /** A kind unknown to this gateway. See `rawKind`. */
  | 'UNKNOWN';

/** The asset to send and its destination. */
export type RouteInput = {
  /** Fee of all affiliates on swaps, in hundredths of a percent. */
  readonly affiliateFeeBps?: number | null | undefined;
  /** Return routes that need several signatures. */
  readonly allowMultiTransaction?: boolean | null | undefined;
  /** Whether to return routes with swaps. */
  readonly allowSwaps?: boolean | null | undefined;
  /** Return routes with a bad or unknown price, with a `warning`, not as an error. */
  readonly allowUnsafe?: boolean | null | undefined;
  /** Amount to send, in base units, above 0. Or give `amountOut`. */
  readonly amountIn?: string | null | undefined;
  /** Exact amount to receive, in base units, above 0. */
  readonly amountOut?: string | null | undefined;
  /** Bridges to use. All by default. `UNKNOWN` is not allowed. */
  readonly bridges?: ReadonlyArray<Bridge> | null | undefined;
  /** The asset to receive, on the chain to send to. */
  readonly destination: AssetInput;
  /** Features on request, such as `eureka`. */
  readonly experimentalFeatures?: ReadonlyArray<string> | null | undefined;
  /** Further fields for the router, in its own names. */
  readonly extra?: unknown;
  /** Prefer routes that deliver before the source is final. */
  readonly fastTransfer?: boolean | null | undefined;
  /** Whether to use Go Fast, where solvers deliver in advance. */
  readonly goFast?: boolean | null | undefined;
  /** Include networks that the router leaves out. */
  readonly ignoreBlacklist?: boolean | null | undefined;
  /** Force a withdrawal over the slow optimistic bridge. */
  readonly isOpWithdrawal?: boolean | null | undefined;
  /** Use relayers that pay for delivery, for a fee. */
  readonly smartRelay?: boolean | null | undefined;
  /** Swap options. All are off by default. */
  readonly smartSwap?: SmartSwapInput | null | undefined;
  /** The asset to send, on the chain to send from. */
  readonly source: AssetInput;
  /** Swap venues to use. All by default. */
  readonly swapVenues?: ReadonlyArray<SwapVenueInput> | null | undefined;
};

/** Kind of an operation of a route. */
export type RouteOperationKind =
  /** Swaps an asset on an EVM chain. */
  | 'EVM_SWAP'
  /** Sends an asset to another account on the same chain. */
  | 'SEND'
  /** Swaps an asset on a Cosmos chain. */
  | 'SWAP'
  /** Sends an asset to another chain, over a bridge. */
  | 'TRANSFER'
  /** Another operation, which can still be signed and sent. See `rawKind`. */
  | 'UNKNOWN';

/** Why a route has a warning. */
export type RouteWarningKind =
  /** Much less value is received than sent. */
  | 'BAD_PRICE'
  /** An asset has no known price. */
  | 'LOW_INFO'
  /** A reason unknown to this gateway. See `rawKind`. */
  | 'UNKNOWN';

/** How well a result matches the text. Case is ignored. */
export type SearchMatch =
  /** The text is a whole name or identifier. */
  | 'EXACT'
  /** One of its names contains the text. */
  | 'PART'
  /** It may have what the text is the hash of. See `FollowCandidate`. */
  | 'POSSIBLE'
  /** One of its names starts with the text. */
  | 'PREFIX';

/** The signed hook of `opHook`. */
export type SignedOpHookInput = {
  /** The encoded and signed transaction for the rollup, in base64. */
  readonly hook: string;
  /** Bech32 address of the signer. */
  readonly signer: string;
};

/** Swap options. All are off by default. */
export type SmartSwapInput = {
  /** Whether to allow swaps on EVM chains. */
  readonly evmSwaps?: boolean | null | undefined;
  /** Whether a swap may be split over several paths. */
  readonly splitRoutes?: boolean | null | undefined;
};

/** A venue for swaps, such as a DEX. */
export type SwapVenueInput = {
  /** The chain that the venue is on. */
  readonly chainId: string;
  /** The router's name of the venue. */
  readonly name: string;
};

/** The standard of a token contract. */
export type TokenStandard =
  /** Fungible tokens. */
  | 'ERC20'
  /** Non-fungible tokens, each with its own id. */
  | 'ERC721'
  /** Any number of tokens of each id. */
  | 'ERC1155';

/** The first transaction of a transfer. */
export type TrackTransferInput = {
  /** The chain that the transaction was sent on. */
  readonly chainId: string;
  /** Hash of the transaction: hex in any case, with or without 0x, or base58. */
  readonly hash: string;
};

/** What an action is. */
export type TransactionActionKind =
  /** A setting of an account, or a change of a group of accounts. */
  | 'ACCOUNT_UPDATE'
  /** Tokens put into a liquidity pool. */
  | 'ADD_LIQUIDITY'
  /** An allowance of tokens or NFTs, or its end. */
  | 'APPROVE'
  /** Messages of other accounts, if they are not actions of their own. */
  | 'AUTHZ_EXEC'
  /** Another account may send messages for the actor. */
  | 'AUTHZ_GRANT'
  /** The end of `AUTHZ_GRANT`. */
  | 'AUTHZ_REVOKE'
  /** Coins that arrived over IBC and were sent on by the same message. */
  | 'BRIDGE_FORWARD'
  /** Coins or NFTs that arrived from another chain. */
  | 'BRIDGE_IN'
  /** Coins or NFTs that leave for another chain. */
  | 'BRIDGE_OUT'
  /** Coins or NFTs that came back, since their transfer failed or timed out. */
  | 'BRIDGE_REFUND'
  /** A setting, an upgrade or a check of the chain or of its modules. */
  | 'CHAIN_UPDATE'
  /** Rewards of stake or of a position, fees of a pool, commission or coins of the community pool withdrawn. */
  | 'CLAIM_REWARDS'
  /** Another call, known by its `function`. */
  | 'CONTRACT_CALL'
  /** A new contract, or code for contracts. */
  | 'CONTRACT_DEPLOY'
  /** The admin, the name or the permissions of a contract. */
  | 'CONTRACT_UPDATE'
  /** Another account may pay fees from the actor. */
  | 'FEE_GRANT'
  /** The end of `FEE_GRANT`. */
  | 'FEE_REVOKE'
  /** Work of a relayer, all as one. */
  | 'IBC_RELAY'
  /** An account on another chain registered, messages sent to it, or unreadable ones that it executed here. */
  | 'INTERCHAIN_ACCOUNT'
  /** Coins sent to several accounts by one message. */
  | 'MULTI_SEND'
  /** NFTs destroyed by their owner. */
  | 'NFT_BURN'
  /** New NFTs. */
  | 'NFT_MINT'
  /** NFTs sent to another account. */
  | 'NFT_TRANSFER'
  /** A Move object sent to another account. It can be an NFT. */
  | 'OBJECT_TRANSFER'
  /** New prices or markets of the oracle. */
  | 'ORACLE_UPDATE'
  /** A proposal that its proposer cancelled. */
  | 'PROPOSAL_CANCEL'
  /** Coins deposited for a proposal. */
  | 'PROPOSAL_DEPOSIT'
  /** A new proposal. */
  | 'PROPOSE'
  /** Coins moved from one validator to another. */
  | 'REDELEGATE'
  /** Tokens withdrawn from a liquidity pool. */
  | 'REMOVE_LIQUIDITY'
  /** An output or a batch that a rollup reports to its hub, or a change of its bridge. */
  | 'ROLLUP_UPDATE'
  /** Coins or tokens sent to one account. */
  | 'SEND'
  /** Coins delegated to a validator, or also locked. */
  | 'STAKE'
  /** One token exchanged for another. */
  | 'SWAP'
  /** Coins or tokens destroyed by their owner. */
  | 'TOKEN_BURN'
  /** New coins or tokens. */
  | 'TOKEN_MINT'
  /** A token created or described, or its admin changed. */
  | 'TOKEN_UPDATE'
  /** A message that the graph cannot describe. */
  | 'UNKNOWN'
  /** Coins that leave a validator and are unbonded. */
  | 'UNSTAKE'
  /** A validator created, edited, removed or released from jail. */
  | 'VALIDATOR_UPDATE'
  /** A vote on a proposal. */
  | 'VOTE';

/** A transfer, by its first transaction. */
export type TransferInput = {
  /** The chain of the first transaction. */
  readonly chainId: string;
  /** Expected duration in seconds, as in `transfer`. */
  readonly estimatedDurationSeconds?: number | null | undefined;
  /** Its hash: hex in any case, with or without 0x, or base58. */
  readonly hash: string;
};

/** Outcome of a transfer. */
export type TransferOutcome =
  /** Tracking ended before the transfer completed. */
  | 'ABANDONED'
  /** The asset was not delivered. It was refunded, or released on another chain. */
  | 'FAILED'
  /** Not completed yet. */
  | 'PENDING'
  /** The asset was delivered. */
  | 'SUCCEEDED';

/** State of a transfer. */
export type TransferState =
  /** The router has stopped tracking. Funds need not be lost: `trackTransfer` resumes. */
  | 'ABANDONED'
  /** Failed. `assetRelease` says where the funds are. Without hops, the first transaction failed: it sent nothing. */
  | 'COMPLETED_ERROR'
  /** Completed. The asset was delivered. */
  | 'COMPLETED_SUCCESS'
  /** In progress. */
  | 'PENDING'
  /** Failed, but the funds are not released yet. */
  | 'PENDING_ERROR'
  /** The first transaction is not on chain yet. See `search`. */
  | 'SUBMITTED'
  /** A state unknown to this gateway: treat it as pending. See `rawState`. */
  | 'UNKNOWN'
  /** The first transaction is on its chain: see `transaction`. The router does not track it: too new, or perhaps no transfer. */
  | 'UNTRACKED';

/** The virtual machine that runs the contracts of a chain. */
export type VmKind =
  /** Ethereum Virtual Machine. */
  | 'EVM'
  /** Move virtual machine. */
  | 'MOVE'
  /** CosmWasm. */
  | 'WASM';

export type AccountActivityQueryVariables = {
  address: string;
  after?: string | null | undefined;
  filter?: AccountActivityFilter | null | undefined;
};


export type AccountActivityQuery = { readonly account: { readonly activity: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly chain: { readonly chainId: string, readonly prettyName: string }, readonly node:
          | { readonly hash: string, readonly height: number, readonly timestamp: string | null, readonly isSuccessful: boolean | null, readonly actions: ReadonlyArray<{ readonly kind: TransactionActionKind, readonly title: string, readonly summary: string }> | null, readonly fee: { readonly amount: ReadonlyArray<{ readonly amount: string | null, readonly denom: string | null }> | null } | null }
          | Record<PropertyKey, never>
         | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly unavailableChains: ReadonlyArray<{ readonly chainId: string, readonly code: string }> } | null } | null };

export type AccountNftsQueryVariables = {
  address: string;
  after?: string | null | undefined;
  filter?: AccountNftFilter | null | undefined;
};


export type AccountNftsQuery = { readonly account: { readonly nfts: { readonly edges: ReadonlyArray<{ readonly chain: { readonly chainId: string, readonly prettyName: string }, readonly node: { readonly tokenId: string, readonly uri: string | null, readonly timestamp: string | null, readonly collection: { readonly address: string, readonly name: string } | null } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly unavailableChains: ReadonlyArray<{ readonly chainId: string, readonly code: string }> } | null } | null };

export type AccountTransfersQueryVariables = {
  address: string;
  after?: string | null | undefined;
};


export type AccountTransfersQuery = { readonly account: { readonly bridgeTransfers: { readonly nodes: ReadonlyArray<{ readonly summary: string, readonly bridge: Bridge, readonly state: BridgeTransferState, readonly durationSeconds: number | null, readonly departure: { readonly chainId: string | null, readonly address: string | null, readonly formattedAmount: string | null, readonly hash: string | null, readonly timestamp: string | null, readonly asset: { readonly symbol: string | null } | null }, readonly arrival: { readonly chainId: string | null, readonly address: string | null, readonly hash: string | null, readonly timestamp: string | null }, readonly refund: { readonly hash: string | null, readonly timestamp: string | null } | null } | null>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly unavailableChains: ReadonlyArray<{ readonly chainId: string, readonly code: string }> } | null } | null };

export type AccountQueryVariables = {
  address: string;
};


export type AccountQuery = { readonly account: { readonly hexAddress: string, readonly chainAccounts: ReadonlyArray<{ readonly address: string, readonly chain: { readonly prettyName: string } }>, readonly balances: { readonly usdValue: string | null, readonly count: number, readonly pricedCount: number, readonly balances: ReadonlyArray<{ readonly formattedAmount: string | null, readonly usdValue: string | null, readonly chain: { readonly prettyName: string }, readonly asset: { readonly symbol: string | null } | null }> } | null, readonly nfts: { readonly nodes: ReadonlyArray<{ readonly tokenId: string, readonly chain: { readonly prettyName: string }, readonly collection: { readonly name: string } | null } | null> } | null, readonly activity: { readonly edges: ReadonlyArray<{ readonly chain: { readonly prettyName: string }, readonly node:
          | { readonly hash: string, readonly timestamp: string | null, readonly isSuccessful: boolean | null, readonly messages: ReadonlyArray<{ readonly typeUrl: string }> | null }
          | Record<PropertyKey, never>
         | null }>, readonly unavailableChains: ReadonlyArray<{ readonly chainId: string, readonly code: string }> } | null } | null };

export type BalancesQueryVariables = {
  address: string;
  chainIds?: ReadonlyArray<string> | string | null | undefined;
};


export type BalancesQuery = { readonly account: { readonly balances: { readonly usdValue: string | null, readonly count: number, readonly pricedCount: number, readonly balances: ReadonlyArray<{ readonly denom: string | null, readonly amount: string | null, readonly formattedAmount: string | null, readonly usdPrice: string | null, readonly usdValue: string | null, readonly chain: { readonly chainId: string, readonly prettyName: string }, readonly asset: { readonly symbol: string | null, readonly name: string | null, readonly logoUrl: string | null } | null }>, readonly unavailableChains: ReadonlyArray<{ readonly chainId: string, readonly code: string }> } | null } | null };

export type BlockQueryVariables = {
  chainId?: string | null | undefined;
  height: number;
};


export type BlockQuery = { readonly chain: { readonly prettyName: string, readonly block: { readonly height: number, readonly hash: string, readonly timestamp: string | null, readonly gasUsed: string | null, readonly proposer: { readonly moniker: string | null } | null, readonly totalFee: ReadonlyArray<{ readonly amount: string | null, readonly denom: string | null, readonly asset: { readonly symbol: string | null, readonly decimals: number | null } | null }> | null, readonly previous: { readonly height: number } | null, readonly next: { readonly height: number } | null, readonly transactions: { readonly totalCount: number | null, readonly nodes: ReadonlyArray<{ readonly hash: string, readonly isSuccessful: boolean | null, readonly messages: ReadonlyArray<{ readonly typeUrl: string }> | null, readonly signers: ReadonlyArray<{ readonly account: { readonly address: string } | null }> | null } | null> } | null, readonly evmTransactions: { readonly nodes: ReadonlyArray<{ readonly hash: string, readonly isSuccessful: boolean | null, readonly gasUsed: string | null, readonly from: { readonly address: string } | null, readonly to: { readonly address: string } | null, readonly tokenTransfers: ReadonlyArray<{ readonly standard: TokenStandard, readonly amount: string | null }> | null } | null> } | null } | null } | null };

export type BridgeFormQueryVariables = {
  chainId: string;
  search?: string | null | undefined;
};


export type BridgeFormQuery = { readonly routableChains: { readonly nodes: ReadonlyArray<{ readonly chainId: string, readonly prettyName: string, readonly kind: ChainKind | null, readonly logoUrl: string | null, readonly bech32Prefix: string | null, readonly isIndexed: boolean } | null> } | null, readonly assets: { readonly totalCount: number | null, readonly nodes: ReadonlyArray<{ readonly denom: string, readonly symbol: string | null, readonly name: string | null, readonly decimals: number | null, readonly logoUrl: string | null } | null> } | null, readonly bridges: ReadonlyArray<{ readonly bridge: Bridge, readonly name: string, readonly logoUrl: string | null }> | null, readonly swapVenues: ReadonlyArray<{ readonly chainId: string | null, readonly name: string | null, readonly logoUrl: string | null }> | null };

export type CollectionQueryVariables = {
  chainId?: string | null | undefined;
  address: string;
  after?: string | null | undefined;
};


export type CollectionQuery = { readonly chain: { readonly nftCollection: { readonly name: string, readonly address: string, readonly height: number, readonly timestamp: string | null, readonly nftCount: number | null, readonly creator: { readonly address: string } | null, readonly nfts: { readonly totalCount: number | null, readonly nodes: ReadonlyArray<{ readonly tokenId: string, readonly uri: string | null, readonly owner: { readonly address: string } | null } | null>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null } | null } | null };

export type ExplorerHomeQueryVariables = { [key: string]: never; };


export type ExplorerHomeQuery = { readonly chains: ReadonlyArray<{ readonly chainId: string, readonly prettyName: string, readonly vm: VmKind | null, readonly blocks: { readonly nodes: ReadonlyArray<{ readonly height: number, readonly timestamp: string | null, readonly blockTimeSeconds: number | null, readonly transactionCount: number, readonly proposer: { readonly moniker: string | null } | null } | null> } | null, readonly transactions: { readonly nodes: ReadonlyArray<{ readonly hash: string, readonly timestamp: string | null, readonly isSuccessful: boolean | null, readonly messages: ReadonlyArray<{ readonly typeUrl: string }> | null } | null> } | null }> };

export type HookQueryVariables = {
  routeToken: string;
  sourceAddress: string;
  destinationAddress: string;
};


export type HookQuery = { readonly opHook: { readonly chainId: string, readonly messages: ReadonlyArray<{ readonly typeUrl: string, readonly raw: string }> } | null };

export type LiveActivitySubscriptionVariables = {
  address: string;
  chainIds?: ReadonlyArray<string> | string | null | undefined;
  after?: string | null | undefined;
};


export type LiveActivitySubscription = { readonly activity: { readonly cursor: string, readonly chain: { readonly chainId: string, readonly prettyName: string }, readonly node:
      | { readonly hash: string, readonly height: number, readonly timestamp: string | null, readonly isSuccessful: boolean | null, readonly actions: ReadonlyArray<{ readonly kind: TransactionActionKind, readonly title: string, readonly summary: string }> | null }
      | Record<PropertyKey, never>
     | null, readonly notice: { readonly kind: LiveNoticeKind, readonly message: string } | null } };

export type LiveBlocksSubscriptionVariables = {
  chainId: string;
  after?: string | null | undefined;
};


export type LiveBlocksSubscription = { readonly blocks: { readonly cursor: string, readonly node: { readonly height: number, readonly timestamp: string | null, readonly transactionCount: number, readonly totalFee: ReadonlyArray<{ readonly amount: string | null, readonly denom: string | null }> | null } | null, readonly notice: { readonly kind: LiveNoticeKind, readonly message: string } | null } };

export type LiveHeadsSubscriptionVariables = {
  chainIds?: ReadonlyArray<string> | string | null | undefined;
};


export type LiveHeadsSubscription = { readonly chainHeads: { readonly height: number | null, readonly isLate: boolean, readonly chain: { readonly chainId: string, readonly prettyName: string }, readonly block: { readonly timestamp: string | null, readonly transactionCount: number } | null } };

export type LiveTransactionSubscriptionVariables = {
  chainId: string;
  hash: string;
};


export type LiveTransactionSubscription = { readonly transaction: { readonly hash: string, readonly chain: { readonly prettyName: string }, readonly node:
      | { readonly height: number, readonly isSuccessful: boolean | null }
      | { readonly height: number, readonly isSuccessful: boolean | null }
     | null } };

export type NftQueryVariables = {
  chainId?: string | null | undefined;
  collection: string;
  tokenId: string;
};


export type NftQuery = { readonly chain: { readonly nft: { readonly tokenId: string, readonly uri: string | null, readonly owner: { readonly address: string } | null, readonly collection: { readonly name: string, readonly nftCount: number | null, readonly creator: { readonly address: string } | null } | null, readonly transactions: { readonly totalCount: number | null, readonly nodes: ReadonlyArray<{ readonly hash: string, readonly timestamp: string | null, readonly messages: ReadonlyArray<{ readonly typeUrl: string }> | null } | null> } | null } | null } | null };

export type PrepareQueryVariables = {
  routeToken: string;
  addresses: ReadonlyArray<string> | string;
  slippage: string;
  signedOpHook?: SignedOpHookInput | null | undefined;
};


export type PrepareQuery = { readonly transferMessages: { readonly minAmountOut: string | null, readonly formattedMinAmountOut: string | null, readonly warning: { readonly kind: RouteWarningKind, readonly message: string | null } | null, readonly transactions: ReadonlyArray<
      | { readonly __typename: 'CosmosTransactionRequest', readonly chainId: string | null, readonly signer: string | null, readonly messages: ReadonlyArray<{ readonly typeUrl: string, readonly body: unknown, readonly raw: string }> }
      | { readonly __typename: 'EvmTransactionRequest', readonly to: string, readonly value: string, readonly data: string, readonly chainId: string | null, readonly signer: string | null, readonly approvals: ReadonlyArray<{ readonly tokenContract: string, readonly spender: string, readonly amount: string | null }> }
      | { readonly __typename: 'SvmTransactionRequest', readonly chainId: string | null, readonly signer: string | null }
      | { readonly __typename: 'UnknownTransactionRequest', readonly chainId: string | null, readonly signer: string | null }
    > } | null };

export type QuoteQueryVariables = {
  input: RouteInput;
};


export type QuoteQuery = { readonly route: { readonly formattedAmountIn: string | null, readonly formattedAmountOut: string | null, readonly usdAmountIn: string | null, readonly usdAmountOut: string | null, readonly estimatedDurationSeconds: number | null, readonly requiresOpHook: boolean, readonly expiresAt: string | null, readonly routeToken: string | null, readonly assetIn: { readonly symbol: string | null } | null, readonly assetOut: { readonly symbol: string | null } | null, readonly operations: ReadonlyArray<{ readonly kind: RouteOperationKind, readonly bridge: Bridge | null, readonly fromChain: { readonly prettyName: string } | null, readonly toChain: { readonly prettyName: string } | null, readonly assetOut: { readonly symbol: string | null } | null }>, readonly fees: ReadonlyArray<{ readonly kind: RouteFeeKind, readonly amount: string | null, readonly asset: { readonly symbol: string | null } | null }>, readonly warning: { readonly kind: RouteWarningKind, readonly message: string | null } | null, readonly requiredAddresses: ReadonlyArray<{ readonly chainId: string }> } | null };

export type SearchQueryVariables = {
  text: string;
};


export type SearchQuery = { readonly search: { readonly hasMore: boolean, readonly results: ReadonlyArray<{ readonly match: SearchMatch, readonly chain: { readonly chainId: string, readonly prettyName: string } | null, readonly node:
        | { readonly __typename: 'Account', readonly hexAddress: string }
        | { readonly __typename: 'Asset', readonly denom: string, readonly symbol: string | null }
        | { readonly __typename: 'Block', readonly height: number, readonly timestamp: string | null, readonly transactionCount: number }
        | { readonly __typename: 'Chain', readonly chainId: string, readonly prettyName: string }
        | { readonly __typename: 'EvmTransaction', readonly hash: string, readonly height: number, readonly isSuccessful: boolean | null }
        | { readonly __typename: 'FollowCandidate' }
        | { readonly __typename: 'NftCollection', readonly address: string, readonly name: string }
        | { readonly __typename: 'Transaction', readonly hash: string, readonly height: number, readonly isSuccessful: boolean | null }
       }>, readonly unavailableChains: ReadonlyArray<{ readonly chainId: string, readonly code: string }> } | null };

export type TokenQueryVariables = {
  chainId: string;
  denom: string;
  after?: string | null | undefined;
};


export type TokenQuery = { readonly asset: { readonly symbol: string | null, readonly name: string | null, readonly decimals: number | null, readonly logoUrl: string | null, readonly usdPrice: string | null } | null, readonly chain: { readonly richList: { readonly totalCount: number | null, readonly nodes: ReadonlyArray<{ readonly amount: string | null, readonly account: { readonly address: string } } | null>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null } | null };

export type TrackTransferMutationVariables = {
  input: TrackTransferInput;
};


export type TrackTransferMutation = { readonly trackTransfer: { readonly explorerUrl: string | null, readonly transfer: { readonly id: string, readonly state: TransferState } | null } | null };

export type TransactionQueryVariables = {
  chainId?: string | null | undefined;
  hash: string;
};


export type TransactionQuery = { readonly chain: { readonly transaction: { readonly hash: string, readonly height: number, readonly timestamp: string | null, readonly isSuccessful: boolean | null, readonly gasUsed: string | null, readonly gasWanted: string, readonly fee: { readonly amount: ReadonlyArray<{ readonly amount: string | null, readonly denom: string | null, readonly asset: { readonly symbol: string | null, readonly decimals: number | null } | null }> | null } | null, readonly signers: ReadonlyArray<{ readonly sequence: number | null, readonly account: { readonly address: string } | null }> | null, readonly actions: ReadonlyArray<{ readonly title: string, readonly summary: string, readonly messageIndex: number | null }> | null, readonly messages: ReadonlyArray<{ readonly typeUrl: string, readonly body: unknown }> | null, readonly coinTransfers: ReadonlyArray<{ readonly sender: { readonly address: string } | null, readonly recipient: { readonly address: string } | null, readonly coins: ReadonlyArray<{ readonly amount: string | null, readonly denom: string | null }> | null }> | null, readonly evmTransaction: { readonly hash: string, readonly isSuccessful: boolean | null, readonly fee: string | null, readonly logs: ReadonlyArray<{ readonly topics: ReadonlyArray<string> | null, readonly account: { readonly address: string } }> | null, readonly internalTransactions: { readonly totalCount: number | null, readonly nodes: ReadonlyArray<{ readonly index: number, readonly parentIndex: number | null, readonly kind: EvmCallKind, readonly value: string | null, readonly to: { readonly address: string } | null } | null> } | null } | null } | null } | null };

export type TransferHistorySubscriptionVariables = {
  transfers: ReadonlyArray<TransferInput> | TransferInput;
};


export type TransferHistorySubscription = { readonly transfers: { readonly id: string, readonly chainId: string, readonly hash: string, readonly state: TransferState, readonly outcome: TransferOutcome, readonly isTerminal: boolean } | null };

export type WatchTransferSubscriptionVariables = {
  chainId: string;
  hash: string;
};


export type WatchTransferSubscription = { readonly transfer: { readonly state: TransferState, readonly outcome: TransferOutcome, readonly isTerminal: boolean, readonly hops: ReadonlyArray<{ readonly bridge: Bridge, readonly state: HopState, readonly fromChain: { readonly prettyName: string } | null, readonly toChain: { readonly prettyName: string } | null, readonly assetOut: { readonly symbol: string | null } | null, readonly transactions: ReadonlyArray<{ readonly kind: HopTransactionKind, readonly hash: string | null, readonly explorerUrl: string | null, readonly transaction:
          | { readonly height: number, readonly isSuccessful: boolean | null }
          | { readonly height: number, readonly isSuccessful: boolean | null }
         | null }> }>, readonly assetRelease: { readonly isReleased: boolean, readonly amount: string | null, readonly chain: { readonly prettyName: string } | null, readonly asset: { readonly symbol: string | null } | null } | null, readonly error: { readonly message: string | null } | null } };

/** The document of `accountActivity`. */
export const accountActivityDocument = "query AccountActivity($address: Address!, $after: String, $filter: AccountActivityFilter) {\n  account(address: $address) {\n    activity(first: 10, after: $after, filter: $filter) {\n      edges {\n        cursor\n        chain {\n          chainId\n          prettyName\n        }\n        node {\n          ... on Transaction {\n            hash\n            height\n            timestamp\n            isSuccessful\n            actions {\n              kind\n              title\n              summary\n            }\n            fee {\n              amount {\n                amount\n                denom\n              }\n            }\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      unavailableChains {\n        chainId\n        code\n      }\n    }\n  }\n}" as unknown as TypedDocument<AccountActivityQuery, AccountActivityQueryVariables>

/** Account activity: what an address did on all chains, newest first, as one list with one cursor, in words. pageInfo.endCursor as `after` gives the next page: no row comes twice or is missed while blocks arrive. A chain that does not answer is in unavailableChains, and nothing of it is lost: a later page has its rows. `live-activity` has what comes after this page. */
export const accountActivity = (client: Client, variables: AccountActivityQueryVariables, options?: QueryOptions): Promise<AccountActivityQuery> =>
  client.query(accountActivityDocument, variables, options)

/** The document of `accountNfts`. */
export const accountNftsDocument = "query AccountNfts($address: Address!, $after: String, $filter: AccountNftFilter) {\n  account(address: $address) {\n    nfts(first: 20, after: $after, filter: $filter) {\n      edges {\n        chain {\n          chainId\n          prettyName\n        }\n        node {\n          tokenId\n          uri\n          timestamp\n          collection {\n            address\n            name\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      unavailableChains {\n        chainId\n        code\n      }\n    }\n  }\n}" as unknown as TypedDocument<AccountNftsQuery, AccountNftsQueryVariables>

/** NFTs of an account: what an address owns on all chains, also by chain, by collection or by a part of the collection's name. You get the page that you show. */
export const accountNfts = (client: Client, variables: AccountNftsQueryVariables, options?: QueryOptions): Promise<AccountNftsQuery> =>
  client.query(accountNftsDocument, variables, options)

/** The document of `accountTransfers`. */
export const accountTransfersDocument = "query AccountTransfers($address: Address!, $after: String) {\n  account(address: $address) {\n    bridgeTransfers(first: 10, after: $after) {\n      nodes {\n        summary\n        bridge\n        state\n        durationSeconds\n        departure {\n          chainId\n          address\n          formattedAmount\n          asset {\n            symbol\n          }\n          hash\n          timestamp\n        }\n        arrival {\n          chainId\n          address\n          hash\n          timestamp\n        }\n        refund {\n          hash\n          timestamp\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      unavailableChains {\n        chainId\n        code\n      }\n    }\n  }\n}" as unknown as TypedDocument<AccountTransfersQuery, AccountTransfersQueryVariables>

/** Transfers of an account: the movements of coins from and to an address between two chains, newest first, as one list with one cursor: each once, with both ends, what became of it, and how long it took. The subscription bridgeTransfers has each step of those that come after this page. */
export const accountTransfers = (client: Client, variables: AccountTransfersQueryVariables, options?: QueryOptions): Promise<AccountTransfersQuery> =>
  client.query(accountTransfersDocument, variables, options)

/** The document of `account`. */
export const accountDocument = "query Account($address: Address!) {\n  account(address: $address) {\n    hexAddress\n    chainAccounts {\n      address\n      chain {\n        prettyName\n      }\n    }\n    balances {\n      usdValue\n      count\n      pricedCount\n      balances {\n        chain {\n          prettyName\n        }\n        formattedAmount\n        usdValue\n        asset {\n          symbol\n        }\n      }\n    }\n    nfts(first: 5) {\n      nodes {\n        chain {\n          prettyName\n        }\n        tokenId\n        collection {\n          name\n        }\n      }\n    }\n    activity(first: 5) {\n      edges {\n        chain {\n          prettyName\n        }\n        node {\n          ... on Transaction {\n            hash\n            timestamp\n            isSuccessful\n            messages {\n              typeUrl\n            }\n          }\n        }\n      }\n      unavailableChains {\n        chainId\n        code\n      }\n    }\n  }\n}" as unknown as TypedDocument<AccountQuery, AccountQueryVariables>

/** Account: one address on every chain: what it did, the NFTs that it owns and what its balances are worth. Any spelling of the address finds the same account. */
export const account = (client: Client, variables: AccountQueryVariables, options?: QueryOptions): Promise<AccountQuery> =>
  client.query(accountDocument, variables, options)

/** The document of `balances`. */
export const balancesDocument = "query Balances($address: Address!, $chainIds: [ChainId!]) {\n  account(address: $address) {\n    balances(chainIds: $chainIds) {\n      usdValue\n      count\n      pricedCount\n      balances {\n        chain {\n          chainId\n          prettyName\n        }\n        denom\n        amount\n        formattedAmount\n        usdPrice\n        usdValue\n        asset {\n          symbol\n          name\n          logoUrl\n        }\n      }\n      unavailableChains {\n        chainId\n        code\n      }\n    }\n  }\n}" as unknown as TypedDocument<BalancesQuery, BalancesQueryVariables>

/** Balances: the portfolio of an address on all chains, with its total in US dollars. Each balance has its name, its price and an exact amount. Chains without an indexer are among them. */
export const balances = (client: Client, variables: BalancesQueryVariables, options?: QueryOptions): Promise<BalancesQuery> =>
  client.query(balancesDocument, variables, options)

/** The document of `block`. */
export const blockDocument = "query Block($chainId: ChainId, $height: UInt53!) {\n  chain(chainId: $chainId) {\n    prettyName\n    block(height: $height) {\n      height\n      hash\n      timestamp\n      gasUsed\n      proposer {\n        moniker\n      }\n      totalFee {\n        amount\n        denom\n        asset {\n          symbol\n          decimals\n        }\n      }\n      previous {\n        height\n      }\n      next {\n        height\n      }\n      transactions(first: 10) {\n        totalCount\n        nodes {\n          hash\n          isSuccessful\n          messages {\n            typeUrl\n          }\n          signers {\n            account {\n              address\n            }\n          }\n        }\n      }\n      evmTransactions(first: 10) {\n        nodes {\n          hash\n          isSuccessful\n          gasUsed\n          from {\n            address\n          }\n          to {\n            address\n          }\n          tokenTransfers {\n            standard\n            amount\n          }\n        }\n      }\n    }\n  }\n}" as unknown as TypedDocument<BlockQuery, BlockQueryVariables>

/** Block: a block, its neighbors and its transactions of both kinds: those of the chain, and those of its EVM, with the names of the denoms of fees. The EVM fields are null on a chain without an EVM, so this query works on every chain. */
export const block = (client: Client, variables: BlockQueryVariables, options?: QueryOptions): Promise<BlockQuery> =>
  client.query(blockDocument, variables, options)

/** The document of `bridgeForm`. */
export const bridgeFormDocument = "query BridgeForm($chainId: ChainId!, $search: String) {\n  routableChains(first: 50) {\n    nodes {\n      chainId\n      prettyName\n      kind\n      logoUrl\n      bech32Prefix\n      isIndexed\n    }\n  }\n  assets(chainId: $chainId, search: $search, first: 20) {\n    totalCount\n    nodes {\n      denom\n      symbol\n      name\n      decimals\n      logoUrl\n    }\n  }\n  bridges {\n    bridge\n    name\n    logoUrl\n  }\n  swapVenues {\n    chainId\n    name\n    logoUrl\n  }\n}" as unknown as TypedDocument<BridgeFormQuery, BridgeFormQueryVariables>

/** Bridge form: what a bridge form needs before its first quote: the chains to choose from, the assets of the first one, and the bridges and venues for its settings. You get the rows that you show, not all assets of all chains. */
export const bridgeForm = (client: Client, variables: BridgeFormQueryVariables, options?: QueryOptions): Promise<BridgeFormQuery> =>
  client.query(bridgeFormDocument, variables, options)

/** The document of `collection`. */
export const collectionDocument = "query Collection($chainId: ChainId, $address: Address!, $after: String) {\n  chain(chainId: $chainId) {\n    nftCollection(address: $address) {\n      name\n      address\n      height\n      timestamp\n      nftCount\n      creator {\n        address\n      }\n      nfts(first: 20, after: $after) {\n        totalCount\n        nodes {\n          tokenId\n          uri\n          owner {\n            address\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n}" as unknown as TypedDocument<CollectionQuery, CollectionQueryVariables>

/** Collection: a collection, who made it, and a page of its NFTs with their owners. */
export const collection = (client: Client, variables: CollectionQueryVariables, options?: QueryOptions): Promise<CollectionQuery> =>
  client.query(collectionDocument, variables, options)

/** The document of `explorerHome`. */
export const explorerHomeDocument = "query ExplorerHome {\n  chains {\n    chainId\n    prettyName\n    vm\n    blocks(first: 5) {\n      nodes {\n        height\n        timestamp\n        blockTimeSeconds\n        transactionCount\n        proposer {\n          moniker\n        }\n      }\n    }\n    transactions(first: 5) {\n      nodes {\n        hash\n        timestamp\n        isSuccessful\n        messages {\n          typeUrl\n        }\n      }\n    }\n  }\n}" as unknown as TypedDocument<ExplorerHomeQuery, ExplorerHomeQueryVariables>

/** Explorer home: the newest blocks and transactions of every chain. The blocks have the height and the time between them. The fields of a chain whose indexer is down are null, and the error is beside the data.  More screens are in the folder examples/documents. */
export const explorerHome = (client: Client, variables: ExplorerHomeQueryVariables = {}, options?: QueryOptions): Promise<ExplorerHomeQuery> =>
  client.query(explorerHomeDocument, variables, options)

/** The document of `hook`. */
export const hookDocument = "query Hook($routeToken: String!, $sourceAddress: Address!, $destinationAddress: Address!) {\n  opHook(\n    input: {routeToken: $routeToken, sourceAddress: $sourceAddress, destinationAddress: $destinationAddress}\n  ) {\n    chainId\n    messages {\n      typeUrl\n      raw\n    }\n  }\n}" as unknown as TypedDocument<HookQuery, HookQueryVariables>

/** Hook: the transaction that a rollup executes on arrival, for a route with requiresOpHook. The recipient signs it, and `prepare` takes it as signedOpHook. */
export const hook = (client: Client, variables: HookQueryVariables, options?: QueryOptions): Promise<HookQuery> =>
  client.query(hookDocument, variables, options)

/** The document of `liveActivity`. */
export const liveActivityDocument = "subscription LiveActivity($address: Address!, $chainIds: [ChainId!], $after: String) {\n  activity(address: $address, chainIds: $chainIds, after: $after) {\n    cursor\n    chain {\n      chainId\n      prettyName\n    }\n    node {\n      ... on Transaction {\n        hash\n        height\n        timestamp\n        isSuccessful\n        actions {\n          kind\n          title\n          summary\n        }\n      }\n    }\n    notice {\n      kind\n      message\n    }\n  }\n}" as unknown as TypedDocument<LiveActivitySubscription, LiveActivitySubscriptionVariables>

const liveActivityRule: ResumeRule = {"cursor":"activity.cursor","variable":"after","notice":"activity.notice","kind":"activity.notice.kind"}

/** Live activity: what an address does from now on, on all chains. Pass the cursor of the last event as `after` to lose nothing when you connect again. */
export const liveActivity = (client: Client, variables: LiveActivitySubscriptionVariables, options?: SubscribeOptions): Live<LiveActivitySubscription> =>
  subscribeBy(liveActivityRule, client, liveActivityDocument, variables, options)

/** The document of `liveBlocks`. */
export const liveBlocksDocument = "subscription LiveBlocks($chainId: ChainId!, $after: String) {\n  blocks(chainId: $chainId, after: $after) {\n    cursor\n    node {\n      height\n      timestamp\n      transactionCount\n      totalFee {\n        amount\n        denom\n      }\n    }\n    notice {\n      kind\n      message\n    }\n  }\n}" as unknown as TypedDocument<LiveBlocksSubscription, LiveBlocksSubscriptionVariables>

const liveBlocksRule: ResumeRule = {"cursor":"blocks.cursor","variable":"after","notice":"blocks.notice","kind":"blocks.notice.kind"}

/** Live blocks: each new block of a chain, once and in order. Pass the cursor of the last one as `after` to get those since then first. */
export const liveBlocks = (client: Client, variables: LiveBlocksSubscriptionVariables, options?: SubscribeOptions): Live<LiveBlocksSubscription> =>
  subscribeBy(liveBlocksRule, client, liveBlocksDocument, variables, options)

/** The document of `liveHeads`. */
export const liveHeadsDocument = "subscription LiveHeads($chainIds: [ChainId!]) {\n  chainHeads(chainIds: $chainIds) {\n    chain {\n      chainId\n      prettyName\n    }\n    height\n    isLate\n    block {\n      timestamp\n      transactionCount\n    }\n  }\n}" as unknown as TypedDocument<LiveHeadsSubscription, LiveHeadsSubscriptionVariables>

const liveHeadsRule: ResumeRule = {}

/** Live heads: the newest block of every chain, for a home page. If you read slowly, you get the newest, not a queue. */
export const liveHeads = (client: Client, variables: LiveHeadsSubscriptionVariables = {}, options?: SubscribeOptions): Live<LiveHeadsSubscription> =>
  subscribeBy(liveHeadsRule, client, liveHeadsDocument, variables, options)

/** The document of `liveTransaction`. */
export const liveTransactionDocument = "subscription LiveTransaction($chainId: ChainId!, $hash: Hash!) {\n  transaction(chainId: $chainId, hash: $hash) {\n    chain {\n      prettyName\n    }\n    hash\n    node {\n      height\n      isSuccessful\n    }\n  }\n}" as unknown as TypedDocument<LiveTransactionSubscription, LiveTransactionSubscriptionVariables>

const liveTransactionRule: ResumeRule = {}

/** Live transaction: what you wait for after you have broadcast a transaction: null until the indexer has it, then the transaction, then the end. */
export const liveTransaction = (client: Client, variables: LiveTransactionSubscriptionVariables, options?: SubscribeOptions): Live<LiveTransactionSubscription> =>
  subscribeBy(liveTransactionRule, client, liveTransactionDocument, variables, options)

/** The document of `nft`. */
export const nftDocument = "query Nft($chainId: ChainId, $collection: Address!, $tokenId: String!) {\n  chain(chainId: $chainId) {\n    nft(collection: $collection, tokenId: $tokenId) {\n      tokenId\n      uri\n      owner {\n        address\n      }\n      collection {\n        name\n        nftCount\n        creator {\n          address\n        }\n      }\n      transactions(first: 10) {\n        totalCount\n        nodes {\n          hash\n          timestamp\n          messages {\n            typeUrl\n          }\n        }\n      }\n    }\n  }\n}" as unknown as TypedDocument<NftQuery, NftQueryVariables>

/** NFT: a token, its collection, its owner and its history. */
export const nft = (client: Client, variables: NftQueryVariables, options?: QueryOptions): Promise<NftQuery> =>
  client.query(nftDocument, variables, options)

/** The document of `prepare`. */
export const prepareDocument = "query Prepare($routeToken: String!, $addresses: [Address!]!, $slippage: Decimal!, $signedOpHook: SignedOpHookInput) {\n  transferMessages(\n    input: {routeToken: $routeToken, addresses: $addresses, slippageTolerancePercent: $slippage, signedOpHook: $signedOpHook}\n  ) {\n    minAmountOut\n    formattedMinAmountOut\n    warning {\n      kind\n      message\n    }\n    transactions {\n      __typename\n      chainId\n      signer\n      ... on CosmosTransactionRequest {\n        messages {\n          typeUrl\n          body\n          raw\n        }\n      }\n      ... on EvmTransactionRequest {\n        to\n        value\n        data\n        approvals {\n          tokenContract\n          spender\n          amount\n        }\n      }\n    }\n  }\n}" as unknown as TypedDocument<PrepareQuery, PrepareQueryVariables>

/** Prepare: the transactions to sign for a route. They need the routeToken of a quote, and an address for each of its requiredAddresses. No part of the route is sent back, so none can be changed by mistake. A route with requiresOpHook also needs the hook of `hook`, signed. Your wallet signs and broadcasts all; the gateway does neither. */
export const prepare = (client: Client, variables: PrepareQueryVariables, options?: QueryOptions): Promise<PrepareQuery> =>
  client.query(prepareDocument, variables, options)

/** The document of `quote`. */
export const quoteDocument = "query Quote($input: RouteInput!) {\n  route(input: $input) {\n    formattedAmountIn\n    assetIn {\n      symbol\n    }\n    formattedAmountOut\n    assetOut {\n      symbol\n    }\n    usdAmountIn\n    usdAmountOut\n    estimatedDurationSeconds\n    operations {\n      kind\n      bridge\n      fromChain {\n        prettyName\n      }\n      toChain {\n        prettyName\n      }\n      assetOut {\n        symbol\n      }\n    }\n    fees {\n      kind\n      amount\n      asset {\n        symbol\n      }\n    }\n    warning {\n      kind\n      message\n    }\n    requiresOpHook\n    requiredAddresses {\n      chainId\n    }\n    expiresAt\n    routeToken\n  }\n}" as unknown as TypedDocument<QuoteQuery, QuoteQueryVariables>

/** Quote: the best route of an asset to another chain, step by step, with its fees and the names of all chains and assets on the way. Null if there is none. Pass routeToken to `prepare` as it is. */
export const quote = (client: Client, variables: QuoteQueryVariables, options?: QueryOptions): Promise<QuoteQuery> =>
  client.query(quoteDocument, variables, options)

/** The document of `search`. */
export const searchDocument = "query Search($text: String!) {\n  search(text: $text, first: 20) {\n    results {\n      match\n      chain {\n        chainId\n        prettyName\n      }\n      node {\n        __typename\n        ... on Block {\n          height\n          timestamp\n          transactionCount\n        }\n        ... on IndexedTransaction {\n          hash\n          height\n          isSuccessful\n        }\n        ... on Account {\n          hexAddress\n        }\n        ... on Asset {\n          denom\n          symbol\n        }\n        ... on NftCollection {\n          address\n          name\n        }\n        ... on Chain {\n          chainId\n          prettyName\n        }\n      }\n    }\n    hasMore\n    unavailableChains {\n      chainId\n      code\n    }\n  }\n}" as unknown as TypedDocument<SearchQuery, SearchQueryVariables>

/** Search: a hash, a height, an address, a denom, or a part of the name of a chain, an asset or a collection, on all chains at once. Each result says on which chain it is. A chain that is down is named, and the others answer. */
export const search = (client: Client, variables: SearchQueryVariables, options?: QueryOptions): Promise<SearchQuery> =>
  client.query(searchDocument, variables, options)

/** The document of `token`. */
export const tokenDocument = "query Token($chainId: ChainId!, $denom: Denom!, $after: String) {\n  asset(chainId: $chainId, denom: $denom) {\n    symbol\n    name\n    decimals\n    logoUrl\n    usdPrice\n  }\n  chain(chainId: $chainId) {\n    richList(denom: $denom, first: 10, after: $after) {\n      totalCount\n      nodes {\n        amount\n        account {\n          address\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}" as unknown as TypedDocument<TokenQuery, TokenQueryVariables>

/** Token: what an asset is, what it is worth, and who has most of it. Only some chains have rich lists; on others it is null. */
export const token = (client: Client, variables: TokenQueryVariables, options?: QueryOptions): Promise<TokenQuery> =>
  client.query(tokenDocument, variables, options)

/** The document of `trackTransfer`. */
export const trackTransferDocument = "mutation TrackTransfer($input: TrackTransferInput!) {\n  trackTransfer(input: $input) {\n    explorerUrl\n    transfer {\n      id\n      state\n    }\n  }\n}" as unknown as TypedDocument<TrackTransferMutation, TrackTransferMutationVariables>

/** Track a transfer: registers a broadcast transaction with the router, and waits until the router can see it: no loop on your page. Sending this twice is safe. `watch-transfer` does the same by itself. */
export const trackTransfer = (client: Client, variables: TrackTransferMutationVariables, options?: QueryOptions): Promise<TrackTransferMutation> =>
  client.query(trackTransferDocument, variables, options)

/** The document of `transaction`. */
export const transactionDocument = "query Transaction($chainId: ChainId, $hash: Hash!) {\n  chain(chainId: $chainId) {\n    transaction(hash: $hash) {\n      hash\n      height\n      timestamp\n      isSuccessful\n      gasUsed\n      gasWanted\n      fee {\n        amount {\n          amount\n          denom\n          asset {\n            symbol\n            decimals\n          }\n        }\n      }\n      signers {\n        account {\n          address\n        }\n        sequence\n      }\n      actions {\n        title\n        summary\n        messageIndex\n      }\n      messages {\n        typeUrl\n        body\n      }\n      coinTransfers {\n        sender {\n          address\n        }\n        recipient {\n          address\n        }\n        coins {\n          amount\n          denom\n        }\n      }\n      evmTransaction {\n        hash\n        isSuccessful\n        fee\n        logs {\n          account {\n            address\n          }\n          topics\n        }\n        internalTransactions(first: 10) {\n          totalCount\n          nodes {\n            index\n            parentIndex\n            kind\n            to {\n              address\n            }\n            value\n          }\n        }\n      }\n    }\n  }\n}" as unknown as TypedDocument<TransactionQuery, TransactionQueryVariables>

/** Transaction: what a transaction did, who signed it, what it cost, and how the EVM ran it. Its EVM transaction is found for you, with the calls that it made. The EVM part is null on other chains. */
export const transaction = (client: Client, variables: TransactionQueryVariables, options?: QueryOptions): Promise<TransactionQuery> =>
  client.query(transactionDocument, variables, options)

/** The document of `transferHistory`. */
export const transferHistoryDocument = "subscription TransferHistory($transfers: [TransferInput!]!) {\n  transfers(inputs: $transfers) {\n    id\n    chainId\n    hash\n    state\n    outcome\n    isTerminal\n  }\n}" as unknown as TypedDocument<TransferHistorySubscription, TransferHistorySubscriptionVariables>

const transferHistoryRule: ResumeRule = {}

/** Transfer history: the transfers of a wallet: each as it is now, and each change until all have ended. One subscription follows all of them, and each update names its transfer. */
export const transferHistory = (client: Client, variables: TransferHistorySubscriptionVariables, options?: SubscribeOptions): Live<TransferHistorySubscription> =>
  subscribeBy(transferHistoryRule, client, transferHistoryDocument, variables, options)

/** The document of `watchTransfer`. */
export const watchTransferDocument = "subscription WatchTransfer($chainId: ChainId!, $hash: String!) {\n  transfer(chainId: $chainId, hash: $hash) {\n    state\n    outcome\n    isTerminal\n    hops {\n      bridge\n      state\n      fromChain {\n        prettyName\n      }\n      toChain {\n        prettyName\n      }\n      assetOut {\n        symbol\n      }\n      transactions {\n        kind\n        hash\n        explorerUrl\n        transaction {\n          height\n          isSuccessful\n        }\n      }\n    }\n    assetRelease {\n      isReleased\n      amount\n      chain {\n        prettyName\n      }\n      asset {\n        symbol\n      }\n    }\n    error {\n      message\n    }\n  }\n}" as unknown as TypedDocument<WatchTransferSubscription, WatchTransferSubscriptionVariables>

const watchTransferRule: ResumeRule = {}

/** Watch a transfer: a transfer as it is now, then each change until it ends, with the transactions of each hop from the indexers of its chains. If the connection breaks, subscribe again: its state then comes first. */
export const watchTransfer = (client: Client, variables: WatchTransferSubscriptionVariables, options?: SubscribeOptions): Live<WatchTransferSubscription> =>
  subscribeBy(watchTransferRule, client, watchTransferDocument, variables, options)

/** How the subscriptions of this module are resumed, for `createClient`. Hooks need it. */
export const resumes: ResumeRules = {
  LiveActivity: liveActivityRule,
  LiveBlocks: liveBlocksRule,
  LiveHeads: liveHeadsRule,
  LiveTransaction: liveTransactionRule,
  TransferHistory: transferHistoryRule,
  WatchTransfer: watchTransferRule,
}
