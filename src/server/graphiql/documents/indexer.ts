// The documents of the indexers that GraphiQL opens with. Each works on any network, with variables for
// that network.

/** The state of every chain. */
export const explorerHome = `# Explorer home: the state of every chain in one query.
# Fields of a chain whose indexer is down are null, and the
# error is listed beside the data.
query ExplorerHome {
  chains {
    chainId
    prettyName
    vm
    averageBlockTimeSeconds
    status {
      height
      richListHeight
    }
    blocks(first: 5) {
      nodes {
        height
        timestamp
        transactionCount
        proposer {
          moniker
        }
      }
    }
    transactions(first: 5) {
      nodes {
        hash
        timestamp
        isSuccessful
        messages {
          typeUrl
        }
      }
    }
  }
}
`

/** The blocks of a chain as they come. */
export const liveBlocks = `# Live: each block of a chain when it is indexed, once and in
# order. Pass a cursor as after to get the blocks since then
# first. All subscribers of a chain share one poll.
subscription LiveBlocks($chainId: ChainId!, $after: String) {
  blocks(chainId: $chainId, after: $after) {
    cursor
    node {
      height
      timestamp
      transactionCount
      transactions(first: 3) {
        nodes {
          hash
          isSuccessful
          messages {
            typeUrl
          }
        }
      }
    }
    notice { # says why no block comes, if none does
      kind
      message
    }
  }
}
`

/** A block and its contents. */
export const blockPage = `# Block page: a block, its neighbors and its contents. EVM
# fields are null on a chain without an EVM, so this query
# works on every chain.
query BlockPage($chainId: ChainId, $height: UInt53!) {
  chain(chainId: $chainId) {
    prettyName
    block(height: $height) {
      id # can be passed to node(id:) at any time
      height
      hash
      timestamp
      gasUsed
      gasWanted
      totalFee {
        denom
        amount
      }
      previous {
        height
      }
      next {
        height
      }
      transactions {
        totalCount
        nodes {
          hash
          code
          messages {
            typeUrl
          }
        }
      }
      evmTransactions {
        nodes {
          hash
          isSuccessful
          gasUsed
        }
      }
    }
  }
}
`

/** A transaction and its EVM execution. */
export const transactionPage = `# Transaction page: messages, events, signers and fee, and
# the EVM execution.
query TransactionPage($chainId: ChainId, $hash: Hash!) {
  chain(chainId: $chainId) {
    transaction(hash: $hash) {
      hash
      height
      timestamp
      code
      isSuccessful
      rawLog
      memo
      gasUsed
      gasWanted
      fee {
        amount {
          denom
          amount
        }
      }
      signers {
        account {
          address
        }
        sequence
      }
      messages {
        typeUrl
        body
      }
      events(types: ["transfer", "coin_spent", "coin_received"]) {
        type
        attributes {
          key
          value
        }
      }
      evmTransaction {
        hash
        isSuccessful
        fee # wei
        logs {
          account {
            address
          }
          topics
          data
        }
        internalTransactions(first: 10) {
          nodes {
            index
            parentIndex
            kind
            to {
              address
            }
            value
          }
        }
      }
    }
  }
}
`

/** The history and the holdings of an address. */
export const accountPage = `# Account page: the history and the holdings of an address.
# Pass pageInfo.endCursor as \`after\` to get the next page.
query AccountPage($chainId: ChainId, $address: Address!, $after: String) {
  chain(chainId: $chainId) {
    account(address: $address) {
      bech32Address
      hexAddress
      transactions(first: 5, after: $after) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          hash
          timestamp
          isSuccessful
          messages {
            typeUrl
          }
        }
      }
      evmTransactions(first: 5) {
        nodes {
          hash
          to {
            address
          }
        }
      }
      nfts(first: 5) {
        totalCount
        nodes {
          tokenId
          collection {
            name
          }
        }
      }
    }
  }
}
`

/** An NFT, its collection and its history. */
export const nftPage = `# NFT page: a token, its collection and its history.
query NftPage($chainId: ChainId, $collection: Address!, $tokenId: String!) {
  chain(chainId: $chainId) {
    nft(collection: $collection, tokenId: $tokenId) {
      tokenId
      uri
      owner {
        address
      }
      collection {
        address
        name
        nftCount
        creator {
          address
        }
      }
      transactions(first: 5) {
        totalCount
        nodes {
          hash
          timestamp
        }
      }
    }
  }
}
`

/** The largest holders of a denom. */
export const richList = `# Rich list: the largest holders of a denom. On EVM chains,
# the lookup is fastest with the address of the ERC-20
# contract.
query RichList($chainId: ChainId, $denom: Denom!) {
  chain(chainId: $chainId) {
    richList(denom: $denom, first: 10) {
      totalCount
      nodes {
        amount
        account {
          address
          bech32Address
        }
      }
    }
  }
}
`
