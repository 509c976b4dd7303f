import type { ActionKind } from '../kinds.ts'
import type { Template } from '../template.ts'

// The addresses, modules, functions and events are those of Initia's own decoder of transactions
// (github.com/initia-labs/tx-decoder, read in November 2026).

const vault = [
  '0x3a886b32a802582f2e446e74d4a24d1d7ed01adf46d2a8f65c5723887e708789',
  '0x81c3ea419d2fd3a27971021d9dd3cc708def05e5d6a09d39b2f1f9ba18312264',
]
const testnet = '0x42cd8467b1c86e59bf319e5664a09b6b5840bb3fac64f5ce690b5041c530565a'

/** The addresses of each module, on the main and the test network. */
export const initiaModules: Readonly<Record<string, readonly string[]>> = {
  lock_staking: vault,
  vip: vault,
  weight_vote: vault,
  minitswap: ['0x1'],
  multisig_v2: ['0x1'],
  usernames: ['0x72ed9b26ecdcd6a21d304df50f19abfdbe31d2c02f60c84627844620a45940ef', testnet],
  dex_utils: [
    '0xb6bf50aa9d5f827458a5424d41ef81a4ef8d7fd0',
    '0xb845fba0d0072c282f6284465933c4b32b1a0d4071604935a7a8d999c85d01fb',
    testnet,
  ],
  scripts: [
    '0xd78a3b72c7ef0cfba7286bfb8c618aa4d6011dce05a832871cc9ab323c25f55e',
    '0x6b41bf295bc31cd9bef75a9a5a67e5a8d6749b34a7ab3105808251fa2697823d',
  ],
  farming: [
    '0xcb2999c70a9b8db7cb473255bb01f956f0726087f08b04ece50844a6d8167351',
    '0xf8ef0cb7c73607b7658524565015ce2aadc45ccf7164e5351959a4d7a1c37753',
  ],
}

/**
 * The kind and the sentence of a call. `{paid:}` and `{got:}` are what it took from its actor and gave; other fields are of
 * an event of its module.
 */
export type ProtocolWords = readonly [kind: ActionKind, template: Template]

const until = '[ until {date:DepositDelegationEvent.release_time}]'
const to = '[ to {validator:DepositDelegationEvent.validator}]'
const from = '[ from {validator:WithdrawDelegationEvent.validator}]'

/** The sentences of the functions of these modules. */
export const protocolWords: Readonly<Record<string, ProtocolWords>> = {
  'lock_staking::delegate': ['STAKE', `Locked and delegated|lock and delegate| {paid:}${to}${until}`],
  'lock_staking::undelegate': ['UNSTAKE', `Undelegated|undelegate| locked stake${from}`],
  'lock_staking::redelegate': ['REDELEGATE', `Redelegated|redelegate| locked stake${from}${to}`],
  'lock_staking::withdraw_delegator_reward': ['CLAIM_REWARDS', 'Claimed|claim|[ {got:} of] rewards of locked stake'],
  'lock_staking::extend': ['CONTRACT_CALL', `Extended|extend| the lock of stake${until}`],
  'lock_staking::batch_extend': ['CONTRACT_CALL', 'Extended|extend| the lock of stake'],
  'lock_staking::provide_delegate': [
    'ADD_LIQUIDITY',
    `Added|add| {paid:} to a liquidity pool, with its shares locked and delegated${to}${until}`,
  ],
  'vip::batch_claim_user_reward_script': ['CLAIM_REWARDS', 'Claimed|claim|[ {got:} of] VIP rewards'],
  'vip::batch_lock_stake_script': [
    'STAKE',
    `Locked and delegated|lock and delegate| VIP rewards[ with {paid:}]${to}${until}`,
  ],
  'weight_vote::vote': ['VOTE', 'Voted|vote| on the weights of VIP rewards[ of {count:VoteEvent.weights}]'],
  'dex_utils::provide_stake': ['ADD_LIQUIDITY', 'Added|add| {paid:} to a liquidity pool, with its shares delegated'],
  'dex_utils::unproportional_provide_stake': [
    'ADD_LIQUIDITY',
    'Added|add| {paid:} to a liquidity pool, with its shares delegated',
  ],
  'dex_utils::unproportional_provide_lock_stake': [
    'ADD_LIQUIDITY',
    'Added|add| {paid:} to a liquidity pool, with its shares locked and delegated',
  ],
  'minitswap::provide': ['ADD_LIQUIDITY', 'Added|add| {paid:} to the Minitswap pool'],
  'minitswap::unbond': [
    'REMOVE_LIQUIDITY',
    'Began|begin| to withdraw {paid:} from the Minitswap pool[, to be claimed from {date:UnbondEvent.release_time}]',
  ],
  'minitswap::withdraw_unbond': ['REMOVE_LIQUIDITY', 'Withdrew|withdraw| {got:} from the Minitswap pool'],
  'usernames::register_domain': [
    'ACCOUNT_UPDATE',
    'Registered|register| a name[: {text:RegisterEvent.domain_name}][ for {paid:}]',
  ],
  'usernames::set_name': ['ACCOUNT_UPDATE', 'Set|set| the name of the account[ to {text:SetEvent.domain_name}]'],
  'usernames::unset_name': [
    'ACCOUNT_UPDATE',
    'Removed|remove| the name of the account[: {text:UnsetEvent.domain_name}]',
  ],
  'usernames::extend_expiration': [
    'ACCOUNT_UPDATE',
    'Extended|extend| a name[: {text:ExtendEvent.domain_name}][ until {date:ExtendEvent.expiration_date}][ for {paid:}]',
  ],
  'scripts::collect_fees': ['CLAIM_REWARDS', 'Claimed|claim|[ {got:} of] fees of a liquidity position'],
  'scripts::increase_liquidity': ['ADD_LIQUIDITY', 'Added|add| {paid:} to a liquidity position'],
  'scripts::remove_liquidity': ['REMOVE_LIQUIDITY', 'Withdrew|withdraw| {got:} from a liquidity position'],
  'farming::stake_entry': ['CONTRACT_CALL', 'Staked|stake| a liquidity position'],
  'farming::stake_token_to_all_viable_incentives': ['CONTRACT_CALL', 'Staked|stake| a liquidity position'],
  'farming::unstake_then_withdraw': ['CONTRACT_CALL', 'Unstaked|unstake| a liquidity position'],
  'farming::claim_token_reward_entry': ['CLAIM_REWARDS', 'Claimed|claim|[ {got:} of] rewards of a liquidity position'],
  'multisig_v2::create_proposal': ['PROPOSE', 'Submitted|submit| a proposal to a multisig account'],
  'multisig_v2::vote_proposal': ['VOTE', 'Voted|vote| on a proposal of a multisig account'],
  'multisig_v2::execute_proposal': [
    'CONTRACT_CALL',
    'Executed|execute| a proposal of a multisig account[: {id:ExecuteProposalEvent.proposal_id}]',
  ],
}
