import { l2Denom } from '../router/assets.ts'
import { event, type MessageDraft } from './events.ts'
import { bridgedAmount, type Fixtures, hubDenom } from './fixtures.ts'
import { amountOf, partiesOf } from './parties.ts'
import type { Shape } from './shape.ts'

/** The bridge of a deposit of the hub. */
export const bridgeOf = ({ variant }: Shape): number => 1 + (variant % 2)

/** The message that begins a transfer between the hub and a rollup. */
export function opInitMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const { chain, bridgedDenom } = fixtures
  const [{ bech32: sender }, { bech32: to }] = partiesOf(fixtures, shape)
  const units = amountOf(fixtures, shape)
  if (shape.kind === 'withdraw') {
    const amount = String(bridgedAmount(fixtures, units))
    return {
      type: '/opinit.opchild.v1.MsgInitiateTokenWithdrawal',
      fields: { sender, to, amount: { denom: bridgedDenom, amount } },
      events: [
        event('initiate_token_withdrawal', {
          from: sender,
          to,
          denom: bridgedDenom,
          base_denom: hubDenom,
          amount,
          l2_sequence: String(sequence),
        }),
      ],
    }
  }
  const amount = String(units)
  const bridgeId = bridgeOf(shape)
  const bridge = { bridge_id: String(bridgeId) }
  return {
    type: '/opinit.ophost.v1.MsgInitiateTokenDeposit',
    fields: { sender, ...bridge, to, amount: { denom: chain.denom, amount }, data: '' },
    events: [
      event('initiate_token_deposit', {
        ...bridge,
        l1_sequence: String(sequence),
        from: sender,
        to,
        l1_denom: chain.denom,
        l2_denom: l2Denom(bridgeId, chain.denom),
        amount,
        data: '',
      }),
    ],
  }
}
