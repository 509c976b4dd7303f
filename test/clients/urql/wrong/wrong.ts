import { graphql } from '../src/graphql.js'

// The check of gql.tada has to refuse this document.
export const wrong = graphql(`
  query Wrong {
    chains {
      heigth
    }
  }
`)
