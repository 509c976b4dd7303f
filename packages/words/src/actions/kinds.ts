/** The title of each kind in two or three words, and its description. */
interface KindText {
  readonly title: string
  readonly description: string
}

/** The kinds of actions. The list is closed: what fits none is `UNKNOWN`. */
export const actionKinds = {
  SEND: { title: 'Coin transfer', description: 'Coins or tokens sent to one account.' },
  MULTI_SEND: {
    title: 'Multiple transfers',
    description: 'Coins sent to several accounts by one message.',
  },
  SWAP: { title: 'Token swap', description: 'One token exchanged for another.' },
  ADD_LIQUIDITY: { title: 'Liquidity deposit', description: 'Tokens put into a liquidity pool.' },
  REMOVE_LIQUIDITY: {
    title: 'Liquidity withdrawal',
    description: 'Tokens withdrawn from a liquidity pool.',
  },
  STAKE: {
    title: 'Stake delegation',
    description: 'Coins delegated to a validator, or also locked.',
  },
  UNSTAKE: {
    title: 'Stake undelegation',
    description: 'Coins that leave a validator and are unbonded.',
  },
  REDELEGATE: {
    title: 'Stake redelegation',
    description: 'Coins moved from one validator to another.',
  },
  CLAIM_REWARDS: {
    title: 'Reward claim',
    description:
      'Rewards of stake or of a position, fees of a pool, commission or coins of the community pool withdrawn.',
  },
  VALIDATOR_UPDATE: {
    title: 'Validator update',
    description: 'A validator created, edited, removed or released from jail.',
  },
  VOTE: { title: 'Governance vote', description: 'A vote on a proposal.' },
  PROPOSE: { title: 'Governance proposal', description: 'A new proposal.' },
  PROPOSAL_DEPOSIT: { title: 'Proposal deposit', description: 'Coins deposited for a proposal.' },
  PROPOSAL_CANCEL: {
    title: 'Proposal cancellation',
    description: 'A proposal that its proposer cancelled.',
  },
  BRIDGE_OUT: {
    title: 'Bridge transfer',
    description: 'Coins or NFTs that leave for another chain.',
  },
  BRIDGE_IN: {
    title: 'Bridge receipt',
    description: 'Coins or NFTs that arrived from another chain.',
  },
  BRIDGE_FORWARD: {
    title: 'Bridge forward',
    description: 'Coins that arrived over IBC and were sent on by the same message.',
  },
  BRIDGE_REFUND: {
    title: 'Bridge refund',
    description: 'Coins or NFTs that came back, since their transfer failed or timed out.',
  },
  IBC_RELAY: { title: 'IBC relay', description: 'Work of a relayer, all as one.' },
  INTERCHAIN_ACCOUNT: {
    title: 'Interchain account',
    description:
      'An account on another chain registered, messages sent to it, or unreadable ones that it executed here.',
  },
  ROLLUP_UPDATE: {
    title: 'Rollup update',
    description: 'An output or a batch that a rollup reports to its hub, or a change of its bridge.',
  },
  ORACLE_UPDATE: { title: 'Oracle update', description: 'New prices or markets of the oracle.' },
  NFT_TRANSFER: { title: 'NFT transfer', description: 'NFTs sent to another account.' },
  NFT_MINT: { title: 'NFT mint', description: 'New NFTs.' },
  NFT_BURN: { title: 'NFT burn', description: 'NFTs destroyed by their owner.' },
  TOKEN_MINT: { title: 'Token mint', description: 'New coins or tokens.' },
  TOKEN_BURN: { title: 'Token burn', description: 'Coins or tokens destroyed by their owner.' },
  TOKEN_UPDATE: {
    title: 'Token update',
    description: 'A token created or described, or its admin changed.',
  },
  OBJECT_TRANSFER: {
    title: 'Object transfer',
    description: 'A Move object sent to another account. It can be an NFT.',
  },
  CONTRACT_CALL: { title: 'Contract call', description: 'Another call, known by its `function`.' },
  CONTRACT_DEPLOY: {
    title: 'Contract deployment',
    description: 'A new contract, or code for contracts.',
  },
  CONTRACT_UPDATE: {
    title: 'Contract update',
    description: 'The admin, the name or the permissions of a contract.',
  },
  APPROVE: {
    title: 'Spending approval',
    description: 'An allowance of tokens or NFTs, or its end.',
  },
  AUTHZ_GRANT: {
    title: 'Authorization grant',
    description: 'Another account may send messages for the actor.',
  },
  AUTHZ_REVOKE: { title: 'Authorization revocation', description: 'The end of `AUTHZ_GRANT`.' },
  AUTHZ_EXEC: {
    title: 'Authorized execution',
    description: 'Messages of other accounts, if they are not actions of their own.',
  },
  FEE_GRANT: {
    title: 'Fee allowance',
    description: 'Another account may pay fees from the actor.',
  },
  FEE_REVOKE: { title: 'Allowance revocation', description: 'The end of `FEE_GRANT`.' },
  ACCOUNT_UPDATE: {
    title: 'Account update',
    description: 'A setting of an account, or a change of a group of accounts.',
  },
  CHAIN_UPDATE: {
    title: 'Chain update',
    description: 'A setting, an upgrade or a check of the chain or of its modules.',
  },
  UNKNOWN: { title: 'Other message', description: 'A message that the graph cannot describe.' },
} as const satisfies Record<string, KindText>

export type ActionKind = keyof typeof actionKinds

/** The title of an action, such as `Token swap` or `Failed token swap`. */
export function titleOf({ kind, isSuccessful }: { kind: ActionKind; isSuccessful: boolean }) {
  const { title } = actionKinds[kind]
  if (isSuccessful) return title
  // An acronym keeps its capitals.
  const isWord = /^[A-Z][a-z]/.test(title)
  return `Failed ${isWord ? title.charAt(0).toLowerCase() + title.slice(1) : title}`
}
