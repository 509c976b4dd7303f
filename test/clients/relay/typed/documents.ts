// @ts-nocheck: only the Relay compiler reads this file.
import { graphql } from 'relay-runtime'

graphql`
  query documentsTypesQuery {
    chain {
      block(height: 7) {
        height
        timestamp
        totalFee {
          amount
        }
      }
    }
  }
`
