// What each contestant is asked. All answer the same documents; only the cursors are each one's own.
const blockFields = 'height hash timestamp transactionCount gasUsed proposer { moniker }'
const txFields = 'hash isSuccessful gasUsed messages { typeUrl }'

/** An address that the stand-in gives every transaction. */
export const account = 'init142424242424242424242424242424fzhwnc68s'

/** How many places of each list the requests begin at. */
export const places = 19_000

/** The place of the i-th request: all places, each once, before the first comes again. */
const placeOf = (i) => (i * 7_919) % places
const transfer = (i, last) => `${i.toString(16).padStart(63, '0').toUpperCase()}${last}`

/** `variables(i, cursors)` are those of the i-th request: another page or record for each i. */
export const scenarios = {
  greet: { query: '{ __typename }', variables: () => ({}) },
  flat: {
    query: `query ($after: String) { chain { blocks(first: 20, after: $after) { nodes { ${blockFields} } pageInfo { hasNextPage } } } }`,
    variables: (i, cursors) => ({ after: cursors.block(placeOf(i)) }),
  },
  nested: {
    query: `query ($after: String) { chain { blocks(first: 20, after: $after) { nodes { ${blockFields} transactions(first: 50) { nodes { ${txFields} } } } } } }`,
    variables: (i, cursors) => ({ after: cursors.block(placeOf(i)) }),
  },
  status: {
    query: 'query ($hash: String!) { transfer(chainId: "bench-1", txHash: $hash) { state } }',
    variables: (i) => ({ hash: transfer(i, '0') }),
  },
  'status ended': {
    query: 'query ($hash: String!) { transfer(chainId: "bench-1", txHash: $hash) { state } }',
    variables: (i) => ({ hash: transfer(i, '1') }),
  },
  account: {
    query: `query ($after: String) { chain { account(address: "${account}") { transactions(first: 20, after: $after) { nodes { ${txFields} } } } } }`,
    variables: (i, cursors) => ({ after: cursors.tx(placeOf(i)) }),
  },
}
