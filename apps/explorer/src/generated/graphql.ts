/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Which transactions of an account to list. All conditions hold. */
export type AccountActivityFilter = {
  /** Only on these chains. All by default. */
  chainIds?: Array<string> | null | undefined;
  /** Only with an event that names one of these assets. The balance of the account need not change. */
  denoms?: Array<string> | null | undefined;
  /** Only successful or only failed transactions. */
  isSuccessful?: boolean | null | undefined;
  /** Only with a message of one of these types, such as `cosmos.bank.v1beta1.MsgSend`. */
  messageTypes?: Array<string> | null | undefined;
  /** Only if the account signed first. Default: false. */
  signedOnly?: boolean | null | undefined;
  /** Only records of this time or later. Costs about 5 upstream requests, 10 on the EVM, at most 20, once. */
  since?: string | null | undefined;
  /** Only records before this time, at the same cost. */
  until?: string | null | undefined;
};

/** An asset on a chain. */
export type AssetInput = {
  /** The chain that the asset is on. */
  chainId: string;
  /** Base denom on that chain, or contract address. */
  denom: string;
};

/** Kind of an asset that changed. */
export type BalanceChangeKind =
  /** Coins of the bank module. */
  | 'COIN'
  /** The fee, also of a failed transaction. Positive for who collects it. */
  | 'FEE'
  /** A token of a collection. */
  | 'NFT'
  /** A Move object, perhaps an NFT. */
  | 'OBJECT'
  /** ERC-20, CW-20 or Move tokens, as their contract reports. */
  | 'TOKEN';

/** Why a balance is left out of `AccountBalances.usdValue`: the first that applies. */
export type BalanceExclusion =
  /** The router asks to hide the asset, and nothing proves that it is a listed asset that came over known IBC channels. */
  | 'HIDDEN'
  /** The router does not list the asset: anybody can make and send one. */
  | 'UNLISTED'
  /** The router has no value for it. */
  | 'UNPRICED'
  /** The router could not read it. */
  | 'UNREADABLE';

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

/** Which bridge transfers of an account to list. All conditions hold. */
export type BridgeTransferFilter = {
  /** Only if a transaction on one of these chains lists it. All by default. */
  chainIds?: Array<string> | null | undefined;
  /** Only records of this time or later. Costs about 5 upstream requests, 10 on the EVM, at most 20, once. */
  since?: string | null | undefined;
  /** Only records before this time, at the same cost. */
  until?: string | null | undefined;
};

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

/** Which EVM transactions of an account to list. All conditions hold. */
export type ChainAccountEvmTransactionFilter = {
  /** Only transactions that the account sent. Default: false. */
  signedOnly?: boolean | null | undefined;
  /** Only records of this time or later. Costs about 5 upstream requests, 10 on the EVM, at most 20, once. */
  since?: string | null | undefined;
  /** Only records before this time, at the same cost. */
  until?: string | null | undefined;
};

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

/** How a fee is charged. */
export type FeeBehavior =
  /** Charged in addition to the amount sent. */
  | 'ADDITIONAL'
  /** Deducted from the amount sent. */
  | 'DEDUCTED'
  /** Another or none: see `rawBehavior`. */
  | 'UNKNOWN';

/** An answer of the router about a hash on a chain. */
export type FollowAnswer =
  /** It did not answer. */
  | 'FAILED'
  /** It knows the transaction. See `transfer`. */
  | 'KNOWN'
  /** It was not asked. Set `follow` of `search`, which asks for the first 8. */
  | 'NOT_ASKED'
  /** It does not track it. The transaction can still be there: `Subscription.transfer` makes it look. */
  | 'NOT_TRACKED';

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
  affiliateFeeBps?: number | null | undefined;
  /** Return routes that need several signatures. */
  allowMultiTransaction?: boolean | null | undefined;
  /** Whether to return routes with swaps. */
  allowSwaps?: boolean | null | undefined;
  /** Return routes with a bad or unknown price, with a `warning`, not as an error. */
  allowUnsafe?: boolean | null | undefined;
  /** Amount to send, in base units, above 0. Or give `amountOut`. */
  amountIn?: string | null | undefined;
  /** Exact amount to receive, in base units, above 0. */
  amountOut?: string | null | undefined;
  /** Bridges to use. All by default. `UNKNOWN` is not allowed. */
  bridges?: Array<Bridge> | null | undefined;
  /** The asset to receive, on the chain to send to. */
  destination: AssetInput;
  /** Features on request, such as `eureka`. */
  experimentalFeatures?: Array<string> | null | undefined;
  /** Further fields for the router, in its own names. */
  extra?: unknown;
  /** Prefer routes that deliver before the source is final. */
  fastTransfer?: boolean | null | undefined;
  /** Whether to use Go Fast, where solvers deliver in advance. */
  goFast?: boolean | null | undefined;
  /** Include networks that the router leaves out. */
  ignoreBlacklist?: boolean | null | undefined;
  /** Force a withdrawal over the slow optimistic bridge. */
  isOpWithdrawal?: boolean | null | undefined;
  /** Use relayers that pay for delivery, for a fee. */
  smartRelay?: boolean | null | undefined;
  /** Swap options. All are off by default. */
  smartSwap?: SmartSwapInput | null | undefined;
  /** The asset to send, on the chain to send from. */
  source: AssetInput;
  /** Swap venues to use. All by default. */
  swapVenues?: Array<SwapVenueInput> | null | undefined;
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

/** Swap options. All are off by default. */
export type SmartSwapInput = {
  /** Whether to allow swaps on EVM chains. */
  evmSwaps?: boolean | null | undefined;
  /** Whether a swap may be split over several paths. */
  splitRoutes?: boolean | null | undefined;
};

/** The kind of a part of a sentence. */
export type SummaryPartKind =
  /** An account on this chain, or an address of unknown kind. */
  | 'ACCOUNT'
  /** An amount with its symbol, or in base units. */
  | 'AMOUNT'
  /** An IBC channel of this chain, or a light client by IBC v2. */
  | 'CHANNEL'
  /** The collection of an NFT of the action. */
  | 'COLLECTION'
  /** The contract or Move module of the action. */
  | 'CONTRACT'
  /** An NFT, by its token id. */
  | 'NFT'
  /** An object of a Move chain. */
  | 'OBJECT'
  /** The party on another chain of a bridge. */
  | 'REMOTE_ACCOUNT'
  /** Words that name nothing. */
  | 'TEXT'
  /** A validator, by its name once the gateway has read one of its blocks. */
  | 'VALIDATOR';

/** A venue for swaps, such as a DEX. */
export type SwapVenueInput = {
  /** The chain that the venue is on. */
  chainId: string;
  /** The router's name of the venue. */
  name: string;
};

/** The standard of a token contract. */
export type TokenStandard =
  /** Fungible tokens. */
  | 'ERC20'
  /** Non-fungible tokens, each with its own id. */
  | 'ERC721'
  /** Any number of tokens of each id. */
  | 'ERC1155';

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

/** Where the funds of a transfer are. New values can come. */
export type TransferFunds =
  /** Ready to be claimed, or they will be after a waiting time. */
  | 'CLAIMABLE'
  /** With the recipient. */
  | 'DELIVERED'
  /** Held by the bridge until somebody acts. */
  | 'HELD'
  /** On their way. */
  | 'MOVING'
  /** Still with the sender. */
  | 'NOT_SENT'
  /** Released to the user on another chain than the last one, or there as another coin. */
  | 'RELEASED'
  /** Back with the sender. */
  | 'RETURNED'
  /** On their way back. */
  | 'RETURNING'
  /** Not known. */
  | 'UNKNOWN';

/** The situation of a transfer, in one word. New values can come. */
export type TransferGuidanceCode =
  /** The user has to act. See `nextStep`. */
  | 'ACT'
  /** It has to be claimed, now or after a waiting time. See `nextStep`. */
  | 'CLAIMABLE'
  /** It has arrived. */
  | 'DELIVERED'
  /** It takes much longer than usual. */
  | 'LATE'
  /** The router has not seen the first transaction yet. */
  | 'NOT_SEEN'
  /** The first transaction failed. Nothing was sent. */
  | 'NOT_SENT'
  /** It failed after a part of the way, or on the last chain. The funds are on `returnsTo`, perhaps as another coin. */
  | 'RELEASED'
  /** It was not delivered, and is back with the sender. */
  | 'RETURNED'
  /** It was not delivered, and is on its way back. */
  | 'RETURNING'
  /** The router has stopped tracking it. That does not stop the funds. */
  | 'TRACKING_ENDED'
  /** Nothing is known of this state. */
  | 'UNKNOWN'
  /** The first transaction is on its chain, and the router does not know it. */
  | 'UNTRACKED'
  /** It is on its way. */
  | 'WAIT';

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

export type AccountQueryVariables = Exact<{
  address: string;
}>;


export type AccountQuery = { account: { hexAddress: string, chainAccounts: Array<{ address: string, chain: { chainId: string, prettyName: string, vm: VmKind | null } }>, balances: { usdValue: string | null, count: number, pricedCount: number, excluded: Array<{ reason: BalanceExclusion, count: number, usdValue: string | null }> | null, balances: Array<{ usdPrice: string | null, exclusion: BalanceExclusion | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { originChainId: string | null, originDenom: string | null, chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null, chain: { chainId: string, prettyName: string } }>, unavailableChains: Array<{ code: string, message: string, chain: { chainId: string, prettyName: string } }> } | null } | null };

export type AccountElsewhereQueryVariables = Exact<{
  address: string;
  chainIds: Array<string> | string;
}>;


export type AccountElsewhereQuery = { account: { elsewhere: { usdValue: string | null, balances: Array<{ usdPrice: string | null, exclusion: BalanceExclusion | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { originChainId: string | null, originDenom: string | null, chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null, chain: { chainId: string, prettyName: string } }>, unavailableChains: Array<{ code: string, message: string, chain: { chainId: string, prettyName: string } }> } | null } | null };

export type AccountNftsQueryVariables = Exact<{
  address: string;
  after?: string | null | undefined;
}>;


export type AccountNftsQuery = { account: { nfts: { nodes: Array<{ tokenId: string, timestamp: string | null, uri: string | null, chain: { chainId: string, prettyName: string }, collection: { address: string, name: string } | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, unavailableChains: Array<{ code: string, message: string, chain: { chainId: string, prettyName: string } }> } | null } | null };

export type AccountTransfersQueryVariables = Exact<{
  address: string;
  filter?: AccountActivityFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type AccountTransfersQuery = { account: { hexAddress: string, activity: { edges: Array<{ cursor: string, node:
          | { hash: string, timestamp: string | null, chain: { chainId: string, prettyName: string } }
          | { hash: string, timestamp: string | null, chain: { chainId: string, prettyName: string }, signers: Array<{ account: { address: string, hexAddress: string | null } | null }> | null, fee: { amount: Array<{ amount: string | null, denom: string | null }> | null, payer: { hexAddress: string | null } | null } | null, coinTransfers: Array<{ sender: { address: string, hexAddress: string | null } | null, recipient: { address: string, hexAddress: string | null } | null, coins: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null }> | null, tokenTransfers: Array<{ standard: TokenStandard, tokenId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, from: { address: string, hexAddress: string | null } | null, to: { address: string, hexAddress: string | null } | null, contract: { address: string }, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null }
         | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, unavailableChains: Array<{ code: string, message: string, chain: { chainId: string, prettyName: string } }> } | null } | null };

export type AssetTransfersFragment = { signers: Array<{ account: { address: string, hexAddress: string | null } | null }> | null, fee: { amount: Array<{ amount: string | null, denom: string | null }> | null, payer: { hexAddress: string | null } | null } | null, coinTransfers: Array<{ sender: { address: string, hexAddress: string | null } | null, recipient: { address: string, hexAddress: string | null } | null, coins: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null }> | null, tokenTransfers: Array<{ standard: TokenStandard, tokenId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, from: { address: string, hexAddress: string | null } | null, to: { address: string, hexAddress: string | null } | null, contract: { address: string }, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null };

export type AccountEvmQueryVariables = Exact<{
  chainId: string;
  address: string;
  filter?: ChainAccountEvmTransactionFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type AccountEvmQuery = { chain: { account: { evmTransactions: { nodes: Array<{ hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, from: { address: string } | null, to: { address: string } | null, tokenTransfers: Array<{ tokenId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, from: { address: string, hexAddress: string | null } | null, to: { address: string, hexAddress: string | null } | null, contract: { address: string }, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null } | null };

export type EvmRowFragment = { hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, from: { address: string } | null, to: { address: string } | null, tokenTransfers: Array<{ tokenId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, from: { address: string, hexAddress: string | null } | null, to: { address: string, hexAddress: string | null } | null, contract: { address: string }, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null };

export type AccountCallsQueryVariables = Exact<{
  chainId: string;
  address: string;
  after?: string | null | undefined;
}>;


export type AccountCallsQuery = { chain: { account: { evmInternalTransactions: { nodes: Array<{ transactionHash: string, height: number, index: number, kind: EvmCallKind, value: string | null, gasUsed: string | null, input: string, chain: { chainId: string, evmFeeAsset: { symbol: string | null, decimals: number | null } | null }, from: { address: string } | null, to: { address: string } | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null } | null };

export type CallFragment = { transactionHash: string, height: number, index: number, kind: EvmCallKind, value: string | null, gasUsed: string | null, input: string, chain: { chainId: string, evmFeeAsset: { symbol: string | null, decimals: number | null } | null }, from: { address: string } | null, to: { address: string } | null };

export type ActivityQueryVariables = Exact<{
  address: string;
  filter?: AccountActivityFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ActivityQuery = { account: { activity: { liveCursor: string | null, edges: Array<{ cursor: string, isProvisional: boolean, chain: { chainId: string, prettyName: string }, node:
          | { __typename: 'EvmTransaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, from: { address: string } | null, to: { address: string } | null, chain: { chainId: string, prettyName: string } }
          | { __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string }, changes: Array<{ kind: BalanceChangeKind, tokenId: string | null, objectAddress: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, collection: { address: string } | null, contract: { address: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null, standards: Array<{ standard: TokenStandard, contract: { address: string } }> | null }
         | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, unavailableChains: Array<{ code: string, message: string, chain: { chainId: string, prettyName: string } }> } | null } | null };

export type LiveActivitySubscriptionVariables = Exact<{
  address: string;
  chainIds?: Array<string> | string | null | undefined;
  after?: string | null | undefined;
}>;


export type LiveActivitySubscription = { activity: { cursor: string, chain: { chainId: string, prettyName: string }, node:
      | { __typename: 'EvmTransaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, from: { address: string } | null, to: { address: string } | null, chain: { chainId: string, prettyName: string } }
      | { __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string }, changes: Array<{ kind: BalanceChangeKind, tokenId: string | null, objectAddress: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, collection: { address: string } | null, contract: { address: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null, standards: Array<{ standard: TokenStandard, contract: { address: string } }> | null }
     | null, notice: { kind: LiveNoticeKind, message: string } | null } };

export type AccountBalanceChangesFragment = { changes: Array<{ kind: BalanceChangeKind, tokenId: string | null, objectAddress: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, collection: { address: string } | null, contract: { address: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null, standards: Array<{ standard: TokenStandard, contract: { address: string } }> | null };

export type AssetQueryVariables = Exact<{
  chainId: string;
  denom: string;
}>;


export type AssetQuery = { asset: { denom: string, chainId: string, name: string | null, symbol: string | null, originLabel: string, decimals: number | null, description: string | null, usdPrice: string | null, coingeckoId: string | null, isCw20: boolean, tokenContract: string | null, trace: string | null, originChainId: string | null, originDenom: string | null, chain: { prettyName: string, isIndexed: boolean, vm: VmKind | null } } | null };

export type ContractQueryVariables = Exact<{
  chainId: string;
  address: string;
  denom: string;
}>;


export type ContractQuery = { chain: { chainId: string, prettyName: string, vm: VmKind | null, account: { address: string, hexAddress: string | null, bech32Address: string | null } | null, nftCollection: { address: string, name: string, nftCount: number | null } | null } | null, asset: { denom: string, symbol: string | null, name: string | null, decimals: number | null, isListed: boolean } | null };

export type ContractOriginQueryVariables = Exact<{
  chainId: string;
  address: string;
  isEvm: boolean;
  denom: string;
  isToken: boolean;
}>;


export type ContractOriginQuery = { chain: { account: { evmTransactions?: { nodes: Array<{ hash: string, timestamp: string | null, from: { address: string } | null, createdContract: { address: string } | null } | null> } | null, evmInternalTransactions?: { nodes: Array<{ kind: EvmCallKind, from: { address: string } | null, to: { address: string } | null } | null> } | null, transactions?: { nodes: Array<{ hash: string, timestamp: string | null, signers: Array<{ account: { address: string } | null }> | null, events: Array<{ attributes: Array<{ key: string, value: string }> | null }> | null } | null> } | null } | null, richList?: { totalCount: number | null } | null } | null };

export type TokenTransfersQueryVariables = Exact<{
  chainId: string;
  address: string;
  after?: string | null | undefined;
}>;


export type TokenTransfersQuery = { chain: { account: { address: string, evmTransactions: { nodes: Array<{ hash: string, timestamp: string | null, tokenTransfers: Array<{ tokenId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, from: { address: string } | null, to: { address: string } | null, contract: { address: string }, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }> | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null } | null };

export type ContractLogsQueryVariables = Exact<{
  chainId: string;
  address: string;
  after?: string | null | undefined;
}>;


export type ContractLogsQuery = { chain: { account: { address: string, evmTransactions: { nodes: Array<{ hash: string, height: number, logs: Array<{ index: number | null, topics: Array<string> | null, data: string, account: { address: string } }> | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null } | null };

export type ContractTransactionsQueryVariables = Exact<{
  chainId: string;
  address: string;
  after?: string | null | undefined;
}>;


export type ContractTransactionsQuery = { chain: { account: { address: string, hexAddress: string | null, bech32Address: string | null, transactions: { nodes: Array<{ __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, events: Array<{ type: string, attributes: Array<{ key: string, value: string }> | null }> | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string } } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null } | null };

export type HoldersQueryVariables = Exact<{
  chainId: string;
  denom: string;
  after?: string | null | undefined;
}>;


export type HoldersQuery = { chain: { richList: { totalCount: number | null, nodes: Array<{ rank: number | null, sharePercent: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, account: { address: string }, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type AssetsQueryVariables = Exact<{
  chainId?: string | null | undefined;
  search?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AssetsQuery = { assets: { totalCount: number | null, nodes: Array<{ chainId: string, denom: string, symbol: string | null, name: string | null, originLabel: string, chain: { prettyName: string } } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ListedAssetFragment = { chainId: string, denom: string, symbol: string | null, name: string | null, originLabel: string, chain: { prettyName: string } };

export type AssetPricesQueryVariables = Exact<{
  chainId?: string | null | undefined;
  search?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AssetPricesQuery = { assets: { nodes: Array<{ chainId: string, denom: string, usdPrice: string | null } | null> } | null };

export type BlockQueryVariables = Exact<{
  chainId: string;
  height: number;
}>;


export type BlockQuery = { chain: { chainId: string, prettyName: string, vm: VmKind | null, freshness: { height: number } | null, block: { hash: string, gasUsed: string | null, gasWanted: string, height: number, timestamp: string | null, blockTimeSeconds: number | null, transactionCount: number, totalFee: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, transactions: { totalCount: number | null, nodes: Array<{ __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string } } | null> } | null, evmTransactions: { totalCount: number | null, nodes: Array<{ __typename: 'EvmTransaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, evmActions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, transaction: { hash: string } | null, from: { address: string } | null, to: { address: string } | null, chain: { chainId: string, prettyName: string } } | null> } | null, proposer: { moniker: string | null, operatorAddress: string | null } | null } | null } | null };

export type BridgeTransferPartsFragment = { bridge: Bridge, state: BridgeTransferState, reason: string | null, durationSeconds: number | null, timeoutAt: string | null, isWithdrawal: boolean, departure: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, arrival: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, refund: { address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null };

export type BridgeStepFragment = { state: BridgeTransferState, arrival: { address: string | null, hash: string | null, timestamp: string | null, endChain: { chainId: string, prettyName: string } | null } };

export type BridgeStoryFragment = { isProven: boolean, bridge: Bridge, state: BridgeTransferState, reason: string | null, durationSeconds: number | null, timeoutAt: string | null, isWithdrawal: boolean, guidance: { funds: TransferFunds, sentence: string, nextStep: string }, claim: { claimableAt: string | null, isClaimable: boolean | null } | null, onward: { state: BridgeTransferState, onward: { state: BridgeTransferState, arrival: { address: string | null, hash: string | null, timestamp: string | null, endChain: { chainId: string, prettyName: string } | null } } | null, arrival: { address: string | null, hash: string | null, timestamp: string | null, endChain: { chainId: string, prettyName: string } | null } } | null, transfer: { outcome: TransferOutcome, guidance: { contradiction: string | null } } | null, departure: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, arrival: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, refund: { address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null };

export type BridgeEndFragment = { address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

export type BridgeTransfersQueryVariables = Exact<{
  hash: string;
  chainId: string;
}>;


export type BridgeTransfersQuery = { transaction:
    | { bridgeTransfers: Array<{ isProven: boolean, bridge: Bridge, state: BridgeTransferState, reason: string | null, durationSeconds: number | null, timeoutAt: string | null, isWithdrawal: boolean, guidance: { funds: TransferFunds, sentence: string, nextStep: string }, claim: { claimableAt: string | null, isClaimable: boolean | null } | null, onward: { state: BridgeTransferState, onward: { state: BridgeTransferState, arrival: { address: string | null, hash: string | null, timestamp: string | null, endChain: { chainId: string, prettyName: string } | null } } | null, arrival: { address: string | null, hash: string | null, timestamp: string | null, endChain: { chainId: string, prettyName: string } | null } } | null, transfer: { outcome: TransferOutcome, guidance: { contradiction: string | null } } | null, departure: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, arrival: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, refund: { address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null }> | null }
    | { bridgeTransfers: Array<{ isProven: boolean, bridge: Bridge, state: BridgeTransferState, reason: string | null, durationSeconds: number | null, timeoutAt: string | null, isWithdrawal: boolean, guidance: { funds: TransferFunds, sentence: string, nextStep: string }, claim: { claimableAt: string | null, isClaimable: boolean | null } | null, onward: { state: BridgeTransferState, onward: { state: BridgeTransferState, arrival: { address: string | null, hash: string | null, timestamp: string | null, endChain: { chainId: string, prettyName: string } | null } } | null, arrival: { address: string | null, hash: string | null, timestamp: string | null, endChain: { chainId: string, prettyName: string } | null } } | null, transfer: { outcome: TransferOutcome, guidance: { contradiction: string | null } } | null, departure: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, arrival: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, refund: { address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null }> | null }
   | null };

export type AccountBridgeTransfersQueryVariables = Exact<{
  address: string;
  filter?: BridgeTransferFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type AccountBridgeTransfersQuery = { account: { hexAddress: string, bridgeTransfers: { edges: Array<{ cursor: string, node: { bridge: Bridge, state: BridgeTransferState, reason: string | null, durationSeconds: number | null, timeoutAt: string | null, isWithdrawal: boolean, departure: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, arrival: { usdValue: string | null, address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null }, refund: { address: string | null, hash: string | null, timestamp: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, endChain: { chainId: string, prettyName: string } | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, unavailableChains: Array<{ code: string, message: string, chain: { chainId: string, prettyName: string } }> } | null } | null };

export type ChainQueryVariables = Exact<{
  chainId: string;
}>;


export type ChainQuery = { chain: { chainId: string, prettyName: string, name: string, vm: VmKind | null, kind: ChainKind | null, isTestnet: boolean | null, isRoutable: boolean | null, isIndexed: boolean, bech32Prefix: string | null, averageBlockTimeSeconds: number | null, status: { version: string | null, height: number } | null, feeAssets: Array<{ denom: string, asset: { symbol: string | null, name: string | null, decimals: number | null } | null, gasPrice: { low: string | null, average: string | null, high: string | null } | null }> | null, transactions: { nodes: Array<{ __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string } } | null> } | null, nftCollections: { nodes: Array<{ address: string, name: string, nftCount: number | null, timestamp: string | null } | null> } | null } | null };

export type ChainFactsQueryVariables = Exact<{
  chainId: string;
}>;


export type ChainFactsQuery = { chain: { chainId: string, counted: { totalCount: number | null, isTotalCountEstimate: boolean } | null, feeAssets: Array<{ denom: string, asset: { symbol: string | null, usdPrice: string | null } | null }> | null } | null };

export type BlocksQueryVariables = Exact<{
  chainId: string;
  after?: string | null | undefined;
}>;


export type BlocksQuery = { chain: { blocks: { edges: Array<{ cursor: string, node: { height: number, timestamp: string | null, blockTimeSeconds: number | null, transactionCount: number, proposer: { moniker: string | null, operatorAddress: string | null } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type LiveBlocksSubscriptionVariables = Exact<{
  chainId: string;
  after?: string | null | undefined;
}>;


export type LiveBlocksSubscription = { blocks: { cursor: string, node: { height: number, timestamp: string | null, blockTimeSeconds: number | null, transactionCount: number, transactions: { nodes: Array<{ __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string } } | null> } | null, proposer: { moniker: string | null, operatorAddress: string | null } | null } | null, notice: { kind: LiveNoticeKind, message: string } | null } };

export type ProposersQueryVariables = Exact<{
  chainId: string;
  after?: string | null | undefined;
}>;


export type ProposersQuery = { chain: { chainId: string, prettyName: string, blocks: { nodes: Array<{ height: number, timestamp: string | null, proposer: { moniker: string | null, operatorAddress: string | null } | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type UsageQueryVariables = Exact<{
  chainId: string;
  after?: string | null | undefined;
}>;


export type UsageQuery = { chain: { chainId: string, prettyName: string, vm: VmKind | null, transactions: { nodes: Array<{ height: number, timestamp: string | null, isSuccessful: boolean | null, signers: Array<{ account: { hexAddress: string | null } | null }> | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type RecentCallsQueryVariables = Exact<{
  chainId: string;
  after?: string | null | undefined;
}>;


export type RecentCallsQuery = { chain: { chainId: string, prettyName: string, vm: VmKind | null, transactions: { nodes: Array<{ hash: string, height: number, timestamp: string | null, actions: Array<{ kind: TransactionActionKind, function: string | null, contract: { address: string } | null }> | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, nftCollections: { nodes: Array<{ address: string, name: string } | null> } | null } | null, assets: { nodes: Array<{ denom: string, symbol: string | null, tokenContract: string | null } | null> } | null };

export type CsvActivityQueryVariables = Exact<{
  address: string;
  filter?: AccountActivityFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type CsvActivityQuery = { account: { activity: { edges: Array<{ cursor: string, balanceChanges: Array<{ kind: BalanceChangeKind, amount: string | null, denom: string | null, formattedAmount: string | null, usdValueAtTime: string | null, tokenId: string | null, objectAddress: string | null, messageIndex: number | null, asset: { symbol: string | null } | null, contract: { address: string } | null, collection: { address: string } | null }> | null, node:
          | { __typename: 'EvmTransaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, actions: Array<{ kind: TransactionActionKind, messageIndex: number | null, remoteAddress: string | null, channel: string | null, packetSequence: string | null, summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { denom: string | null } | null, account: { address: string } | null }>, actor: { address: string, hexAddress: string | null } | null, counterparty: { address: string, hexAddress: string | null } | null }> | null }
          | { __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, signers: Array<{ account: { address: string } | null }> | null, actions: Array<{ kind: TransactionActionKind, messageIndex: number | null, remoteAddress: string | null, channel: string | null, packetSequence: string | null, summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { denom: string | null } | null, account: { address: string } | null }>, actor: { address: string, hexAddress: string | null } | null, counterparty: { address: string, hexAddress: string | null } | null }> | null }
         | null, chain: { chainId: string, prettyName: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, unavailableChains: Array<{ code: string, chain: { chainId: string, prettyName: string } }> } | null } | null };

export type CsvTransfersQueryVariables = Exact<{
  address: string;
  filter?: AccountActivityFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type CsvTransfersQuery = { account: { chainAccounts: Array<{ address: string, hexAddress: string | null }>, activity: { edges: Array<{ cursor: string, node:
          | { __typename: 'EvmTransaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null }
          | { __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, fee: { amount: Array<{ amount: string | null, denom: string | null }> | null, payer: { address: string, hexAddress: string | null } | null } | null, signers: Array<{ account: { address: string, hexAddress: string | null } | null }> | null, coinTransfers: Array<{ sender: { address: string, hexAddress: string | null } | null, recipient: { address: string, hexAddress: string | null } | null, coins: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null }> | null, tokenTransfers: Array<{ standard: TokenStandard, tokenId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, from: { address: string, hexAddress: string | null } | null, to: { address: string, hexAddress: string | null } | null, contract: { address: string }, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null }
         | null, chain: { chainId: string, prettyName: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, unavailableChains: Array<{ code: string, chain: { chainId: string, prettyName: string } }> } | null } | null };

export type CsvBalancesQueryVariables = Exact<{
  address: string;
}>;


export type CsvBalancesQuery = { account: { balances: { balances: Array<{ usdPrice: string | null, exclusion: BalanceExclusion | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { originChainId: string | null, originDenom: string | null, chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null, chain: { chainId: string, prettyName: string } }>, unavailableChains: Array<{ code: string, chain: { chainId: string, prettyName: string } }> } | null } | null };

export type CsvEdgeFragment = { cursor: string, chain: { chainId: string, prettyName: string }, node:
    | { __typename: 'EvmTransaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null }
    | { __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null }
   | null };

export type CsvActionFragment = { kind: TransactionActionKind, messageIndex: number | null, remoteAddress: string | null, channel: string | null, packetSequence: string | null, summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { denom: string | null } | null, account: { address: string } | null }>, actor: { address: string, hexAddress: string | null } | null, counterparty: { address: string, hexAddress: string | null } | null };

export type CsvSpellingFragment = { address: string, hexAddress: string | null };

export type CsvPageFragment = { pageInfo: { hasNextPage: boolean, endCursor: string | null }, unavailableChains: Array<{ code: string, chain: { chainId: string, prettyName: string } }> };

type Amount_AssetRelease_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_Balance_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_BalanceChange_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_BridgeTransferLeg_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_Coin_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_Erc20Approval_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_OperationFee_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_RouteFee_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_TokenHolder_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_TokenTransfer_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

type Amount_TransferAmount_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null };

export type AmountFragment =
  | Amount_AssetRelease_Fragment
  | Amount_Balance_Fragment
  | Amount_BalanceChange_Fragment
  | Amount_BridgeTransferLeg_Fragment
  | Amount_Coin_Fragment
  | Amount_Erc20Approval_Fragment
  | Amount_OperationFee_Fragment
  | Amount_RouteFee_Fragment
  | Amount_TokenHolder_Fragment
  | Amount_TokenTransfer_Fragment
  | Amount_TransferAmount_Fragment
;

export type BlockFragment = { height: number, timestamp: string | null, blockTimeSeconds: number | null, transactionCount: number, proposer: { moniker: string | null, operatorAddress: string | null } | null };

type TransactionRow_EvmTransaction_Fragment = { __typename: 'EvmTransaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, from: { address: string } | null, to: { address: string } | null, chain: { chainId: string, prettyName: string } };

type TransactionRow_Transaction_Fragment = { __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string } };

export type TransactionRowFragment =
  | TransactionRow_EvmTransaction_Fragment
  | TransactionRow_Transaction_Fragment
;

export type ActionSummaryFragment = { summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> };

export type PartFragment = { text: string, kind: SummaryPartKind, address: string | null, account: { address: string } | null };

export type BothAddressesFragment = { address: string, hexAddress: string | null, bech32Address: string | null };

type AmountWithoutValue_AssetRelease_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_Balance_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_BalanceChange_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_BridgeTransferLeg_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_Coin_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_Erc20Approval_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_OperationFee_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_RouteFee_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_TokenHolder_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_TokenTransfer_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

type AmountWithoutValue_TransferAmount_Fragment = { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null };

export type AmountWithoutValueFragment =
  | AmountWithoutValue_AssetRelease_Fragment
  | AmountWithoutValue_Balance_Fragment
  | AmountWithoutValue_BalanceChange_Fragment
  | AmountWithoutValue_BridgeTransferLeg_Fragment
  | AmountWithoutValue_Coin_Fragment
  | AmountWithoutValue_Erc20Approval_Fragment
  | AmountWithoutValue_OperationFee_Fragment
  | AmountWithoutValue_RouteFee_Fragment
  | AmountWithoutValue_TokenHolder_Fragment
  | AmountWithoutValue_TokenTransfer_Fragment
  | AmountWithoutValue_TransferAmount_Fragment
;

export type UnavailableFragment = { code: string, message: string, chain: { chainId: string, prettyName: string } };

export type HoldingsFragment = { usdPrice: string | null, exclusion: BalanceExclusion | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { originChainId: string | null, originDenom: string | null, chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null, chain: { chainId: string, prettyName: string } };

export type NftCardFragment = { tokenId: string, timestamp: string | null, uri: string | null, chain: { chainId: string, prettyName: string }, collection: { address: string, name: string } | null };

export type PageFragment = { hasNextPage: boolean, endCursor: string | null };

export type HomeQueryVariables = Exact<{ [key: string]: never; }>;


export type HomeQuery = { chains: Array<{ chainId: string, prettyName: string, vm: VmKind | null, blocks: { nodes: Array<{ height: number, timestamp: string | null, blockTimeSeconds: number | null, transactionCount: number, proposer: { moniker: string | null, operatorAddress: string | null } | null } | null> } | null, transactions: { nodes: Array<{ __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string } } | null> } | null }> };

export type HeadsSubscriptionVariables = Exact<{
  chainIds?: Array<string> | string | null | undefined;
}>;


export type HeadsSubscription = { chainHeads: { height: number | null, isLate: boolean, chain: { chainId: string }, block: { height: number, timestamp: string | null, blockTimeSeconds: number | null, transactionCount: number, transactions: { nodes: Array<{ __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string } } | null> } | null, proposer: { moniker: string | null, operatorAddress: string | null } | null } | null } };

export type HeadHeightsSubscriptionVariables = Exact<{
  chainIds?: Array<string> | string | null | undefined;
}>;


export type HeadHeightsSubscription = { chainHeads: { height: number | null, isLate: boolean, chain: { chainId: string } } };

export type HomeFactsQueryVariables = Exact<{ [key: string]: never; }>;


export type HomeFactsQuery = { chains: Array<{ chainId: string, nftCollections: { nodes: Array<{ address: string, name: string } | null> } | null, counted: { totalCount: number | null, isTotalCountEstimate: boolean } | null, feeAssets: Array<{ denom: string, asset: { symbol: string | null, usdPrice: string | null } | null }> | null }> };

export type ChainFactsFragment = { chainId: string, counted: { totalCount: number | null, isTotalCountEstimate: boolean } | null, feeAssets: Array<{ denom: string, asset: { symbol: string | null, usdPrice: string | null } | null }> | null };

export type CollectionQueryVariables = Exact<{
  chainId: string;
  address: string;
  after?: string | null | undefined;
}>;


export type CollectionQuery = { nftCollection: { address: string, name: string, originName: string | null, nftCount: number | null, height: number, timestamp: string | null, chain: { chainId: string, prettyName: string }, creator: { address: string } | null, nfts: { nodes: Array<{ tokenId: string, timestamp: string | null, uri: string | null, owner: { address: string } | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type CollectionNameQueryVariables = Exact<{
  chainId: string;
  address: string;
}>;


export type CollectionNameQuery = { nftCollection: { name: string } | null };

export type NftQueryVariables = Exact<{
  chainId: string;
  collection: string;
  tokenId: string;
}>;


export type NftQuery = { nft: { height: number, objectAddress: string | null, tokenId: string, timestamp: string | null, uri: string | null, owner: { address: string } | null, transactions: { nodes: Array<{ __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, messages: Array<{ typeUrl: string }> | null, actions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, signers: Array<{ account: { address: string } | null }> | null, chain: { chainId: string, prettyName: string } } | null> } | null, chain: { chainId: string, prettyName: string }, collection: { address: string, name: string } | null } | null };

export type NftMetadataQueryVariables = Exact<{
  chainId: string;
  collection: string;
  tokenId: string;
}>;


export type NftMetadataQuery = { nft: { metadata: { name: string | null, description: string | null, imageUrl: string | null, attributes: Array<{ traitType: string | null, value: string }> | null } | null } | null };

export type RoutableChainsQueryVariables = Exact<{ [key: string]: never; }>;


export type RoutableChainsQuery = { routableChains: { nodes: Array<{ chainId: string, prettyName: string, isIndexed: boolean } | null> } | null };

export type RoutableAssetsQueryVariables = Exact<{
  chainId: string;
}>;


export type RoutableAssetsQuery = { assets: { nodes: Array<{ denom: string, symbol: string | null, name: string | null, decimals: number | null, originLabel: string } | null> } | null };

export type QuoteQueryVariables = Exact<{
  input: RouteInput;
}>;


export type QuoteQuery = { route: { amountIn: string, formattedAmountIn: string | null, amountOut: string, formattedAmountOut: string | null, usdAmountIn: string | null, usdAmountOut: string | null, estimatedDurationSeconds: number | null, expiresAt: string | null, transactionCount: number, doesSwap: boolean, swapPriceImpactPercent: string | null, extraWarnings: Array<string>, assetIn: { chainId: string, denom: string, symbol: string | null, decimals: number | null } | null, assetOut: { chainId: string, denom: string, symbol: string | null, decimals: number | null } | null, operations: Array<{ index: number, kind: RouteOperationKind, rawKind: string, bridge: Bridge | null, amountIn: string | null, formattedAmountIn: string | null, amountOut: string | null, formattedAmountOut: string | null, fromChainId: string | null, toChainId: string | null, fromChain: { chainId: string, prettyName: string } | null, toChain: { chainId: string, prettyName: string } | null, assetIn: { chainId: string, denom: string, symbol: string | null, decimals: number | null } | null, assetOut: { chainId: string, denom: string, symbol: string | null, decimals: number | null } | null }>, fees: Array<{ kind: RouteFeeKind, behavior: FeeBehavior, chainId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }>, warning: { kind: RouteWarningKind, message: string | null } | null } | null };

export type ChainRecordQueryVariables = Exact<{
  chainId: string;
}>;


export type ChainRecordQuery = { chain: { __typename: 'Chain' } | null };

export type BlockRecordQueryVariables = Exact<{
  chainId: string;
  height: number;
}>;


export type BlockRecordQuery = { chain: { block: { __typename: 'Block' } | null } | null };

export type TransactionRecordQueryVariables = Exact<{
  chainId?: string | null | undefined;
  hash: string;
}>;


export type TransactionRecordQuery = { transaction:
    | { __typename: 'EvmTransaction' }
    | { __typename: 'Transaction' }
   | null };

export type AccountRecordQueryVariables = Exact<{
  address: string;
}>;


export type AccountRecordQuery = { account: { __typename: 'Account' } | null };

export type ContractRecordQueryVariables = Exact<{
  chainId: string;
  address: string;
}>;


export type ContractRecordQuery = { chain: { account: { __typename: 'ChainAccount' } | null } | null };

export type AssetRecordQueryVariables = Exact<{
  chainId: string;
  denom: string;
}>;


export type AssetRecordQuery = { asset: { __typename: 'Asset' } | null };

export type HoldersRecordQueryVariables = Exact<{
  chainId: string;
  denom: string;
}>;


export type HoldersRecordQuery = { chain: { richList: { nodes: Array<{ __typename: 'TokenHolder' } | null> } | null } | null };

export type CollectionRecordQueryVariables = Exact<{
  chainId: string;
  address: string;
}>;


export type CollectionRecordQuery = { nftCollection: { __typename: 'NftCollection' } | null };

export type NftRecordQueryVariables = Exact<{
  chainId: string;
  collection: string;
  tokenId: string;
}>;


export type NftRecordQuery = { nft: { __typename: 'Nft' } | null };

export type SearchQueryVariables = Exact<{
  text: string;
}>;


export type SearchQuery = { search: { hasMore: boolean, isRouterUnavailable: boolean, results: Array<{ match: SearchMatch, chain: { chainId: string, prettyName: string } | null, node:
        | { __typename: 'Account', hexAddress: string, chainAccounts: Array<{ address: string }>, balances: { usdValue: string | null, unavailableChains: Array<{ code: string }> } | null }
        | { __typename: 'Asset', chainId: string, denom: string, symbol: string | null, name: string | null, originLabel: string, usdPrice: string | null }
        | { __typename: 'Block', height: number, timestamp: string | null, transactionCount: number }
        | { __typename: 'Chain', chainId: string, prettyName: string, isIndexed: boolean }
        | { __typename: 'EvmTransaction', hash: string, height: number, isSuccessful: boolean | null }
        | { __typename: 'FollowCandidate', chainId: string, answer: FollowAnswer, candidateHash: string, candidateOf: { chainId: string, prettyName: string } }
        | { __typename: 'NftCollection', address: string, collectionName: string }
        | { __typename: 'Transaction', hash: string, height: number, isSuccessful: boolean | null }
       }>, unavailableChains: Array<{ code: string, message: string, chain: { chainId: string, prettyName: string } }> } | null };

export type SuggestQueryVariables = Exact<{
  text: string;
  hasAssets: boolean;
  hasCollections: boolean;
}>;


export type SuggestQuery = { search?: { results: Array<{ chain: { chainId: string, prettyName: string } | null, node:
        | { __typename: 'Account' }
        | { __typename: 'Asset' }
        | { __typename: 'Block' }
        | { __typename: 'Chain' }
        | { __typename: 'EvmTransaction' }
        | { __typename: 'FollowCandidate' }
        | { __typename: 'NftCollection', address: string, name: string }
        | { __typename: 'Transaction' }
       }> } | null, assets?: { nodes: Array<{ chainId: string, denom: string, symbol: string | null, name: string | null, originLabel: string, isListed: boolean, chain: { prettyName: string } } | null> } | null };

export type NewestProposersQueryVariables = Exact<{ [key: string]: never; }>;


export type NewestProposersQuery = { chains: Array<{ chainId: string, prettyName: string, blocks: { nodes: Array<{ height: number, proposer: { moniker: string | null, operatorAddress: string | null } | null } | null> } | null }> };

export type ServiceQueryVariables = Exact<{ [key: string]: never; }>;


export type ServiceQuery = { service: { isSandbox: boolean, hasRouter: boolean, version: string }, chains: Array<{ chainId: string, prettyName: string }> };

export type StatusQueryVariables = Exact<{ [key: string]: never; }>;


export type StatusQuery = { service: { isSandbox: boolean, hasRouter: boolean, version: string, limits: { maxPageSize: number, maxCost: number, maxAnswerBytes: number, maxOpenPerClient: number, timeoutMs: number } }, chains: Array<{ chainId: string, prettyName: string, vm: VmKind | null, averageBlockTimeSeconds: number | null, freshness: { height: number, timestamp: string, ageSeconds: number } | null, status: { version: string | null, commit: string | null, height: number, internalTransactionHeight: number | null, richListHeight: number | null } | null }>, bridges: Array<{ name: string }> | null };

export type TransactionQueryVariables = Exact<{
  hash: string;
  chainId?: string | null | undefined;
}>;


export type TransactionQuery = { transaction:
    | { __typename: 'EvmTransaction', hash: string, height: number, nonce: number | null, type: number | null, value: string | null, effectiveGasPrice: string | null, input: string | null, evmTimestamp: string | null, evmIsSuccessful: boolean | null, evmFee: string | null, evmGasUsed: string | null, transaction: { hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, code: number, codespace: string | null, rawLog: string | null, memo: string | null, gasUsed: string | null, gasWanted: string, timeoutHeight: number | null, chain: { chainId: string, prettyName: string }, fee: { amount: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, payer: { address: string, hexAddress: string | null } | null } | null, signers: Array<{ sequence: number | null, publicKeyType: string | null, account: { address: string, hexAddress: string | null, bech32Address: string | null } | null }> | null, messages: Array<{ typeUrl: string, body: unknown }> | null, events: Array<{ type: string, attributes: Array<{ key: string, value: string }> | null }> | null, actions: Array<{ title: string, summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, balanceChanges: Array<{ kind: BalanceChangeKind, tokenId: string | null, objectAddress: string | null, isOwnerKnown: boolean, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, account: { address: string, hexAddress: string | null } | null, collection: { address: string, name: string } | null, contract: { address: string } | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, coinTransfers: Array<{ sender: { address: string, hexAddress: string | null } | null, recipient: { address: string, hexAddress: string | null } | null, coins: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null }> | null } | null, evmActions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, chain: { chainId: string, prettyName: string, evmFeeAsset: { symbol: string | null, decimals: number | null } | null }, from: { address: string } | null, to: { address: string } | null, createdContract: { address: string } | null, tokenTransfers: Array<{ standard: TokenStandard, tokenId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, from: { address: string, hexAddress: string | null } | null, to: { address: string, hexAddress: string | null } | null, contract: { address: string }, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, logs: Array<{ index: number | null, topics: Array<string> | null, data: string, account: { address: string } }> | null, internalTransactions: { totalCount: number | null, nodes: Array<{ index: number, parentIndex: number | null, kind: EvmCallKind, value: string | null, gasUsed: string | null, from: { address: string } | null, to: { address: string } | null } | null> } | null }
    | { __typename: 'Transaction', hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, code: number, codespace: string | null, rawLog: string | null, memo: string | null, gasUsed: string | null, gasWanted: string, timeoutHeight: number | null, evmTransaction: { hash: string, height: number, nonce: number | null, type: number | null, value: string | null, effectiveGasPrice: string | null, input: string | null, evmTimestamp: string | null, evmIsSuccessful: boolean | null, evmFee: string | null, evmGasUsed: string | null, evmActions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, chain: { chainId: string, prettyName: string, evmFeeAsset: { symbol: string | null, decimals: number | null } | null }, from: { address: string } | null, to: { address: string } | null, createdContract: { address: string } | null, tokenTransfers: Array<{ standard: TokenStandard, tokenId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, from: { address: string, hexAddress: string | null } | null, to: { address: string, hexAddress: string | null } | null, contract: { address: string }, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, logs: Array<{ index: number | null, topics: Array<string> | null, data: string, account: { address: string } }> | null, internalTransactions: { totalCount: number | null, nodes: Array<{ index: number, parentIndex: number | null, kind: EvmCallKind, value: string | null, gasUsed: string | null, from: { address: string } | null, to: { address: string } | null } | null> } | null } | null, chain: { chainId: string, prettyName: string }, fee: { amount: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, payer: { address: string, hexAddress: string | null } | null } | null, signers: Array<{ sequence: number | null, publicKeyType: string | null, account: { address: string, hexAddress: string | null, bech32Address: string | null } | null }> | null, messages: Array<{ typeUrl: string, body: unknown }> | null, events: Array<{ type: string, attributes: Array<{ key: string, value: string }> | null }> | null, actions: Array<{ title: string, summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, balanceChanges: Array<{ kind: BalanceChangeKind, tokenId: string | null, objectAddress: string | null, isOwnerKnown: boolean, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, account: { address: string, hexAddress: string | null } | null, collection: { address: string, name: string } | null, contract: { address: string } | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, coinTransfers: Array<{ sender: { address: string, hexAddress: string | null } | null, recipient: { address: string, hexAddress: string | null } | null, coins: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null }> | null }
   | null };

export type CosmosPartsFragment = { hash: string, height: number, timestamp: string | null, isSuccessful: boolean | null, code: number, codespace: string | null, rawLog: string | null, memo: string | null, gasUsed: string | null, gasWanted: string, timeoutHeight: number | null, chain: { chainId: string, prettyName: string }, fee: { amount: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, payer: { address: string, hexAddress: string | null } | null } | null, signers: Array<{ sequence: number | null, publicKeyType: string | null, account: { address: string, hexAddress: string | null, bech32Address: string | null } | null }> | null, messages: Array<{ typeUrl: string, body: unknown }> | null, events: Array<{ type: string, attributes: Array<{ key: string, value: string }> | null }> | null, actions: Array<{ title: string, summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, balanceChanges: Array<{ kind: BalanceChangeKind, tokenId: string | null, objectAddress: string | null, isOwnerKnown: boolean, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, account: { address: string, hexAddress: string | null } | null, collection: { address: string, name: string } | null, contract: { address: string } | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, coinTransfers: Array<{ sender: { address: string, hexAddress: string | null } | null, recipient: { address: string, hexAddress: string | null } | null, coins: Array<{ amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null }> | null };

export type EvmPartsFragment = { hash: string, height: number, nonce: number | null, type: number | null, value: string | null, effectiveGasPrice: string | null, input: string | null, evmTimestamp: string | null, evmIsSuccessful: boolean | null, evmFee: string | null, evmGasUsed: string | null, evmActions: Array<{ summaryParts: Array<{ text: string, kind: SummaryPartKind, address: string | null, amount: { amount: string | null, denom: string | null, formattedAmount: string | null, asset: { chainId: string, symbol: string | null, originLabel: string, sharesSymbol: boolean, isListed: boolean } | null } | null, nft: { tokenId: string | null, collection: { address: string } | null } | null, chain: { chainId: string, prettyName: string } | null, account: { address: string } | null }> }> | null, chain: { chainId: string, prettyName: string, evmFeeAsset: { symbol: string | null, decimals: number | null } | null }, from: { address: string } | null, to: { address: string } | null, createdContract: { address: string } | null, tokenTransfers: Array<{ standard: TokenStandard, tokenId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, from: { address: string, hexAddress: string | null } | null, to: { address: string, hexAddress: string | null } | null, contract: { address: string }, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null }> | null, logs: Array<{ index: number | null, topics: Array<string> | null, data: string, account: { address: string } }> | null, internalTransactions: { totalCount: number | null, nodes: Array<{ index: number, parentIndex: number | null, kind: EvmCallKind, value: string | null, gasUsed: string | null, from: { address: string } | null, to: { address: string } | null } | null> } | null };

export type AwaitTransactionSubscriptionVariables = Exact<{
  chainId: string;
  hash: string;
}>;


export type AwaitTransactionSubscription = { transaction: { node:
      | { hash: string }
      | { hash: string }
     | null } };

export type TransferSubscriptionVariables = Exact<{
  chainId: string;
  hash: string;
}>;


export type TransferSubscription = { transfer: { state: TransferState, outcome: TransferOutcome, isTerminal: boolean, hash: string, sender: string | null, recipient: string | null, amountIn: string | null, denomIn: string | null, search: { until: string } | null, guidance: { code: TransferGuidanceCode, contradiction: string | null, sentence: string, nextStep: string, usualSeconds: number | null, isLate: boolean | null, url: string | null, supportUrl: string | null }, received: { chainId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null } | null, sent: { usdValue: string | null } | null, assetIn: { chainId: string, denom: string, symbol: string | null, decimals: number | null } | null, transaction:
      | { hash: string }
      | { hash: string }
     | null, chain: { prettyName: string }, hops: Array<{ index: number, bridge: Bridge, beganAt: string | null, endedAt: string | null, state: HopState, reportedState: HopState, rawState: string | null, isBlocking: boolean, amountIn: string | null, formattedAmountIn: string | null, amountOut: string | null, formattedAmountOut: string | null, denomIn: string | null, denomOut: string | null, fromChainId: string | null, toChainId: string | null, fromChain: { chainId: string, prettyName: string } | null, toChain: { chainId: string, prettyName: string } | null, assetIn: { chainId: string, denom: string, symbol: string | null, decimals: number | null } | null, assetOut: { chainId: string, denom: string, symbol: string | null, decimals: number | null } | null, error: { message: string | null } | null, transactions: Array<{ kind: HopTransactionKind, hash: string | null, chainId: string | null, explorerUrl: string | null, timestamp: string | null, transaction:
          | { height: number, isSuccessful: boolean | null }
          | { height: number, isSuccessful: boolean | null }
         | null }> }>, assetRelease: { isReleased: boolean, chainId: string | null, amount: string | null, denom: string | null, formattedAmount: string | null, usdValue: string | null, chain: { prettyName: string } | null, asset: { chainId: string, symbol: string | null, name: string | null, originLabel: string, sharesSymbol: boolean } | null } | null, error: { message: string | null } | null } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const AmountWithoutValueFragmentDoc = new TypedDocumentString(`
    fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}
    `, {"fragmentName":"AmountWithoutValue"}) as unknown as TypedDocumentString<AmountWithoutValueFragment, unknown>;
export const AssetTransfersFragmentDoc = new TypedDocumentString(`
    fragment AssetTransfers on Transaction {
  signers {
    account {
      address
      hexAddress
    }
  }
  fee {
    amount {
      amount
      denom
    }
    payer {
      hexAddress
    }
  }
  coinTransfers {
    sender {
      address
      hexAddress
    }
    recipient {
      address
      hexAddress
    }
    coins {
      ...AmountWithoutValue
    }
  }
  tokenTransfers {
    ...AmountWithoutValue
    standard
    tokenId
    from {
      address
      hexAddress
    }
    to {
      address
      hexAddress
    }
    contract {
      address
    }
  }
}
    fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"AssetTransfers"}) as unknown as TypedDocumentString<AssetTransfersFragment, unknown>;
export const EvmRowFragmentDoc = new TypedDocumentString(`
    fragment EvmRow on EvmTransaction {
  hash
  height
  timestamp
  isSuccessful
  from {
    address
  }
  to {
    address
  }
  tokenTransfers {
    ...AmountWithoutValue
    tokenId
    from {
      address
      hexAddress
    }
    to {
      address
      hexAddress
    }
    contract {
      address
    }
  }
}
    fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"EvmRow"}) as unknown as TypedDocumentString<EvmRowFragment, unknown>;
export const CallFragmentDoc = new TypedDocumentString(`
    fragment Call on EvmInternalTransaction {
  transactionHash
  height
  index
  kind
  value
  gasUsed
  input
  chain {
    chainId
    evmFeeAsset {
      symbol
      decimals
    }
  }
  from {
    address
  }
  to {
    address
  }
}
    `, {"fragmentName":"Call"}) as unknown as TypedDocumentString<CallFragment, unknown>;
export const AccountBalanceChangesFragmentDoc = new TypedDocumentString(`
    fragment AccountBalanceChanges on IndexedTransaction {
  ... on Transaction {
    changes: balanceChanges(address: $address) {
      ...AmountWithoutValue
      kind
      tokenId
      objectAddress
      collection {
        address
      }
      contract {
        address
      }
    }
    standards: tokenTransfers {
      standard
      contract {
        address
      }
    }
  }
}
    fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"AccountBalanceChanges"}) as unknown as TypedDocumentString<AccountBalanceChangesFragment, unknown>;
export const ListedAssetFragmentDoc = new TypedDocumentString(`
    fragment ListedAsset on Asset {
  chainId
  denom
  symbol
  name
  originLabel
  chain {
    prettyName
  }
}
    `, {"fragmentName":"ListedAsset"}) as unknown as TypedDocumentString<ListedAssetFragment, unknown>;
export const BridgeEndFragmentDoc = new TypedDocumentString(`
    fragment BridgeEnd on BridgeTransferLeg {
  ...AmountWithoutValue
  endChain: chain {
    chainId
    prettyName
  }
  address
  hash
  timestamp
}
    fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"BridgeEnd"}) as unknown as TypedDocumentString<BridgeEndFragment, unknown>;
export const BridgeTransferPartsFragmentDoc = new TypedDocumentString(`
    fragment BridgeTransferParts on BridgeTransfer {
  bridge
  state
  reason
  durationSeconds
  timeoutAt
  isWithdrawal
  departure {
    ...BridgeEnd
    usdValue
  }
  arrival {
    ...BridgeEnd
    usdValue
  }
  refund {
    ...BridgeEnd
  }
}
    fragment BridgeEnd on BridgeTransferLeg {
  ...AmountWithoutValue
  endChain: chain {
    chainId
    prettyName
  }
  address
  hash
  timestamp
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"BridgeTransferParts"}) as unknown as TypedDocumentString<BridgeTransferPartsFragment, unknown>;
export const BridgeStepFragmentDoc = new TypedDocumentString(`
    fragment BridgeStep on BridgeTransfer {
  state
  arrival {
    endChain: chain {
      chainId
      prettyName
    }
    address
    hash
    timestamp
  }
}
    `, {"fragmentName":"BridgeStep"}) as unknown as TypedDocumentString<BridgeStepFragment, unknown>;
export const BridgeStoryFragmentDoc = new TypedDocumentString(`
    fragment BridgeStory on BridgeTransfer {
  ...BridgeTransferParts
  isProven
  guidance {
    funds
    sentence
    nextStep
  }
  claim {
    claimableAt
    isClaimable
  }
  onward {
    ...BridgeStep
    onward {
      ...BridgeStep
    }
  }
  transfer {
    outcome
    guidance {
      contradiction
    }
  }
}
    fragment BridgeTransferParts on BridgeTransfer {
  bridge
  state
  reason
  durationSeconds
  timeoutAt
  isWithdrawal
  departure {
    ...BridgeEnd
    usdValue
  }
  arrival {
    ...BridgeEnd
    usdValue
  }
  refund {
    ...BridgeEnd
  }
}
fragment BridgeStep on BridgeTransfer {
  state
  arrival {
    endChain: chain {
      chainId
      prettyName
    }
    address
    hash
    timestamp
  }
}
fragment BridgeEnd on BridgeTransferLeg {
  ...AmountWithoutValue
  endChain: chain {
    chainId
    prettyName
  }
  address
  hash
  timestamp
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"BridgeStory"}) as unknown as TypedDocumentString<BridgeStoryFragment, unknown>;
export const CsvEdgeFragmentDoc = new TypedDocumentString(`
    fragment CsvEdge on AccountActivityEdge {
  cursor
  chain {
    chainId
    prettyName
  }
  node {
    __typename
    hash
    height
    timestamp
    isSuccessful
  }
}
    `, {"fragmentName":"CsvEdge"}) as unknown as TypedDocumentString<CsvEdgeFragment, unknown>;
export const PartFragmentDoc = new TypedDocumentString(`
    fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
    `, {"fragmentName":"Part"}) as unknown as TypedDocumentString<PartFragment, unknown>;
export const CsvSpellingFragmentDoc = new TypedDocumentString(`
    fragment CsvSpelling on ChainAccount {
  address
  hexAddress
}
    `, {"fragmentName":"CsvSpelling"}) as unknown as TypedDocumentString<CsvSpellingFragment, unknown>;
export const CsvActionFragmentDoc = new TypedDocumentString(`
    fragment CsvAction on TransactionAction {
  kind
  messageIndex
  summaryParts {
    ...Part
    amount {
      denom
    }
  }
  actor {
    ...CsvSpelling
  }
  counterparty {
    ...CsvSpelling
  }
  remoteAddress
  channel
  packetSequence
}
    fragment CsvSpelling on ChainAccount {
  address
  hexAddress
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}`, {"fragmentName":"CsvAction"}) as unknown as TypedDocumentString<CsvActionFragment, unknown>;
export const PageFragmentDoc = new TypedDocumentString(`
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
    `, {"fragmentName":"Page"}) as unknown as TypedDocumentString<PageFragment, unknown>;
export const CsvPageFragmentDoc = new TypedDocumentString(`
    fragment CsvPage on AccountActivityConnection {
  pageInfo {
    ...Page
  }
  unavailableChains {
    chain {
      chainId
      prettyName
    }
    code
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}`, {"fragmentName":"CsvPage"}) as unknown as TypedDocumentString<CsvPageFragment, unknown>;
export const BlockFragmentDoc = new TypedDocumentString(`
    fragment Block on Block {
  height
  timestamp
  blockTimeSeconds
  transactionCount
  proposer {
    moniker
    operatorAddress
  }
}
    `, {"fragmentName":"Block"}) as unknown as TypedDocumentString<BlockFragment, unknown>;
export const ActionSummaryFragmentDoc = new TypedDocumentString(`
    fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
    fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"ActionSummary"}) as unknown as TypedDocumentString<ActionSummaryFragment, unknown>;
export const TransactionRowFragmentDoc = new TypedDocumentString(`
    fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
    fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"TransactionRow"}) as unknown as TypedDocumentString<TransactionRowFragment, unknown>;
export const UnavailableFragmentDoc = new TypedDocumentString(`
    fragment Unavailable on UnavailableChain {
  chain {
    chainId
    prettyName
  }
  code
  message
}
    `, {"fragmentName":"Unavailable"}) as unknown as TypedDocumentString<UnavailableFragment, unknown>;
export const AmountFragmentDoc = new TypedDocumentString(`
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
    `, {"fragmentName":"Amount"}) as unknown as TypedDocumentString<AmountFragment, unknown>;
export const HoldingsFragmentDoc = new TypedDocumentString(`
    fragment Holdings on Balance {
  ...Amount
  usdPrice
  exclusion
  asset {
    originChainId
    originDenom
  }
  chain {
    chainId
    prettyName
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}`, {"fragmentName":"Holdings"}) as unknown as TypedDocumentString<HoldingsFragment, unknown>;
export const NftCardFragmentDoc = new TypedDocumentString(`
    fragment NftCard on Nft {
  tokenId
  timestamp
  uri
  chain {
    chainId
    prettyName
  }
  collection {
    address
    name
  }
}
    `, {"fragmentName":"NftCard"}) as unknown as TypedDocumentString<NftCardFragment, unknown>;
export const ChainFactsFragmentDoc = new TypedDocumentString(`
    fragment ChainFacts on Chain {
  chainId
  counted: transactions(first: 1) {
    totalCount
    isTotalCountEstimate
  }
  feeAssets {
    denom
    asset {
      symbol
      usdPrice
    }
  }
}
    `, {"fragmentName":"ChainFacts"}) as unknown as TypedDocumentString<ChainFactsFragment, unknown>;
export const BothAddressesFragmentDoc = new TypedDocumentString(`
    fragment BothAddresses on ChainAccount {
  address
  hexAddress
  bech32Address
}
    `, {"fragmentName":"BothAddresses"}) as unknown as TypedDocumentString<BothAddressesFragment, unknown>;
export const CosmosPartsFragmentDoc = new TypedDocumentString(`
    fragment CosmosParts on Transaction {
  hash
  height
  timestamp
  isSuccessful
  code
  codespace
  rawLog
  memo
  gasUsed
  gasWanted
  timeoutHeight
  chain {
    chainId
    prettyName
  }
  fee {
    amount {
      ...Amount
    }
    payer {
      address
      hexAddress
    }
  }
  signers {
    account {
      ...BothAddresses
    }
    sequence
    publicKeyType
  }
  messages {
    typeUrl
    body
  }
  events {
    type
    attributes {
      key
      value
    }
  }
  actions {
    ...ActionSummary
    title
  }
  balanceChanges {
    ...Amount
    kind
    tokenId
    objectAddress
    isOwnerKnown
    account {
      address
      hexAddress
    }
    collection {
      address
      name
    }
    contract {
      address
    }
  }
  coinTransfers {
    sender {
      address
      hexAddress
    }
    recipient {
      address
      hexAddress
    }
    coins {
      ...Amount
    }
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment BothAddresses on ChainAccount {
  address
  hexAddress
  bech32Address
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"CosmosParts"}) as unknown as TypedDocumentString<CosmosPartsFragment, unknown>;
export const EvmPartsFragmentDoc = new TypedDocumentString(`
    fragment EvmParts on EvmTransaction {
  hash
  evmActions: actions {
    ...ActionSummary
  }
  height
  evmTimestamp: timestamp
  evmIsSuccessful: isSuccessful
  nonce
  type
  value
  evmFee: fee
  evmGasUsed: gasUsed
  effectiveGasPrice
  input
  chain {
    chainId
    prettyName
    evmFeeAsset {
      symbol
      decimals
    }
  }
  from {
    address
  }
  to {
    address
  }
  createdContract {
    address
  }
  tokenTransfers {
    ...Amount
    standard
    tokenId
    from {
      address
      hexAddress
    }
    to {
      address
      hexAddress
    }
    contract {
      address
    }
  }
  logs {
    index
    account {
      address
    }
    topics
    data
  }
  internalTransactions(first: 50) {
    totalCount
    nodes {
      index
      parentIndex
      kind
      value
      gasUsed
      from {
        address
      }
      to {
        address
      }
    }
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`, {"fragmentName":"EvmParts"}) as unknown as TypedDocumentString<EvmPartsFragment, unknown>;
export const AccountDocument = new TypedDocumentString(`
    query Account($address: Address!) {
  account(address: $address) {
    hexAddress
    chainAccounts {
      address
      chain {
        chainId
        prettyName
        vm
      }
    }
    balances {
      usdValue
      count
      pricedCount
      excluded {
        reason
        count
        usdValue
      }
      balances {
        ...Holdings
      }
      unavailableChains {
        ...Unavailable
      }
    }
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
fragment Unavailable on UnavailableChain {
  chain {
    chainId
    prettyName
  }
  code
  message
}
fragment Holdings on Balance {
  ...Amount
  usdPrice
  exclusion
  asset {
    originChainId
    originDenom
  }
  chain {
    chainId
    prettyName
  }
}`) as unknown as TypedDocumentString<AccountQuery, AccountQueryVariables>;
export const AccountElsewhereDocument = new TypedDocumentString(`
    query AccountElsewhere($address: Address!, $chainIds: [ChainId!]!) {
  account(address: $address) {
    elsewhere: balances(chainIds: $chainIds) {
      usdValue
      balances {
        ...Holdings
      }
      unavailableChains {
        ...Unavailable
      }
    }
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
fragment Unavailable on UnavailableChain {
  chain {
    chainId
    prettyName
  }
  code
  message
}
fragment Holdings on Balance {
  ...Amount
  usdPrice
  exclusion
  asset {
    originChainId
    originDenom
  }
  chain {
    chainId
    prettyName
  }
}`) as unknown as TypedDocumentString<AccountElsewhereQuery, AccountElsewhereQueryVariables>;
export const AccountNftsDocument = new TypedDocumentString(`
    query AccountNfts($address: Address!, $after: String) {
  account(address: $address) {
    nfts(first: 24, after: $after) {
      nodes {
        ...NftCard
      }
      pageInfo {
        ...Page
      }
      unavailableChains {
        ...Unavailable
      }
    }
  }
}
    fragment Unavailable on UnavailableChain {
  chain {
    chainId
    prettyName
  }
  code
  message
}
fragment NftCard on Nft {
  tokenId
  timestamp
  uri
  chain {
    chainId
    prettyName
  }
  collection {
    address
    name
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<AccountNftsQuery, AccountNftsQueryVariables>;
export const AccountTransfersDocument = new TypedDocumentString(`
    query AccountTransfers($address: Address!, $filter: AccountActivityFilter, $after: String) {
  account(address: $address) {
    hexAddress
    activity(first: 20, after: $after, filter: $filter) {
      edges {
        cursor
        node {
          hash
          timestamp
          chain {
            chainId
            prettyName
          }
          ... on Transaction {
            ...AssetTransfers
          }
        }
      }
      pageInfo {
        ...Page
      }
      unavailableChains {
        ...Unavailable
      }
    }
  }
}
    fragment AssetTransfers on Transaction {
  signers {
    account {
      address
      hexAddress
    }
  }
  fee {
    amount {
      amount
      denom
    }
    payer {
      hexAddress
    }
  }
  coinTransfers {
    sender {
      address
      hexAddress
    }
    recipient {
      address
      hexAddress
    }
    coins {
      ...AmountWithoutValue
    }
  }
  tokenTransfers {
    ...AmountWithoutValue
    standard
    tokenId
    from {
      address
      hexAddress
    }
    to {
      address
      hexAddress
    }
    contract {
      address
    }
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}
fragment Unavailable on UnavailableChain {
  chain {
    chainId
    prettyName
  }
  code
  message
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<AccountTransfersQuery, AccountTransfersQueryVariables>;
export const AccountEvmDocument = new TypedDocumentString(`
    query AccountEvm($chainId: ChainId!, $address: Address!, $filter: ChainAccountEvmTransactionFilter, $after: String) {
  chain(chainId: $chainId) {
    account(address: $address) {
      evmTransactions(first: 20, after: $after, filter: $filter) {
        nodes {
          ...EvmRow
        }
        pageInfo {
          ...Page
        }
      }
    }
  }
}
    fragment EvmRow on EvmTransaction {
  hash
  height
  timestamp
  isSuccessful
  from {
    address
  }
  to {
    address
  }
  tokenTransfers {
    ...AmountWithoutValue
    tokenId
    from {
      address
      hexAddress
    }
    to {
      address
      hexAddress
    }
    contract {
      address
    }
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<AccountEvmQuery, AccountEvmQueryVariables>;
export const AccountCallsDocument = new TypedDocumentString(`
    query AccountCalls($chainId: ChainId!, $address: Address!, $after: String) {
  chain(chainId: $chainId) {
    account(address: $address) {
      evmInternalTransactions(first: 20, after: $after) {
        nodes {
          ...Call
        }
        pageInfo {
          ...Page
        }
      }
    }
  }
}
    fragment Call on EvmInternalTransaction {
  transactionHash
  height
  index
  kind
  value
  gasUsed
  input
  chain {
    chainId
    evmFeeAsset {
      symbol
      decimals
    }
  }
  from {
    address
  }
  to {
    address
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<AccountCallsQuery, AccountCallsQueryVariables>;
export const ActivityDocument = new TypedDocumentString(`
    query Activity($address: Address!, $filter: AccountActivityFilter, $first: Int = 20, $after: String) {
  account(address: $address) {
    activity(first: $first, after: $after, filter: $filter) {
      liveCursor
      edges {
        cursor
        isProvisional
        chain {
          chainId
          prettyName
        }
        node {
          ...TransactionRow
          ...AccountBalanceChanges
        }
      }
      pageInfo {
        ...Page
      }
      unavailableChains {
        ...Unavailable
      }
    }
  }
}
    fragment AccountBalanceChanges on IndexedTransaction {
  ... on Transaction {
    changes: balanceChanges(address: $address) {
      ...AmountWithoutValue
      kind
      tokenId
      objectAddress
      collection {
        address
      }
      contract {
        address
      }
    }
    standards: tokenTransfers {
      standard
      contract {
        address
      }
    }
  }
}
fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}
fragment Unavailable on UnavailableChain {
  chain {
    chainId
    prettyName
  }
  code
  message
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<ActivityQuery, ActivityQueryVariables>;
export const LiveActivityDocument = new TypedDocumentString(`
    subscription LiveActivity($address: Address!, $chainIds: [ChainId!], $after: String) {
  activity(address: $address, chainIds: $chainIds, after: $after) {
    cursor
    chain {
      chainId
      prettyName
    }
    node {
      ...TransactionRow
      ...AccountBalanceChanges
    }
    notice {
      kind
      message
    }
  }
}
    fragment AccountBalanceChanges on IndexedTransaction {
  ... on Transaction {
    changes: balanceChanges(address: $address) {
      ...AmountWithoutValue
      kind
      tokenId
      objectAddress
      collection {
        address
      }
      contract {
        address
      }
    }
    standards: tokenTransfers {
      standard
      contract {
        address
      }
    }
  }
}
fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`) as unknown as TypedDocumentString<LiveActivitySubscription, LiveActivitySubscriptionVariables>;
export const AssetDocument = new TypedDocumentString(`
    query Asset($chainId: ChainId!, $denom: Denom!) {
  asset(chainId: $chainId, denom: $denom) {
    denom
    chainId
    name
    symbol
    originLabel
    decimals
    description
    usdPrice
    coingeckoId
    isCw20
    tokenContract
    trace
    originChainId
    originDenom
    chain {
      prettyName
      isIndexed
      vm
    }
  }
}
    `) as unknown as TypedDocumentString<AssetQuery, AssetQueryVariables>;
export const ContractDocument = new TypedDocumentString(`
    query Contract($chainId: ChainId!, $address: Address!, $denom: Denom!) {
  chain(chainId: $chainId) {
    chainId
    prettyName
    vm
    account(address: $address) {
      address
      hexAddress
      bech32Address
    }
    nftCollection(address: $address) {
      address
      name
      nftCount
    }
  }
  asset(chainId: $chainId, denom: $denom) {
    denom
    symbol
    name
    decimals
    isListed
  }
}
    `) as unknown as TypedDocumentString<ContractQuery, ContractQueryVariables>;
export const ContractOriginDocument = new TypedDocumentString(`
    query ContractOrigin($chainId: ChainId!, $address: Address!, $isEvm: Boolean!, $denom: Denom!, $isToken: Boolean!) {
  chain(chainId: $chainId) {
    account(address: $address) {
      evmTransactions(first: 1, order: ASC) @include(if: $isEvm) {
        nodes {
          hash
          timestamp
          from {
            address
          }
          createdContract {
            address
          }
        }
      }
      evmInternalTransactions(first: 1, order: ASC) @include(if: $isEvm) {
        nodes {
          kind
          from {
            address
          }
          to {
            address
          }
        }
      }
      transactions(first: 1, order: ASC) @skip(if: $isEvm) {
        nodes {
          hash
          timestamp
          signers {
            account {
              address
            }
          }
          events(types: ["instantiate"]) {
            attributes {
              key
              value
            }
          }
        }
      }
    }
    richList(denom: $denom, first: 1) @include(if: $isToken) {
      totalCount
    }
  }
}
    `) as unknown as TypedDocumentString<ContractOriginQuery, ContractOriginQueryVariables>;
export const TokenTransfersDocument = new TypedDocumentString(`
    query TokenTransfers($chainId: ChainId!, $address: Address!, $after: String) {
  chain(chainId: $chainId) {
    account(address: $address) {
      address
      evmTransactions(first: 20, after: $after) {
        nodes {
          hash
          timestamp
          tokenTransfers {
            ...AmountWithoutValue
            tokenId
            from {
              address
            }
            to {
              address
            }
            contract {
              address
            }
          }
        }
        pageInfo {
          ...Page
        }
      }
    }
  }
}
    fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<TokenTransfersQuery, TokenTransfersQueryVariables>;
export const ContractLogsDocument = new TypedDocumentString(`
    query ContractLogs($chainId: ChainId!, $address: Address!, $after: String) {
  chain(chainId: $chainId) {
    account(address: $address) {
      address
      evmTransactions(first: 20, after: $after) {
        nodes {
          hash
          height
          logs {
            index
            account {
              address
            }
            topics
            data
          }
        }
        pageInfo {
          ...Page
        }
      }
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<ContractLogsQuery, ContractLogsQueryVariables>;
export const ContractTransactionsDocument = new TypedDocumentString(`
    query ContractTransactions($chainId: ChainId!, $address: Address!, $after: String) {
  chain(chainId: $chainId) {
    account(address: $address) {
      address
      hexAddress
      bech32Address
      transactions(first: 20, after: $after) {
        nodes {
          ...TransactionRow
          events {
            type
            attributes {
              key
              value
            }
          }
        }
        pageInfo {
          ...Page
        }
      }
    }
  }
}
    fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<ContractTransactionsQuery, ContractTransactionsQueryVariables>;
export const HoldersDocument = new TypedDocumentString(`
    query Holders($chainId: ChainId!, $denom: Denom!, $after: String) {
  chain(chainId: $chainId) {
    richList(denom: $denom, first: 25, after: $after) {
      totalCount
      nodes {
        ...Amount
        rank
        sharePercent
        account {
          address
        }
      }
      pageInfo {
        ...Page
      }
    }
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<HoldersQuery, HoldersQueryVariables>;
export const AssetsDocument = new TypedDocumentString(`
    query Assets($chainId: ChainId, $search: String, $first: Int = 15, $after: String) {
  assets(chainId: $chainId, search: $search, first: $first, after: $after) {
    totalCount
    nodes {
      ...ListedAsset
    }
    pageInfo {
      ...Page
    }
  }
}
    fragment ListedAsset on Asset {
  chainId
  denom
  symbol
  name
  originLabel
  chain {
    prettyName
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<AssetsQuery, AssetsQueryVariables>;
export const AssetPricesDocument = new TypedDocumentString(`
    query AssetPrices($chainId: ChainId, $search: String, $first: Int = 15, $after: String) {
  assets(chainId: $chainId, search: $search, first: $first, after: $after) {
    nodes {
      chainId
      denom
      usdPrice
    }
  }
}
    `) as unknown as TypedDocumentString<AssetPricesQuery, AssetPricesQueryVariables>;
export const BlockDocument = new TypedDocumentString(`
    query Block($chainId: ChainId!, $height: UInt53!) {
  chain(chainId: $chainId) {
    chainId
    prettyName
    vm
    freshness {
      height
    }
    block(height: $height) {
      ...Block
      hash
      gasUsed
      gasWanted
      totalFee {
        ...Amount
      }
      transactions(first: 50) {
        totalCount
        nodes {
          ...TransactionRow
        }
      }
      evmTransactions(first: 50) {
        totalCount
        nodes {
          ...TransactionRow
          evmActions: actions {
            ...ActionSummary
          }
          transaction {
            hash
          }
        }
      }
    }
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
fragment Block on Block {
  height
  timestamp
  blockTimeSeconds
  transactionCount
  proposer {
    moniker
    operatorAddress
  }
}
fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`) as unknown as TypedDocumentString<BlockQuery, BlockQueryVariables>;
export const BridgeTransfersDocument = new TypedDocumentString(`
    query BridgeTransfers($hash: Hash!, $chainId: ChainId!) {
  transaction(hash: $hash, chainId: $chainId) {
    bridgeTransfers {
      ...BridgeStory
    }
  }
}
    fragment BridgeTransferParts on BridgeTransfer {
  bridge
  state
  reason
  durationSeconds
  timeoutAt
  isWithdrawal
  departure {
    ...BridgeEnd
    usdValue
  }
  arrival {
    ...BridgeEnd
    usdValue
  }
  refund {
    ...BridgeEnd
  }
}
fragment BridgeStep on BridgeTransfer {
  state
  arrival {
    endChain: chain {
      chainId
      prettyName
    }
    address
    hash
    timestamp
  }
}
fragment BridgeStory on BridgeTransfer {
  ...BridgeTransferParts
  isProven
  guidance {
    funds
    sentence
    nextStep
  }
  claim {
    claimableAt
    isClaimable
  }
  onward {
    ...BridgeStep
    onward {
      ...BridgeStep
    }
  }
  transfer {
    outcome
    guidance {
      contradiction
    }
  }
}
fragment BridgeEnd on BridgeTransferLeg {
  ...AmountWithoutValue
  endChain: chain {
    chainId
    prettyName
  }
  address
  hash
  timestamp
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`) as unknown as TypedDocumentString<BridgeTransfersQuery, BridgeTransfersQueryVariables>;
export const AccountBridgeTransfersDocument = new TypedDocumentString(`
    query AccountBridgeTransfers($address: Address!, $filter: BridgeTransferFilter, $after: String) {
  account(address: $address) {
    hexAddress
    bridgeTransfers(first: 20, after: $after, filter: $filter) {
      edges {
        cursor
        node {
          ...BridgeTransferParts
        }
      }
      pageInfo {
        ...Page
      }
      unavailableChains {
        ...Unavailable
      }
    }
  }
}
    fragment BridgeTransferParts on BridgeTransfer {
  bridge
  state
  reason
  durationSeconds
  timeoutAt
  isWithdrawal
  departure {
    ...BridgeEnd
    usdValue
  }
  arrival {
    ...BridgeEnd
    usdValue
  }
  refund {
    ...BridgeEnd
  }
}
fragment BridgeEnd on BridgeTransferLeg {
  ...AmountWithoutValue
  endChain: chain {
    chainId
    prettyName
  }
  address
  hash
  timestamp
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}
fragment Unavailable on UnavailableChain {
  chain {
    chainId
    prettyName
  }
  code
  message
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<AccountBridgeTransfersQuery, AccountBridgeTransfersQueryVariables>;
export const ChainDocument = new TypedDocumentString(`
    query Chain($chainId: ChainId!) {
  chain(chainId: $chainId) {
    chainId
    prettyName
    name
    vm
    kind
    isTestnet
    isRoutable
    isIndexed
    bech32Prefix
    averageBlockTimeSeconds
    status {
      version
      height
    }
    feeAssets {
      denom
      asset {
        symbol
        name
        decimals
      }
      gasPrice {
        low
        average
        high
      }
    }
    transactions(first: 20) {
      nodes {
        ...TransactionRow
      }
    }
    nftCollections(first: 12) {
      nodes {
        address
        name
        nftCount
        timestamp
      }
    }
  }
}
    fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`) as unknown as TypedDocumentString<ChainQuery, ChainQueryVariables>;
export const ChainFactsDocument = new TypedDocumentString(`
    query ChainFacts($chainId: ChainId!) {
  chain(chainId: $chainId) {
    ...ChainFacts
  }
}
    fragment ChainFacts on Chain {
  chainId
  counted: transactions(first: 1) {
    totalCount
    isTotalCountEstimate
  }
  feeAssets {
    denom
    asset {
      symbol
      usdPrice
    }
  }
}`) as unknown as TypedDocumentString<ChainFactsQuery, ChainFactsQueryVariables>;
export const BlocksDocument = new TypedDocumentString(`
    query Blocks($chainId: ChainId!, $after: String) {
  chain(chainId: $chainId) {
    blocks(first: 30, after: $after) {
      edges {
        cursor
        node {
          ...Block
        }
      }
      pageInfo {
        ...Page
      }
    }
  }
}
    fragment Block on Block {
  height
  timestamp
  blockTimeSeconds
  transactionCount
  proposer {
    moniker
    operatorAddress
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<BlocksQuery, BlocksQueryVariables>;
export const LiveBlocksDocument = new TypedDocumentString(`
    subscription LiveBlocks($chainId: ChainId!, $after: String) {
  blocks(chainId: $chainId, after: $after) {
    cursor
    node {
      ...Block
      transactions(first: 20, order: DESC) {
        nodes {
          ...TransactionRow
        }
      }
    }
    notice {
      kind
      message
    }
  }
}
    fragment Block on Block {
  height
  timestamp
  blockTimeSeconds
  transactionCount
  proposer {
    moniker
    operatorAddress
  }
}
fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`) as unknown as TypedDocumentString<LiveBlocksSubscription, LiveBlocksSubscriptionVariables>;
export const ProposersDocument = new TypedDocumentString(`
    query Proposers($chainId: ChainId!, $after: String) {
  chain(chainId: $chainId) {
    chainId
    prettyName
    blocks(first: 100, after: $after) {
      nodes {
        height
        timestamp
        proposer {
          moniker
          operatorAddress
        }
      }
      pageInfo {
        ...Page
      }
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<ProposersQuery, ProposersQueryVariables>;
export const UsageDocument = new TypedDocumentString(`
    query Usage($chainId: ChainId!, $after: String) {
  chain(chainId: $chainId) {
    chainId
    prettyName
    vm
    transactions(first: 100, after: $after) {
      nodes {
        height
        timestamp
        isSuccessful
        signers {
          account {
            hexAddress
          }
        }
      }
      pageInfo {
        ...Page
      }
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<UsageQuery, UsageQueryVariables>;
export const RecentCallsDocument = new TypedDocumentString(`
    query RecentCalls($chainId: ChainId!, $after: String) {
  chain(chainId: $chainId) {
    chainId
    prettyName
    vm
    transactions(first: 100, after: $after) {
      nodes {
        hash
        height
        timestamp
        actions {
          kind
          function
          contract {
            address
          }
        }
      }
      pageInfo {
        ...Page
      }
    }
    nftCollections(first: 50) {
      nodes {
        address
        name
      }
    }
  }
  assets(chainId: $chainId, first: 100) {
    nodes {
      denom
      symbol
      tokenContract
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<RecentCallsQuery, RecentCallsQueryVariables>;
export const CsvActivityDocument = new TypedDocumentString(`
    query CsvActivity($address: Address!, $filter: AccountActivityFilter, $after: String) {
  account(address: $address) {
    activity(first: 50, after: $after, filter: $filter) {
      edges {
        ...CsvEdge
        balanceChanges {
          kind
          amount
          denom
          formattedAmount
          usdValueAtTime
          tokenId
          objectAddress
          messageIndex
          asset {
            symbol
          }
          contract {
            address
          }
          collection {
            address
          }
        }
        node {
          actions {
            ...CsvAction
          }
          ... on Transaction {
            signers {
              account {
                address
              }
            }
          }
        }
      }
      ...CsvPage
    }
  }
}
    fragment CsvEdge on AccountActivityEdge {
  cursor
  chain {
    chainId
    prettyName
  }
  node {
    __typename
    hash
    height
    timestamp
    isSuccessful
  }
}
fragment CsvAction on TransactionAction {
  kind
  messageIndex
  summaryParts {
    ...Part
    amount {
      denom
    }
  }
  actor {
    ...CsvSpelling
  }
  counterparty {
    ...CsvSpelling
  }
  remoteAddress
  channel
  packetSequence
}
fragment CsvSpelling on ChainAccount {
  address
  hexAddress
}
fragment CsvPage on AccountActivityConnection {
  pageInfo {
    ...Page
  }
  unavailableChains {
    chain {
      chainId
      prettyName
    }
    code
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<CsvActivityQuery, CsvActivityQueryVariables>;
export const CsvTransfersDocument = new TypedDocumentString(`
    query CsvTransfers($address: Address!, $filter: AccountActivityFilter, $after: String) {
  account(address: $address) {
    chainAccounts {
      ...CsvSpelling
    }
    activity(first: 50, after: $after, filter: $filter) {
      edges {
        ...CsvEdge
        node {
          ... on Transaction {
            fee {
              amount {
                amount
                denom
              }
              payer {
                ...CsvSpelling
              }
            }
            signers {
              account {
                ...CsvSpelling
              }
            }
            coinTransfers {
              sender {
                ...CsvSpelling
              }
              recipient {
                ...CsvSpelling
              }
              coins {
                ...Amount
              }
            }
            tokenTransfers {
              ...Amount
              standard
              tokenId
              from {
                ...CsvSpelling
              }
              to {
                ...CsvSpelling
              }
              contract {
                address
              }
            }
          }
        }
      }
      ...CsvPage
    }
  }
}
    fragment CsvEdge on AccountActivityEdge {
  cursor
  chain {
    chainId
    prettyName
  }
  node {
    __typename
    hash
    height
    timestamp
    isSuccessful
  }
}
fragment CsvSpelling on ChainAccount {
  address
  hexAddress
}
fragment CsvPage on AccountActivityConnection {
  pageInfo {
    ...Page
  }
  unavailableChains {
    chain {
      chainId
      prettyName
    }
    code
  }
}
fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<CsvTransfersQuery, CsvTransfersQueryVariables>;
export const CsvBalancesDocument = new TypedDocumentString(`
    query CsvBalances($address: Address!) {
  account(address: $address) {
    balances {
      balances {
        ...Holdings
      }
      unavailableChains {
        chain {
          chainId
          prettyName
        }
        code
      }
    }
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
fragment Holdings on Balance {
  ...Amount
  usdPrice
  exclusion
  asset {
    originChainId
    originDenom
  }
  chain {
    chainId
    prettyName
  }
}`) as unknown as TypedDocumentString<CsvBalancesQuery, CsvBalancesQueryVariables>;
export const HomeDocument = new TypedDocumentString(`
    query Home {
  chains {
    chainId
    prettyName
    vm
    blocks(first: 30) {
      nodes {
        ...Block
      }
    }
    transactions(first: 6) {
      nodes {
        ...TransactionRow
      }
    }
  }
}
    fragment Block on Block {
  height
  timestamp
  blockTimeSeconds
  transactionCount
  proposer {
    moniker
    operatorAddress
  }
}
fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`) as unknown as TypedDocumentString<HomeQuery, HomeQueryVariables>;
export const HeadsDocument = new TypedDocumentString(`
    subscription Heads($chainIds: [ChainId!]) {
  chainHeads(chainIds: $chainIds) {
    chain {
      chainId
    }
    height
    isLate
    block {
      ...Block
      transactions(first: 6, order: DESC) {
        nodes {
          ...TransactionRow
        }
      }
    }
  }
}
    fragment Block on Block {
  height
  timestamp
  blockTimeSeconds
  transactionCount
  proposer {
    moniker
    operatorAddress
  }
}
fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}`) as unknown as TypedDocumentString<HeadsSubscription, HeadsSubscriptionVariables>;
export const HeadHeightsDocument = new TypedDocumentString(`
    subscription HeadHeights($chainIds: [ChainId!]) {
  chainHeads(chainIds: $chainIds) {
    chain {
      chainId
    }
    height
    isLate
  }
}
    `) as unknown as TypedDocumentString<HeadHeightsSubscription, HeadHeightsSubscriptionVariables>;
export const HomeFactsDocument = new TypedDocumentString(`
    query HomeFacts {
  chains {
    ...ChainFacts
    nftCollections(first: 50) {
      nodes {
        address
        name
      }
    }
  }
}
    fragment ChainFacts on Chain {
  chainId
  counted: transactions(first: 1) {
    totalCount
    isTotalCountEstimate
  }
  feeAssets {
    denom
    asset {
      symbol
      usdPrice
    }
  }
}`) as unknown as TypedDocumentString<HomeFactsQuery, HomeFactsQueryVariables>;
export const CollectionDocument = new TypedDocumentString(`
    query Collection($chainId: ChainId!, $address: Address!, $after: String) {
  nftCollection(chainId: $chainId, address: $address) {
    address
    name
    originName
    nftCount
    height
    timestamp
    chain {
      chainId
      prettyName
    }
    creator {
      address
    }
    nfts(first: 30, after: $after) {
      nodes {
        tokenId
        timestamp
        uri
        owner {
          address
        }
      }
      pageInfo {
        ...Page
      }
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<CollectionQuery, CollectionQueryVariables>;
export const CollectionNameDocument = new TypedDocumentString(`
    query CollectionName($chainId: ChainId!, $address: Address!) {
  nftCollection(chainId: $chainId, address: $address) {
    name
  }
}
    `) as unknown as TypedDocumentString<CollectionNameQuery, CollectionNameQueryVariables>;
export const NftDocument = new TypedDocumentString(`
    query Nft($chainId: ChainId!, $collection: Address!, $tokenId: String!) {
  nft(chainId: $chainId, collection: $collection, tokenId: $tokenId) {
    ...NftCard
    height
    objectAddress
    owner {
      address
    }
    transactions(first: 20) {
      nodes {
        ...TransactionRow
      }
    }
  }
}
    fragment TransactionRow on IndexedTransaction {
  __typename
  hash
  height
  timestamp
  isSuccessful
  chain {
    chainId
    prettyName
  }
  ... on Transaction {
    messages {
      typeUrl
    }
    actions {
      ...ActionSummary
    }
    signers {
      account {
        address
      }
    }
  }
  ... on EvmTransaction {
    from {
      address
    }
    to {
      address
    }
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}
fragment NftCard on Nft {
  tokenId
  timestamp
  uri
  chain {
    chainId
    prettyName
  }
  collection {
    address
    name
  }
}`) as unknown as TypedDocumentString<NftQuery, NftQueryVariables>;
export const NftMetadataDocument = new TypedDocumentString(`
    query NftMetadata($chainId: ChainId!, $collection: Address!, $tokenId: String!) {
  nft(chainId: $chainId, collection: $collection, tokenId: $tokenId) {
    metadata {
      name
      description
      imageUrl
      attributes {
        traitType
        value
      }
    }
  }
}
    `) as unknown as TypedDocumentString<NftMetadataQuery, NftMetadataQueryVariables>;
export const RoutableChainsDocument = new TypedDocumentString(`
    query RoutableChains {
  routableChains(first: 100) {
    nodes {
      chainId
      prettyName
      isIndexed
    }
  }
}
    `) as unknown as TypedDocumentString<RoutableChainsQuery, RoutableChainsQueryVariables>;
export const RoutableAssetsDocument = new TypedDocumentString(`
    query RoutableAssets($chainId: ChainId!) {
  assets(chainId: $chainId, first: 100) {
    nodes {
      denom
      symbol
      name
      decimals
      originLabel
    }
  }
}
    `) as unknown as TypedDocumentString<RoutableAssetsQuery, RoutableAssetsQueryVariables>;
export const QuoteDocument = new TypedDocumentString(`
    query Quote($input: RouteInput!) {
  route(input: $input) {
    amountIn
    formattedAmountIn
    amountOut
    formattedAmountOut
    usdAmountIn
    usdAmountOut
    estimatedDurationSeconds
    expiresAt
    transactionCount
    doesSwap
    swapPriceImpactPercent
    assetIn {
      chainId
      denom
      symbol
      decimals
    }
    assetOut {
      chainId
      denom
      symbol
      decimals
    }
    operations {
      index
      kind
      rawKind
      bridge
      amountIn
      formattedAmountIn
      amountOut
      formattedAmountOut
      fromChainId
      toChainId
      fromChain {
        chainId
        prettyName
      }
      toChain {
        chainId
        prettyName
      }
      assetIn {
        chainId
        denom
        symbol
        decimals
      }
      assetOut {
        chainId
        denom
        symbol
        decimals
      }
    }
    fees {
      ...Amount
      kind
      behavior
      chainId
    }
    warning {
      kind
      message
    }
    extraWarnings
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}`) as unknown as TypedDocumentString<QuoteQuery, QuoteQueryVariables>;
export const ChainRecordDocument = new TypedDocumentString(`
    query ChainRecord($chainId: ChainId!) {
  chain(chainId: $chainId) {
    __typename
  }
}
    `) as unknown as TypedDocumentString<ChainRecordQuery, ChainRecordQueryVariables>;
export const BlockRecordDocument = new TypedDocumentString(`
    query BlockRecord($chainId: ChainId!, $height: UInt53!) {
  chain(chainId: $chainId) {
    block(height: $height) {
      __typename
    }
  }
}
    `) as unknown as TypedDocumentString<BlockRecordQuery, BlockRecordQueryVariables>;
export const TransactionRecordDocument = new TypedDocumentString(`
    query TransactionRecord($chainId: ChainId, $hash: Hash!) {
  transaction(chainId: $chainId, hash: $hash) {
    __typename
  }
}
    `) as unknown as TypedDocumentString<TransactionRecordQuery, TransactionRecordQueryVariables>;
export const AccountRecordDocument = new TypedDocumentString(`
    query AccountRecord($address: Address!) {
  account(address: $address) {
    __typename
  }
}
    `) as unknown as TypedDocumentString<AccountRecordQuery, AccountRecordQueryVariables>;
export const ContractRecordDocument = new TypedDocumentString(`
    query ContractRecord($chainId: ChainId!, $address: Address!) {
  chain(chainId: $chainId) {
    account(address: $address) {
      __typename
    }
  }
}
    `) as unknown as TypedDocumentString<ContractRecordQuery, ContractRecordQueryVariables>;
export const AssetRecordDocument = new TypedDocumentString(`
    query AssetRecord($chainId: ChainId!, $denom: Denom!) {
  asset(chainId: $chainId, denom: $denom) {
    __typename
  }
}
    `) as unknown as TypedDocumentString<AssetRecordQuery, AssetRecordQueryVariables>;
export const HoldersRecordDocument = new TypedDocumentString(`
    query HoldersRecord($chainId: ChainId!, $denom: Denom!) {
  chain(chainId: $chainId) {
    richList(denom: $denom, first: 25) {
      nodes {
        __typename
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HoldersRecordQuery, HoldersRecordQueryVariables>;
export const CollectionRecordDocument = new TypedDocumentString(`
    query CollectionRecord($chainId: ChainId!, $address: Address!) {
  nftCollection(chainId: $chainId, address: $address) {
    __typename
  }
}
    `) as unknown as TypedDocumentString<CollectionRecordQuery, CollectionRecordQueryVariables>;
export const NftRecordDocument = new TypedDocumentString(`
    query NftRecord($chainId: ChainId!, $collection: Address!, $tokenId: String!) {
  nft(chainId: $chainId, collection: $collection, tokenId: $tokenId) {
    __typename
  }
}
    `) as unknown as TypedDocumentString<NftRecordQuery, NftRecordQueryVariables>;
export const SearchDocument = new TypedDocumentString(`
    query Search($text: String!) {
  search(text: $text, first: 30, follow: true) {
    results {
      match
      chain {
        chainId
        prettyName
      }
      node {
        __typename
        ... on Block {
          height
          timestamp
          transactionCount
        }
        ... on IndexedTransaction {
          hash
          height
          isSuccessful
        }
        ... on Account {
          hexAddress
          chainAccounts {
            address
          }
          balances {
            usdValue
            unavailableChains {
              code
            }
          }
        }
        ... on Asset {
          chainId
          denom
          symbol
          name
          originLabel
          usdPrice
        }
        ... on NftCollection {
          address
          collectionName: name
        }
        ... on Chain {
          chainId
          prettyName
          isIndexed
        }
        ... on FollowCandidate {
          chainId
          candidateHash: hash
          answer
          candidateOf: chain {
            chainId
            prettyName
          }
        }
      }
    }
    hasMore
    isRouterUnavailable
    unavailableChains {
      ...Unavailable
    }
  }
}
    fragment Unavailable on UnavailableChain {
  chain {
    chainId
    prettyName
  }
  code
  message
}`) as unknown as TypedDocumentString<SearchQuery, SearchQueryVariables>;
export const SuggestDocument = new TypedDocumentString(`
    query Suggest($text: String!, $hasAssets: Boolean!, $hasCollections: Boolean!) {
  search(text: $text, first: 15) @include(if: $hasCollections) {
    results {
      chain {
        chainId
        prettyName
      }
      node {
        __typename
        ... on NftCollection {
          address
          name
        }
      }
    }
  }
  assets(search: $text, first: 30) @include(if: $hasAssets) {
    nodes {
      chainId
      denom
      symbol
      name
      originLabel
      isListed
      chain {
        prettyName
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SuggestQuery, SuggestQueryVariables>;
export const NewestProposersDocument = new TypedDocumentString(`
    query NewestProposers {
  chains {
    chainId
    prettyName
    blocks(first: 100) {
      nodes {
        height
        proposer {
          moniker
          operatorAddress
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<NewestProposersQuery, NewestProposersQueryVariables>;
export const ServiceDocument = new TypedDocumentString(`
    query Service {
  service {
    isSandbox
    hasRouter
    version
  }
  chains {
    chainId
    prettyName
  }
}
    `) as unknown as TypedDocumentString<ServiceQuery, ServiceQueryVariables>;
export const StatusDocument = new TypedDocumentString(`
    query Status {
  service {
    isSandbox
    hasRouter
    version
    limits {
      maxPageSize
      maxCost
      maxAnswerBytes
      maxOpenPerClient
      timeoutMs
    }
  }
  chains {
    chainId
    prettyName
    vm
    averageBlockTimeSeconds
    freshness {
      height
      timestamp
      ageSeconds
    }
    status {
      version
      commit
      height
      internalTransactionHeight
      richListHeight
    }
  }
  bridges {
    name
  }
}
    `) as unknown as TypedDocumentString<StatusQuery, StatusQueryVariables>;
export const TransactionDocument = new TypedDocumentString(`
    query Transaction($hash: Hash!, $chainId: ChainId) {
  transaction(hash: $hash, chainId: $chainId) {
    __typename
    ... on Transaction {
      ...CosmosParts
      evmTransaction {
        ...EvmParts
      }
    }
    ... on EvmTransaction {
      ...EvmParts
      transaction {
        ...CosmosParts
      }
    }
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}
fragment ActionSummary on TransactionAction {
  summaryParts {
    ...Part
    amount {
      ...AmountWithoutValue
    }
    nft {
      tokenId
      collection {
        address
      }
    }
    chain {
      chainId
      prettyName
    }
  }
}
fragment Part on SummaryPart {
  text
  kind
  address
  account {
    address
  }
}
fragment BothAddresses on ChainAccount {
  address
  hexAddress
  bech32Address
}
fragment AmountWithoutValue on AssetAmount {
  amount
  denom
  formattedAmount
  asset {
    chainId
    symbol
    originLabel
    sharesSymbol
    isListed
  }
}
fragment CosmosParts on Transaction {
  hash
  height
  timestamp
  isSuccessful
  code
  codespace
  rawLog
  memo
  gasUsed
  gasWanted
  timeoutHeight
  chain {
    chainId
    prettyName
  }
  fee {
    amount {
      ...Amount
    }
    payer {
      address
      hexAddress
    }
  }
  signers {
    account {
      ...BothAddresses
    }
    sequence
    publicKeyType
  }
  messages {
    typeUrl
    body
  }
  events {
    type
    attributes {
      key
      value
    }
  }
  actions {
    ...ActionSummary
    title
  }
  balanceChanges {
    ...Amount
    kind
    tokenId
    objectAddress
    isOwnerKnown
    account {
      address
      hexAddress
    }
    collection {
      address
      name
    }
    contract {
      address
    }
  }
  coinTransfers {
    sender {
      address
      hexAddress
    }
    recipient {
      address
      hexAddress
    }
    coins {
      ...Amount
    }
  }
}
fragment EvmParts on EvmTransaction {
  hash
  evmActions: actions {
    ...ActionSummary
  }
  height
  evmTimestamp: timestamp
  evmIsSuccessful: isSuccessful
  nonce
  type
  value
  evmFee: fee
  evmGasUsed: gasUsed
  effectiveGasPrice
  input
  chain {
    chainId
    prettyName
    evmFeeAsset {
      symbol
      decimals
    }
  }
  from {
    address
  }
  to {
    address
  }
  createdContract {
    address
  }
  tokenTransfers {
    ...Amount
    standard
    tokenId
    from {
      address
      hexAddress
    }
    to {
      address
      hexAddress
    }
    contract {
      address
    }
  }
  logs {
    index
    account {
      address
    }
    topics
    data
  }
  internalTransactions(first: 50) {
    totalCount
    nodes {
      index
      parentIndex
      kind
      value
      gasUsed
      from {
        address
      }
      to {
        address
      }
    }
  }
}`) as unknown as TypedDocumentString<TransactionQuery, TransactionQueryVariables>;
export const AwaitTransactionDocument = new TypedDocumentString(`
    subscription AwaitTransaction($chainId: ChainId!, $hash: Hash!) {
  transaction(chainId: $chainId, hash: $hash) {
    node {
      hash
    }
  }
}
    `) as unknown as TypedDocumentString<AwaitTransactionSubscription, AwaitTransactionSubscriptionVariables>;
export const TransferDocument = new TypedDocumentString(`
    subscription Transfer($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) {
    state
    outcome
    isTerminal
    search {
      until
    }
    guidance {
      code
      contradiction
      sentence
      nextStep
      usualSeconds
      isLate
      url
      supportUrl
    }
    hash
    sender
    recipient
    received {
      ...Amount
      chainId
    }
    sent {
      usdValue
    }
    amountIn
    denomIn
    assetIn {
      chainId
      denom
      symbol
      decimals
    }
    transaction {
      hash
    }
    chain {
      prettyName
    }
    hops {
      index
      bridge
      beganAt
      endedAt
      state
      reportedState
      rawState
      isBlocking
      amountIn
      formattedAmountIn
      amountOut
      formattedAmountOut
      denomIn
      denomOut
      fromChainId
      toChainId
      fromChain {
        chainId
        prettyName
      }
      toChain {
        chainId
        prettyName
      }
      assetIn {
        chainId
        denom
        symbol
        decimals
      }
      assetOut {
        chainId
        denom
        symbol
        decimals
      }
      error {
        message
      }
      transactions {
        kind
        hash
        chainId
        explorerUrl
        timestamp
        transaction {
          height
          isSuccessful
        }
      }
    }
    assetRelease {
      ...Amount
      isReleased
      chainId
      chain {
        prettyName
      }
    }
    error {
      message
    }
  }
}
    fragment Amount on AssetAmount {
  amount
  denom
  formattedAmount
  usdValue
  asset {
    chainId
    symbol
    name
    originLabel
    sharesSymbol
  }
}`) as unknown as TypedDocumentString<TransferSubscription, TransferSubscriptionVariables>;