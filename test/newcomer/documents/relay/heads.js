import { graphql } from 'react-relay'

export const query = graphql`
  query headsQuery($first: Int!) {
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
