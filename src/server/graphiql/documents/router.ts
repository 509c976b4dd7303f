// The documents of the router that GraphiQL opens with. Each works on any network, with variables for
// that network.

/** A route between two assets. */
export const quote = `# Quote: the best route of an asset to another chain. Null
# if there is no route. Pass \`routeToken\` to
# TransferMessages unchanged.
query Quote($input: RouteInput!) {
  route(input: $input) {
    amountIn
    amountOut
    usdAmountOut
    estimatedDurationSeconds
    transactionCount
    requiresOpHook # if true, query opHook and sign its messages
    requiredAddresses {
      chainId
    }
    operations {
      kind
      bridge
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
      kind
      amount
      asset {
        symbol
      }
    }
    warning {
      message
    }
    routeToken
  }
}
`

/** The messages that the recipient of a route signs in advance. */
export const opHook = `# Op hook: the messages that the recipient signs in advance
# for a route with \`requiresOpHook\`. Pass the signed
# transaction to TransferMessages as \`signedOpHook\`. The
# gateway never signs.
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
export const transferMessages = `# Messages: the transactions to sign for a route. Pass one
# address for each of its requiredAddresses. The wallet
# signs and broadcasts them. Then track the transfer.
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

/** Asks the router to track a transaction. */
export const trackTransfer = `# Track: register a broadcast transaction with the router.
# Repeating this is safe.
mutation TrackTransfer($input: TrackTransferInput!) {
  trackTransfer(input: $input) {
    explorerUrl
    transfer {
      id
      state
    }
  }
}
`

/** A transfer and its changes until it ends. */
export const watchTransfer = `# Watch: the current state of the transfer, then each change
# until it ends. All subscribers of one transfer share one
# poll of the router.
subscription WatchTransfer($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) {
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
        transaction { # the same transaction, once the chain's indexer has it
          height
          isSuccessful
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
