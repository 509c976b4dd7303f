import { type Account, makeAccount } from '../../address.ts'
import { type CoinMove, moduleAccount } from '../coins.ts'
import { event } from '../events.ts'
import type { Fixtures } from '../fixtures.ts'
import type { StoryMessage } from './lane.ts'
import { accountOf } from './passage.ts'

/** What goes over an OPinit bridge. */
interface Crossing {
  readonly bridgeId: number
  /** Counts the deposits of the hub, or the withdrawals of the rollup. */
  readonly sequence: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly hubDenom: string
  readonly rollupDenom: string
}

/** Coins that go from the hub to a rollup. */
export interface Deposit extends Crossing {
  /** Where the hub has the deposit. */
  readonly height: number
}

/** Coins that go from a rollup to the hub, where somebody has to claim them. */
export type Withdrawal = Crossing

/** Who finalizes the deposits of a rollup. */
export const executorOf = ({ chain, seed }: Fixtures): Account =>
  makeAccount(chain.bech32Prefix, 20, seed, chain.chainId, 'executor')

/** The message of a deposit on the hub. */
export function depositInitiation(hub: Fixtures, deposit: Deposit): StoryMessage {
  const { from, to, amount, hubDenom, rollupDenom } = deposit
  const bridge = { bridge_id: String(deposit.bridgeId) }
  return {
    type: '/opinit.ophost.v1.MsgInitiateTokenDeposit',
    fields: { sender: from, ...bridge, to, amount: { denom: hubDenom, amount: String(amount) }, data: '' },
    moves: [{ from: accountOf(hub, from), to: moduleAccount(hub, 'bridge'), coins: [{ denom: hubDenom, amount }] }],
    events: [
      event('initiate_token_deposit', {
        ...bridge,
        l1_sequence: deposit.sequence,
        ...{ from, to, l1_denom: hubDenom, l2_denom: rollupDenom },
        amount: String(amount),
        data: '',
      }),
    ],
  }
}

/**
 * The message with which the executor brings a deposit to the rollup. The reason is empty if all went well. A deposit that
 * the rollup refuses goes back as a withdrawal of the same transaction; one whose hook failed stays.
 */
export function depositFinalization(
  rollup: Fixtures,
  deposit: Deposit,
  reason: string,
  withdrawal?: Withdrawal,
): StoryMessage {
  const { from, to, sequence, height, amount, hubDenom, rollupDenom } = deposit
  const module = moduleAccount(rollup, 'opchild')
  const coins = [{ denom: rollupDenom, amount }]
  const minted: CoinMove = { to: module, coins }
  return {
    type: '/opinit.opchild.v1.MsgFinalizeTokenDeposit',
    fields: {
      sender: executorOf(rollup).bech32,
      ...{ from, to, sequence },
      amount: { denom: rollupDenom, amount: String(amount) },
      height: String(height),
      base_denom: hubDenom,
      data: '',
    },
    moves: [minted, withdrawal ? { from: module, coins } : { from: module, to: accountOf(rollup, to), coins }],
    events: [
      event('finalize_token_deposit', {
        l1_sequence: sequence,
        sender: from,
        recipient: to,
        denom: rollupDenom,
        base_denom: hubDenom,
        amount: String(amount),
        finalize_height: String(height),
        ...(reason === '' ? { success: 'true' } : { success: 'false', reason }),
      }),
      ...(withdrawal ? [initiated(withdrawal)] : []),
    ],
  }
}

const initiated = ({ from, to, sequence, amount, hubDenom, rollupDenom }: Withdrawal) =>
  event('initiate_token_withdrawal', {
    ...{ from, to, denom: rollupDenom, base_denom: hubDenom },
    amount: String(amount),
    l2_sequence: sequence,
  })

/** The message of a withdrawal on the rollup. */
export function withdrawalInitiation(rollup: Fixtures, withdrawal: Withdrawal): StoryMessage {
  const { from, to, amount, rollupDenom } = withdrawal
  const module = moduleAccount(rollup, 'opchild')
  const coins = [{ denom: rollupDenom, amount }]
  return {
    type: '/opinit.opchild.v1.MsgInitiateTokenWithdrawal',
    fields: { sender: from, to, amount: { denom: rollupDenom, amount: String(amount) } },
    moves: [
      { from: accountOf(rollup, from), to: module, coins },
      { from: module, coins },
    ],
    events: [initiated(withdrawal)],
  }
}

/** The message with which somebody claims a withdrawal on the hub. */
export function claim(hub: Fixtures, withdrawal: Withdrawal, outputIndex: number): StoryMessage {
  const { bridgeId, sequence, from, to, amount, hubDenom, rollupDenom } = withdrawal
  const place = { bridge_id: String(bridgeId), output_index: String(outputIndex) }
  return {
    type: '/opinit.ophost.v1.MsgFinalizeTokenWithdrawal',
    fields: {
      sender: to,
      ...place,
      withdrawal_proofs: [],
      ...{ from, to, sequence },
      amount: { denom: hubDenom, amount: String(amount) },
      version: 'AQ==',
      storage_root: '',
      last_block_hash: '',
    },
    moves: [{ from: moduleAccount(hub, 'bridge'), to: accountOf(hub, to), coins: [{ denom: hubDenom, amount }] }],
    events: [
      event('finalize_token_withdrawal', {
        ...place,
        l2_sequence: sequence,
        ...{ from, to, l1_denom: hubDenom, l2_denom: rollupDenom },
        amount: String(amount),
      }),
    ],
  }
}
