// What each contestant is asked. All answer the same documents; only the cursors are each one's own.
export const blockFields = 'height hash timestamp transactionCount gasUsed proposer { moniker }'
export const txFields = 'hash isSuccessful gasUsed messages { typeUrl }'

/** An address that the stand-in gives every transaction. */
export const account = 'init142424242424242424242424242424fzhwnc68s'

/** Records of a page. */
export const pageSize = 20

/** How many pages of each list the requests begin at. No two share a record. */
export const places = { block: 40_000, tx: 16_000 }

/** The hash of a transfer, whose last digit is its state: 0 is pending, 1 has ended. */
export const transfer = (i, last) => `${i.toString(16).padStart(63, '0').toUpperCase()}${last}`
const blocksDocument = (fields, pageInfo) =>
  `query ($after: String) { chain { blocks(first: ${pageSize}, after: $after) { nodes { ${fields} }${pageInfo} } } }`
const statusDocument = 'query ($hash: String!) { transfer(chainId: "bench-1", hash: $hash) { state } }'

/**
 * `variables(i, cursors)` are those of the i-th request: another page or record for each i. What is final
 * may be kept by a gateway, and is measured warm too.
 */
export const scenarios = {
  greet: { query: '{ __typename }', variables: () => ({}) },
  flat: {
    query: blocksDocument(blockFields, ' pageInfo { hasNextPage }'),
    variables: (i, cursors) => ({ after: cursors.block(i % places.block) }),
    places: places.block,
    isFinal: true,
  },
  nested: {
    query: blocksDocument(`${blockFields} transactions(first: 50) { nodes { ${txFields} } }`, ''),
    variables: (i, cursors) => ({ after: cursors.block(i % places.block) }),
    places: places.block,
    isFinal: true,
  },
  status: { query: statusDocument, variables: (i) => ({ hash: transfer(i, '0') }) },
  'status ended': {
    query: statusDocument,
    variables: (i) => ({ hash: transfer(i, '1') }),
    isFinal: true,
  },
  account: {
    query: `query ($after: String) { chain { account(address: "${account}") { transactions(first: ${pageSize}, after: $after) { nodes { ${txFields} } } } } }`,
    variables: (i, cursors) => ({ after: cursors.tx(i % places.tx) }),
    places: places.tx,
    isFinal: true,
  },
}
