import relay from 'relay-runtime'

// Only the Relay compiler reads this file. It checks each document against schema.graphql and writes
// the modules that the test imports to __generated__.
const { graphql } = relay

graphql`
  query documentsChainQuery($count: Int!) {
    chain {
      chainId
      ...documentsBlocks_chain @arguments(count: $count)
    }
  }
`

graphql`
  fragment documentsBlocks_chain on Chain
  @argumentDefinitions(count: { type: "Int!" }, cursor: { type: "String" })
  @refetchable(queryName: "documentsBlocksPaginationQuery") {
    blocks(first: $count, after: $cursor) @connection(key: "documentsBlocks_blocks") {
      edges {
        node {
          height
          ...documentsBlock_block
        }
      }
    }
  }
`

graphql`
  fragment documentsBlock_block on Block @refetchable(queryName: "documentsBlockRefetchQuery") {
    hash
    timestamp
    transactions(first: 3) {
      edges {
        node {
          hash
          isSuccessful
        }
      }
    }
  }
`

graphql`
  query documentsNodeQuery($id: ID!) {
    node(id: $id) {
      __typename
      ... on Block {
        height
        hash
      }
    }
  }
`
