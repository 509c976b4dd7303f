import { gql } from '@apollo/client/core'

export const heads = gql`
  query Heads($first: Int!) {
    chain {
      chainId
      blocks(first: $first) {
        nodes {
          height
        }
      }
    }
  }
`
