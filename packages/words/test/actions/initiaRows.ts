import { type Event, event } from '../../../sandbox/src/world/events.ts'
import { deposited, metadataOf, moveEvent, primaryStore, withdrawn } from '../../../sandbox/src/world/moveStores.ts'
import type { ActionKind } from '../../src/actions/kinds.ts'
import { alice, failed, nextValidator, type Row, row, short, usdc, validator } from './row.ts'

const vault = '0x3a886b32a802582f2e446e74d4a24d1d7ed01adf46d2a8f65c5723887e708789'
const names = '0x72ed9b26ecdcd6a21d304df50f19abfdbe31d2c02f60c84627844620a45940ef'
const dexUtils = '0xb845fba0d0072c282f6284465933c4b32b1a0d4071604935a7a8d999c85d01fb'
const pools = '0xd78a3b72c7ef0cfba7286bfb8c618aa4d6011dce05a832871cc9ab323c25f55e'
const farms = '0xcb2999c70a9b8db7cb473255bb01f956f0726087f08b04ece50844a6d8167351'
const execute = 'initia.move.v1.MsgExecute'

const [init, other] = [metadataOf('uinit'), metadataOf(usdc)]
const store = (metadata: string) => primaryStore(alice, metadata)
const paid = (units: bigint) => withdrawn(store(init), init, units, false)
const paidOther = (units: bigint) => withdrawn(store(other), other, units, false)
const got = (units: bigint) => deposited(store(init), init, units, false)
const release_time = '1753234484'
const locked = moveEvent(`${vault}::lock_staking::DepositDelegationEvent`, {
  validator,
  release_time,
})
const unlocked = moveEvent(`${vault}::lock_staking::WithdrawDelegationEvent`, {
  validator: nextValidator,
  release_time,
})
const [at, from] = [short(validator), short(nextValidator)]
const until = 'until 2025-07-23'

const voted = event('move', {
  type_tag: `${vault}::weight_vote::VoteEvent`,
  data: JSON.stringify({ weights: [{}, {}] }),
})

const call = (module_address: string, called: string) => {
  const [module_name, function_name] = called.split('::')
  return {
    sender: alice.bech32,
    module_address,
    module_name,
    function_name,
    type_args: [],
    args: [],
  }
}

const told = (
  name: string,
  address: string,
  called: string,
  events: readonly Event[],
  kind: ActionKind,
  summary: string,
): readonly [string, Row] => [
  name,
  row(execute, call(address, called), events, kind, summary, {
    actor: alice.bech32,
    contract: address,
    function: `${address}::${called}`,
  }),
]

/** Calls of the protocols that Initia runs. */
export const initiaRows: Readonly<Record<string, Row>> = {
  ...Object.fromEntries([
    told(
      'stake that is locked',
      vault,
      'lock_staking::delegate',
      [...paid(400_000n), locked],
      'STAKE',
      `Locked and delegated 0.4 INIT to ${at} ${until}`,
    ),
    told(
      'locked stake that moves, and pays out its rewards',
      vault,
      'lock_staking::redelegate',
      [unlocked, locked, ...got(33n)],
      'REDELEGATE',
      `Redelegated locked stake from ${from} to ${at}, got 0.000033 INIT`,
    ),
    told(
      'locked stake that is undelegated',
      vault,
      'lock_staking::undelegate',
      [unlocked],
      'UNSTAKE',
      `Undelegated locked stake from ${from}`,
    ),
    told(
      'rewards of locked stake',
      vault,
      'lock_staking::withdraw_delegator_reward',
      got(130n),
      'CLAIM_REWARDS',
      'Claimed 0.00013 INIT of rewards of locked stake',
    ),
    told(
      'a longer lock',
      vault,
      'lock_staking::extend',
      [unlocked, locked],
      'CONTRACT_CALL',
      `Extended the lock of stake ${until}`,
    ),
    told(
      'a pool whose shares are locked',
      vault,
      'lock_staking::provide_delegate',
      [...paid(1_000_000n), ...paidOther(2_000_000n), locked],
      'ADD_LIQUIDITY',
      `Added 1 INIT and 2 USDC to a liquidity pool, with its shares locked and delegated to ${at} ${until}`,
    ),
    told(
      'a pool whose shares are delegated',
      dexUtils,
      'dex_utils::provide_stake',
      paid(1_000_000n),
      'ADD_LIQUIDITY',
      'Added 1 INIT to a liquidity pool, with its shares delegated',
    ),
    told(
      'VIP rewards',
      vault,
      'vip::batch_claim_user_reward_script',
      got(11_190_511n),
      'CLAIM_REWARDS',
      'Claimed 11.190511 INIT of VIP rewards',
    ),
    told(
      'VIP rewards that are zero',
      vault,
      'vip::batch_claim_user_reward_script',
      [],
      'CLAIM_REWARDS',
      'Claimed VIP rewards',
    ),
    told(
      'VIP rewards that are locked',
      vault,
      'vip::batch_lock_stake_script',
      [...paidOther(500_000n), locked],
      'STAKE',
      `Locked and delegated VIP rewards with 0.5 USDC to ${at} ${until}`,
    ),
    told(
      'a vote on VIP rewards',
      vault,
      'weight_vote::vote',
      [voted],
      'VOTE',
      'Voted on the weights of VIP rewards of 2 rollups',
    ),
    told(
      'a deposit into Minitswap',
      '0x1',
      'minitswap::provide',
      paid(1_000_000n),
      'ADD_LIQUIDITY',
      'Added 1 INIT to the Minitswap pool',
    ),
    told(
      'a withdrawal from Minitswap',
      '0x1',
      'minitswap::withdraw_unbond',
      got(103_338n),
      'REMOVE_LIQUIDITY',
      'Withdrew 0.103338 INIT from the Minitswap pool',
    ),
    told(
      'a withdrawal from Minitswap that begins',
      '0x1',
      'minitswap::unbond',
      [...paidOther(1_000_000n), moveEvent('0x1::minitswap::UnbondEvent', { release_time })],
      'REMOVE_LIQUIDITY',
      'Began to withdraw 1 USDC from the Minitswap pool, to be claimed from 2025-07-23',
    ),
    told(
      'the name of an account',
      names,
      'usernames::set_name',
      [moveEvent(`${names}::usernames::SetEvent`, { domain_name: 'ahoy' })],
      'ACCOUNT_UPDATE',
      'Set the name of the account to “ahoy”',
    ),
    told(
      'a name for longer',
      names,
      'usernames::extend_expiration',
      [
        ...paid(9_000_000n),
        moveEvent(`${names}::usernames::ExtendEvent`, {
          domain_name: 'ahoy',
          expiration_date: '1808609749',
        }),
      ],
      'ACCOUNT_UPDATE',
      'Extended a name: “ahoy” until 2027-04-24 for 9 INIT',
    ),
    told(
      'fees of a position',
      pools,
      'scripts::collect_fees',
      got(24_288n),
      'CLAIM_REWARDS',
      'Claimed 0.024288 INIT of fees of a liquidity position',
    ),
    told(
      'coins for a position',
      pools,
      'scripts::increase_liquidity',
      paid(140n),
      'ADD_LIQUIDITY',
      'Added 0.00014 INIT to a liquidity position',
    ),
    told(
      'coins of a position',
      pools,
      'scripts::remove_liquidity',
      got(994n),
      'REMOVE_LIQUIDITY',
      'Withdrew 0.000994 INIT from a liquidity position',
    ),
    told(
      'a position that stops to earn',
      farms,
      'farming::unstake_then_withdraw',
      got(3_881_682n),
      'CONTRACT_CALL',
      'Unstaked a liquidity position, got 3.881682 INIT',
    ),
    told(
      'a proposal of a multisig account',
      '0x1',
      'multisig_v2::execute_proposal',
      [moveEvent('0x1::multisig_v2::ExecuteProposalEvent', { proposal_id: '115' })],
      'CONTRACT_CALL',
      'Executed a proposal of a multisig account: 115',
    ),
    told(
      'a function of the same name of a stranger',
      alice.hex,
      'lock_staking::delegate',
      paid(400_000n),
      'CONTRACT_CALL',
      `Called ${short(alice.hex)}::lock_staking::delegate, paid 0.4 INIT`,
    ),
  ]),
  'stake that could not be locked': failed(
    execute,
    call(vault, 'lock_staking::delegate'),
    'STAKE',
    'Tried to lock and delegate coins',
    { isSuccessful: false },
  ),
  'a new position, by a script': row(
    'initia.move.v1.MsgScript',
    { sender: alice.bech32, code_bytes: 'oRzrCw==' },
    [...paid(10n), moveEvent(`${pools}::pool::NewPositionEvent`, {})],
    'ADD_LIQUIDITY',
    'Added 0.00001 INIT to a liquidity position',
    { actor: alice.bech32, contract: null, function: null },
  ),
}
