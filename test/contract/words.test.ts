import type { Request } from './gateway.ts'
import { testGolden } from './golden.ts'

// What transactions did, in words, and what they changed: forty of each virtual machine.

const document = `query ($chainId: ChainId!) { chain(chainId: $chainId) { transactions(first: 40) { nodes {
  hash isSuccessful
  actions { kind title summary }
  balanceChanges { kind account { address } denom amount }
  coinTransfers { sender { address } recipient { address } coins { denom amount } }
} } } }`

testGolden('words', {
  requestsOf: async () =>
    new Map<string, Request>(
      ['harbor-1', 'galley-1', 'lantern-1'].map((chainId) => [chainId, { query: document, variables: { chainId } }]),
    ),
})
