import { itemAt } from '../random.ts'
import { contractMessage } from './contracts.ts'
import { amountOf, partiesOf } from './effects.ts'
import { bankTransfer, event, type MessageDraft } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { ibcReceive, ibcTransfer } from './ibc.ts'
import type { Shape } from './shape.ts'

/** The messages of a transaction, in order. */
export function messagesOf(
  fixtures: Fixtures,
  shape: Shape,
  sequence: number,
): readonly MessageDraft[] {
  const { chain } = fixtures
  const [sender, peer] = partiesOf(fixtures, shape)
  const amount = String(amountOf(fixtures, shape, sequence))
  const coin = { denom: chain.denom, amount }
  const coinText = `${amount}${chain.denom}`

  switch (shape.kind) {
    case 'send':
      return [
        {
          type: '/cosmos.bank.v1beta1.MsgSend',
          fields: { from_address: sender.bech32, to_address: peer.bech32, amount: [coin] },
          events: bankTransfer(sender.bech32, peer.bech32, coinText),
        },
      ]
    case 'delegate': {
      const validator = itemAt(fixtures.validators, shape.token).operatorAddress
      return [
        {
          type: '/initia.mstaking.v1.MsgDelegate',
          fields: {
            delegator_address: sender.bech32,
            validator_address: validator,
            amount: [coin],
          },
          events: [
            event('delegate', { validator, delegator: sender.bech32, amount: coinText }),
            event('message', { module: 'mstaking', sender: sender.bech32 }),
          ],
        },
      ]
    }
    case 'claim':
      return [0, 1].map((offset) => {
        const validator = itemAt(fixtures.validators, shape.token + offset).operatorAddress
        return {
          type: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
          fields: { delegator_address: sender.bech32, validator_address: validator },
          events: [
            event('withdraw_rewards', { amount: coinText, validator, delegator: sender.bech32 }),
          ],
        }
      })
    case 'ibcTransfer':
      return [ibcTransfer(fixtures, shape, sequence)]
    case 'receive':
      return ibcReceive(fixtures, shape, sequence)
    case 'deposit': {
      const to = peer.bech32
      const bridge = { bridge_id: String(1 + (shape.variant % 2)) }
      const denoms = { l1_denom: chain.denom, l2_denom: fixtures.bridgedDenom }
      return [
        {
          type: '/opinit.ophost.v1.MsgInitiateTokenDeposit',
          fields: { sender: sender.bech32, ...bridge, to, amount: coin, data: '' },
          events: [
            event('initiate_token_deposit', {
              ...bridge,
              l1_sequence: String(sequence),
              from: sender.bech32,
              to,
              ...denoms,
              amount,
              data: '',
            }),
          ],
        },
      ]
    }
    case 'withdraw': {
      const to = peer.bech32
      const bridged = { denom: fixtures.bridgedDenom, amount }
      return [
        {
          type: '/opinit.opchild.v1.MsgInitiateTokenWithdrawal',
          fields: { sender: sender.bech32, to, amount: bridged },
          events: [
            event('initiate_token_withdrawal', {
              from: sender.bech32,
              to,
              denom: bridged.denom,
              base_denom: 'uinit',
              amount,
              l2_sequence: String(sequence),
            }),
          ],
        },
      ]
    }
    case 'createCollection':
    case 'transferNft':
    case 'burnNft':
    case 'mintNft':
    case 'execute':
    case 'deploy':
      return [contractMessage(fixtures, shape, sequence)]
  }
}
