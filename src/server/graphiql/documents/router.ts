// What GraphiQL opens with for the router. Each works on any network, given variables of it.

/** A route between two assets. */
export const quote = `# Quote: the best way to bring an asset to another chain.
# Null when there is none. The token stands for the route:
# TransferMessages takes it as it is.
query Quote($input: RouteInput!) {
  route(input: $input) {
    amountIn
    amountOut
    usdAmountOut
    estimatedDuration # seconds
    transactionCount
    requiresOpHook # then ask opHook, and have its messages signed
    requiredAddresses {
      chainId
    }
    operations {
      __typename
      fromChainId
      toChainId
      denomIn
      denomOut
      assetOut {
        symbol
        decimals
      }
    }
    fees {
      type
      amount
      asset {
        symbol
      }
    }
    warning {
      message
    }
    token
  }
}
`

/** What the receiver of a route signs beforehand. */
export const opHook = `# Op hook: what the receiver signs beforehand where
# \`requiresOpHook\` says so. The signature goes into
# TransferMessages as \`signedOpHook\`; this graph never
# signs.
query OpHook($input: OpHookInput!) {
  opHook(input: $input) {
    chainId
    messages {
      typeUrl
      body
    }
  }
}
`

/** The transactions to sign for a route. */
export const transferMessages = `# Messages: the transactions to sign for a route, one
# address for each of its requiredAddresses. The wallet
# signs and broadcasts them; then have the transfer tracked.
query TransferMessages($input: TransferMessagesInput!) {
  transferMessages(input: $input) {
    minAmountOut
    transactions {
      __typename
      chainId
      signer
      ... on CosmosTransactionRequest {
        messages {
          typeUrl
          body
        }
      }
      ... on EvmTransactionRequest {
        to
        value
        data
        approvals {
          tokenContract
          spender
          amount
        }
      }
    }
  }
}
`

/** Has the router track a transaction. */
export const trackTransfer = `# Track: once a transaction is broadcast, the router has to
# be told of it. Repeating it is harmless.
mutation TrackTransfer($input: TrackTransferInput!) {
  trackTransfer(input: $input) {
    explorerLink
    transfer {
      id
      state
    }
  }
}
`

/** A transfer until it ends. */
export const watchTransfer = `# Watch: the transfer as it is now, then each change, until
# it has ended. All who watch one transfer share one poll of
# the router.
subscription WatchTransfer($chainId: String!, $txHash: String!) {
  transfer(chainId: $chainId, txHash: $txHash) {
    state
    isTerminal
    outcome
    hops {
      bridge
      fromChainId
      toChainId
      state
      transactions {
        kind
        chainId
        hash
        record { # the same transaction in that chain's indexer, once it is there
          __typename
          ... on Transaction {
            height
            isSuccessful
          }
        }
      }
    }
    assetRelease {
      chainId
      denom
      isReleased
    }
    error {
      message
    }
  }
}
`
