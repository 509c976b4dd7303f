// Written by `npm run config` from schema.graphql.

export const possibleTypes: Record<string, string[]> = {
  "AssetAmount": [
    "AssetRelease",
    "Balance",
    "BalanceChange",
    "BridgeTransferLeg",
    "Coin",
    "Erc20Approval",
    "OperationFee",
    "RouteFee",
    "TokenHolder",
    "TokenTransfer",
    "TransferAmount"
  ],
  "IndexedTransaction": [
    "EvmTransaction",
    "Transaction"
  ],
  "Node": [
    "Account",
    "Asset",
    "Block",
    "Chain",
    "ChainAccount",
    "EvmInternalTransaction",
    "EvmTransaction",
    "Nft",
    "NftCollection",
    "Transaction",
    "Transfer"
  ],
  "RouteOperationDetails": [
    "AxelarTransferDetails",
    "CctpTransferDetails",
    "CctpV2TransferDetails",
    "EurekaTransferDetails",
    "EvmSwapDetails",
    "GoFastTransferDetails",
    "HyperlaneTransferDetails",
    "IbcTransferDetails",
    "LayerZeroTransferDetails",
    "OpInitTransferDetails",
    "StargateTransferDetails",
    "SwapDetails",
    "UnknownOperationDetails"
  ],
  "SearchNode": [
    "Account",
    "Asset",
    "Block",
    "Chain",
    "EvmTransaction",
    "FollowCandidate",
    "NftCollection",
    "Transaction"
  ],
  "TransactionRequest": [
    "CosmosTransactionRequest",
    "EvmTransactionRequest",
    "SvmTransactionRequest",
    "UnknownTransactionRequest"
  ],
  "TransferHopDetails": [
    "AxelarHopDetails",
    "UnknownHopDetails"
  ]
}

export const scalars = {
  "Address": "string",
  "BigInt": "string",
  "ChainId": "string",
  "DateTime": "string",
  "Decimal": "string",
  "Denom": "string",
  "Hash": "string",
  "Hex": "string",
  "JSON": "unknown",
  "UInt53": "number",
  "URL": "string"
} as const

export const records: readonly string[] = [
  "Account",
  "Asset",
  "Block",
  "Chain",
  "ChainAccount",
  "EvmInternalTransaction",
  "EvmTransaction",
  "Nft",
  "NftCollection",
  "Transaction",
  "Transfer"
]

export const values: readonly string[] = [
  "AccountActivityConnection",
  "AccountActivityEdge",
  "AccountBalances",
  "AccountBridgeTransferConnection",
  "AccountBridgeTransferEdge",
  "AccountNftConnection",
  "AccountNftEdge",
  "ActionNft",
  "ActivityEvent",
  "AssetConnection",
  "AssetEdge",
  "AssetPair",
  "AssetRecommendation",
  "AssetRelease",
  "AxelarHopDetails",
  "AxelarTransferDetails",
  "Balance",
  "BalanceChange",
  "BalancesEvent",
  "BlockConnection",
  "BlockEdge",
  "BridgeInfo",
  "BridgeTransfer",
  "BridgeTransferEvent",
  "BridgeTransferLeg",
  "CctpTransferDetails",
  "CctpV2TransferDetails",
  "ChainConnection",
  "ChainEdge",
  "ChainExplorer",
  "ChainFreshness",
  "ChainHead",
  "ChainHeight",
  "ChainMessage",
  "ChainStatus",
  "Coin",
  "CoinTransfer",
  "CosmosTransactionRequest",
  "Erc20Approval",
  "EurekaTransferDetails",
  "EventAttribute",
  "EvmFeeAsset",
  "EvmInternalTransactionConnection",
  "EvmInternalTransactionEdge",
  "EvmLog",
  "EvmSwapDetails",
  "EvmTransactionConnection",
  "EvmTransactionEdge",
  "EvmTransactionRequest",
  "ExcludedBalances",
  "FeeAsset",
  "FollowCandidate",
  "GasPrice",
  "GoFastTransferDetails",
  "HopTransaction",
  "HyperlaneTransferDetails",
  "IbcTransferDetails",
  "LayerZeroTransferDetails",
  "LiveBlockEvent",
  "LiveNotice",
  "LiveTransaction",
  "MultisigKey",
  "NftAttribute",
  "NftCollectionConnection",
  "NftCollectionEdge",
  "NftConnection",
  "NftEdge",
  "NftMetadata",
  "NftTransferMessage",
  "OpHook",
  "OpInitTransferDetails",
  "OperationFee",
  "PageInfo",
  "Proposer",
  "PublicKey",
  "RequiredAddress",
  "Route",
  "RouteFee",
  "RouteOperation",
  "RouteWarning",
  "SearchResult",
  "SearchResults",
  "Service",
  "ServiceLimits",
  "StargateTransferDetails",
  "SummaryPart",
  "SvmTransactionRequest",
  "SwapDetails",
  "SwapPath",
  "SwapStep",
  "SwapVenue",
  "TokenHolder",
  "TokenHolderConnection",
  "TokenHolderEdge",
  "TokenTransfer",
  "TrackTransferPayload",
  "TransactionAction",
  "TransactionConnection",
  "TransactionEdge",
  "TransactionEvent",
  "TransactionFee",
  "TransactionMessage",
  "TransactionSigner",
  "TransactionTip",
  "TransferAmount",
  "TransferGuidance",
  "TransferHop",
  "TransferLeg",
  "TransferMessages",
  "TransferProblem",
  "TransferSearch",
  "UnavailableChain",
  "UnknownHopDetails",
  "UnknownOperationDetails",
  "UnknownTransactionRequest",
  "WithdrawalClaim"
]

export const lists: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "Account": {
    "activity": [
      "filter",
      "order",
      "whileUnavailable"
    ],
    "bridgeTransfers": [
      "filter",
      "order",
      "whileUnavailable"
    ],
    "nfts": [
      "filter"
    ]
  },
  "Asset": {
    "destinations": [
      "allowMultiTransaction",
      "chainId",
      "filter",
      "includeSwaps",
      "search"
    ]
  },
  "Block": {
    "evmInternalTransactions": [
      "order"
    ],
    "evmTransactions": [
      "order"
    ],
    "transactions": [
      "filter",
      "order"
    ]
  },
  "Chain": {
    "blocks": [
      "filter",
      "order"
    ],
    "evmInternalTransactions": [
      "filter",
      "order"
    ],
    "evmTransactions": [
      "filter",
      "order"
    ],
    "nftCollections": [
      "filter",
      "order"
    ],
    "richList": [
      "denom",
      "order"
    ],
    "transactions": [
      "filter",
      "order"
    ]
  },
  "ChainAccount": {
    "evmInternalTransactions": [
      "filter",
      "order"
    ],
    "evmTransactions": [
      "filter",
      "order"
    ],
    "nftCollections": [
      "order"
    ],
    "nfts": [
      "filter",
      "order",
      "orderBy"
    ],
    "transactions": [
      "filter",
      "order"
    ]
  },
  "EvmTransaction": {
    "internalTransactions": [
      "order"
    ]
  },
  "Nft": {
    "transactions": [
      "order"
    ]
  },
  "NftCollection": {
    "nfts": [
      "filter",
      "order",
      "orderBy"
    ]
  },
  "Query": {
    "assets": [
      "chainId",
      "filter",
      "pairs",
      "search"
    ],
    "routableChains": [
      "filter",
      "search"
    ]
  }
}

export const replaced: Readonly<Record<string, readonly string[]>> = {
  "Account": [
    "chainAccounts",
    "routableChainAccounts"
  ],
  "AccountActivityConnection": [
    "edges",
    "indexedHeights",
    "nodes",
    "unavailableChains"
  ],
  "AccountActivityEdge": [
    "balanceChanges",
    "chain",
    "node"
  ],
  "AccountBalances": [
    "balances",
    "excluded",
    "unavailableChains"
  ],
  "AccountBridgeTransferConnection": [
    "edges",
    "indexedHeights",
    "nodes",
    "unavailableChains"
  ],
  "AccountBridgeTransferEdge": [
    "chain"
  ],
  "AccountNftConnection": [
    "edges",
    "indexedHeights",
    "nodes",
    "unavailableChains"
  ],
  "AccountNftEdge": [
    "chain",
    "node"
  ],
  "ActionNft": [
    "collection"
  ],
  "ActivityEvent": [
    "balanceChanges",
    "chain",
    "node"
  ],
  "Asset": [
    "chain",
    "origin",
    "recommendedDestinations"
  ],
  "AssetConnection": [
    "edges",
    "nodes"
  ],
  "AssetEdge": [
    "node"
  ],
  "AssetPair": [
    "assetIn",
    "assetOut"
  ],
  "AssetRecommendation": [
    "asset"
  ],
  "AssetRelease": [
    "asset",
    "chain"
  ],
  "Balance": [
    "asset",
    "chain"
  ],
  "BalanceChange": [
    "account",
    "asset",
    "collection",
    "contract"
  ],
  "BalancesEvent": [
    "changed"
  ],
  "Block": [
    "chain",
    "next",
    "previous",
    "totalFee"
  ],
  "BlockConnection": [
    "edges",
    "nodes"
  ],
  "BlockEdge": [
    "node"
  ],
  "BridgeTransfer": [
    "transfer"
  ],
  "BridgeTransferEvent": [
    "bridgeTransfers",
    "chain",
    "node"
  ],
  "BridgeTransferLeg": [
    "account",
    "asset",
    "chain",
    "transaction"
  ],
  "Chain": [
    "account",
    "block",
    "blockByHash",
    "evmTransaction",
    "explorers",
    "feeAssets",
    "latestBlock",
    "nft",
    "nftCollection",
    "transaction"
  ],
  "ChainAccount": [
    "balances",
    "chain"
  ],
  "ChainConnection": [
    "edges",
    "nodes"
  ],
  "ChainEdge": [
    "node"
  ],
  "ChainHead": [
    "block",
    "chain"
  ],
  "Coin": [
    "asset"
  ],
  "CoinTransfer": [
    "coins",
    "recipient",
    "sender"
  ],
  "CosmosTransactionRequest": [
    "chain",
    "messages"
  ],
  "Erc20Approval": [
    "asset"
  ],
  "EvmInternalTransaction": [
    "block",
    "chain",
    "from",
    "to",
    "transaction"
  ],
  "EvmInternalTransactionConnection": [
    "edges",
    "nodes"
  ],
  "EvmInternalTransactionEdge": [
    "node"
  ],
  "EvmLog": [
    "account"
  ],
  "EvmSwapDetails": [
    "venues"
  ],
  "EvmTransaction": [
    "actions",
    "block",
    "bridgeTransfers",
    "chain",
    "createdContract",
    "from",
    "logs",
    "to",
    "tokenTransfers",
    "transaction"
  ],
  "EvmTransactionConnection": [
    "edges",
    "nodes"
  ],
  "EvmTransactionEdge": [
    "node"
  ],
  "EvmTransactionRequest": [
    "approvals",
    "chain"
  ],
  "FeeAsset": [
    "asset"
  ],
  "FollowCandidate": [
    "chain",
    "transfer"
  ],
  "HopTransaction": [
    "chain",
    "transaction"
  ],
  "LiveBlockEvent": [
    "node"
  ],
  "LiveTransaction": [
    "chain",
    "node"
  ],
  "MultisigKey": [
    "keys"
  ],
  "Mutation": [
    "trackTransfer"
  ],
  "Nft": [
    "chain",
    "collection",
    "owner"
  ],
  "NftCollection": [
    "chain",
    "creator"
  ],
  "NftCollectionConnection": [
    "edges",
    "nodes"
  ],
  "NftCollectionEdge": [
    "node"
  ],
  "NftConnection": [
    "edges",
    "nodes"
  ],
  "NftEdge": [
    "node"
  ],
  "NftMetadata": [
    "attributes"
  ],
  "OpHook": [
    "chain",
    "messages"
  ],
  "OperationFee": [
    "asset"
  ],
  "Query": [
    "account",
    "asset",
    "assetsBetweenChains",
    "block",
    "bridges",
    "chain",
    "chains",
    "nft",
    "nftCollection",
    "nftTransferMessages",
    "node",
    "nodes",
    "opHook",
    "route",
    "search",
    "swapVenues",
    "transaction",
    "transfer",
    "transferMessages"
  ],
  "RequiredAddress": [
    "chain"
  ],
  "Route": [
    "assetIn",
    "assetOut",
    "chains",
    "fees",
    "operations",
    "requiredAddresses",
    "swapVenues"
  ],
  "RouteFee": [
    "asset",
    "chain"
  ],
  "RouteOperation": [
    "assetIn",
    "assetOut",
    "fees",
    "fromChain",
    "toChain"
  ],
  "SearchResult": [
    "chain",
    "node"
  ],
  "SearchResults": [
    "results",
    "unavailableChains"
  ],
  "Subscription": [
    "activity",
    "balances",
    "blocks",
    "bridgeTransfers",
    "chainHeads",
    "route",
    "transaction",
    "transfer",
    "transfers"
  ],
  "SummaryPart": [
    "account",
    "chain"
  ],
  "SvmTransactionRequest": [
    "chain"
  ],
  "SwapDetails": [
    "paths",
    "venues"
  ],
  "SwapPath": [
    "steps"
  ],
  "TokenHolder": [
    "account",
    "asset"
  ],
  "TokenHolderConnection": [
    "edges",
    "nodes"
  ],
  "TokenTransfer": [
    "asset",
    "contract",
    "from",
    "to"
  ],
  "TrackTransferPayload": [
    "transfer"
  ],
  "Transaction": [
    "actions",
    "balanceChanges",
    "block",
    "bridgeTransfers",
    "chain",
    "coinTransfers",
    "events",
    "evmTransaction",
    "messages",
    "signers",
    "tokenTransfers",
    "transfer"
  ],
  "TransactionAction": [
    "actor",
    "amounts",
    "contract",
    "counterparty",
    "executor",
    "nfts",
    "otherChain",
    "receivedAmounts",
    "summaryParts"
  ],
  "TransactionConnection": [
    "edges",
    "nodes"
  ],
  "TransactionEdge": [
    "node"
  ],
  "TransactionEvent": [
    "attributes"
  ],
  "TransactionFee": [
    "amount",
    "granter",
    "payer"
  ],
  "TransactionSigner": [
    "account"
  ],
  "TransactionTip": [
    "amount",
    "tipper"
  ],
  "Transfer": [
    "assetIn",
    "chain",
    "hops",
    "legs",
    "transaction"
  ],
  "TransferAmount": [
    "asset",
    "chain"
  ],
  "TransferGuidance": [
    "returnsTo"
  ],
  "TransferHop": [
    "assetIn",
    "assetOut",
    "fromChain",
    "toChain",
    "transactions"
  ],
  "TransferLeg": [
    "hops"
  ],
  "TransferMessages": [
    "fees",
    "transactions"
  ],
  "UnavailableChain": [
    "chain"
  ],
  "UnknownTransactionRequest": [
    "chain"
  ]
}
