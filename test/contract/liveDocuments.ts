// The subscriptions of the contract, with all fields of the types that only they have.

const afterArg = (after: string | undefined) => (after === undefined ? '' : `, after: "${after}"`)
const notice = 'notice { kind message firstMissingHeight lastMissingHeight headHeight }'

/** The new blocks of a chain. */
export const blocks = (after?: string): string =>
  `subscription { blocks(chainId: "galley-1"${afterArg(after)}) { cursor headHeight node { height hash } ${notice} } }`

/** The new transactions of an account on all chains. */
export const activityOf = (address: string, after?: string): string =>
  `subscription { activity(address: "${address}"${afterArg(after)}) { cursor chain { chainId } ${notice}
    balanceChanges { amount } node { __typename ... on Transaction { hash } ... on EvmTransaction { evmHash: hash } } } }`

/** The steps of the bridge transfers of an account on all chains. */
export const bridgeTransfersOf = (address: string, after?: string): string =>
  `subscription { bridgeTransfers(address: "${address}"${afterArg(after)}) { cursor chain { chainId } node { hash } ${notice}
    bridgeTransfers { bridge sequence departure { hash } arrival { hash } refund { hash } } } }`

/** The balances of an account, and those that changed. */
export const balancesOf = (address: string): string =>
  `subscription { balances(address: "${address}") { balances { count } changed { chain { chainId } denom amount } } }`

/** The newest block of each chain. */
export const chainHeads = 'subscription { chainHeads { chain { chainId } block { hash } height isLate } }'

/** A transaction that may not be indexed yet. */
export const liveTransaction = (hash: string): string =>
  `subscription { transaction(chainId: "galley-1", hash: "${hash}") { chain { chainId } hash
    node { __typename ... on Transaction { hash } } } }`
