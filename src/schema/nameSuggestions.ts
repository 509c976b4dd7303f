/**
 * Frequent wrong names, by type and field, and the right ones. graphql-js suggests names of a similar spelling,
 * but no synonyms.
 */
const hints: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Query: {
    tx: 'transaction(hash:)',
    txs: 'chain { transactions }',
    transactions: 'chain { transactions }` or `account { activity }',
    blocks: 'chain { blocks }',
    nfts: 'account { nfts }` or `chain { nftCollections { nodes { nfts } } }',
    collection: 'nftCollection(chainId:, address:)',
    collections: 'chain { nftCollections }',
    balances: 'account { balances }',
    balance: 'account { balances }',
    status: 'chain { status }` or `chain { freshness }',
    height: 'chain { freshness { height } }',
    token: 'asset(chainId:, denom:)',
    tokens: 'assets',
    address: 'account(address:)',
    quote: 'route(input:)',
    validators: 'chain { blocks { nodes { proposer } } }',
  },
  Account: {
    transactions: 'activity',
    address: 'hexAddress` or `chainAccounts { address }',
    chains: 'chainAccounts { chain }',
    evmTransactions: 'chainAccounts { evmTransactions }',
  },
  AccountBalances: {
    amount: 'balances { amount }',
    nodes: 'balances',
    edges: 'balances',
    asset: 'balances { asset }',
  },
  IndexedTransaction: {
    messages: '... on Transaction { messages }',
    fee: '... on Transaction { fee { amount { formattedAmount } } }',
    events: '... on Transaction { events }',
    memo: '... on Transaction { memo }',
    from: '... on EvmTransaction { from { address } }',
    to: '... on EvmTransaction { to { address } }',
    logs: '... on EvmTransaction { logs }',
    status: 'isSuccessful',
  },
  Transaction: {
    from: 'signers { account { address } }',
    status: 'isSuccessful',
    method: 'actions { summary }',
    type: 'actions { kind }` or `messages { typeUrl }',
    logs: 'events` or `evmTransaction { logs }',
  },
  EvmTransaction: {
    status: 'isSuccessful',
    method: 'actions { summary }',
    gasPrice: 'effectiveGasPrice',
    data: 'input',
    traces: 'internalTransactions',
    events: 'logs',
  },
  Nft: { name: 'collection { name }` and `tokenId', image: 'uri' },
  LiveBlockEvent: { height: 'node { height }', hash: 'node { hash }' },
  ActivityEvent: { hash: 'node { hash }', transaction: 'node' },
  Subscription: { newBlock: 'blocks', newBlocks: 'blocks', heads: 'chainHeads', txs: 'activity' },
}

/** The field to use in place of a missing one. Undefined if no hint fits. */
export const hintFor = (typeName: string, fieldName: string): string | undefined => {
  const own = Object.hasOwn(hints, typeName) ? hints[typeName] : undefined
  return own && Object.hasOwn(own, fieldName) ? own[fieldName] : undefined
}

/** All of them, for the test that asks each. */
export const allHints = Object.entries(hints).flatMap(([typeName, fields]) =>
  Object.entries(fields).map(([fieldName, hint]) => ({ typeName, fieldName, hint })),
)
