import type { CoinMove } from './coins.ts'
import { type Event, event, type MessageDraft } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { movesOf, sendFormOf } from './moves.ts'
import { partiesOf } from './parties.ts'
import type { Shape } from './shape.ts'

const bankSend = '/cosmos.bank.v1beta1.MsgSend'

const json = ({ coins }: CoinMove) =>
  coins.map(({ denom, amount }) => ({ denom, amount: String(amount) }))

/** The fields of a message that sends the coins of a move. */
const sendFields = (move: CoinMove) => ({
  from_address: move.from?.bech32 ?? '',
  to_address: move.to?.bech32 ?? '',
  amount: json(move),
})

/** The message that sends coins, or lets others do so. */
export function sendMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const [{ bech32: sender }, { bech32: peer }] = partiesOf(fixtures, shape)
  const moves = movesOf(fixtures, shape, sequence)[0] ?? []
  const [move = { coins: [] }] = moves
  switch (sendFormOf(shape)) {
    case 'send':
    case 'severalCoins':
      return { type: bankSend, fields: sendFields(move), events: [] }
    case 'multiSend': {
      const total = moves.reduce((sum, { coins: [coin] }) => sum + (coin?.amount ?? 0n), 0n)
      const coins = [{ denom: fixtures.chain.denom, amount: String(total) }]
      return {
        type: '/cosmos.bank.v1beta1.MsgMultiSend',
        fields: {
          inputs: [{ address: sender, coins }],
          outputs: moves.map((each) => ({ address: each.to?.bech32, coins: json(each) })),
        },
        events: [],
      }
    }
    case 'exec':
      return {
        type: '/cosmos.authz.v1beta1.MsgExec',
        fields: { grantee: sender, msgs: [{ '@type': bankSend, ...sendFields(move) }] },
        events: [],
      }
    case 'grantFees':
      return {
        type: '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
        fields: {
          granter: sender,
          grantee: peer,
          allowance: { '@type': '/cosmos.feegrant.v1beta1.BasicAllowance', spend_limit: [] },
        },
        events: [event('set_feegrant', { granter: sender, grantee: peer })],
      }
    case 'grant':
      return {
        type: '/cosmos.authz.v1beta1.MsgGrant',
        fields: {
          granter: sender,
          grantee: peer,
          grant: {
            authorization: {
              '@type': '/cosmos.authz.v1beta1.GenericAuthorization',
              msg: bankSend,
            },
            expiration: null,
          },
        },
        events: [grantEvent(sender, peer)],
      }
  }
}

const grantEvent = (granter: string, grantee: string): Event =>
  event('cosmos.authz.v1beta1.EventGrant', {
    granter: JSON.stringify(granter),
    grantee: JSON.stringify(grantee),
    msg_type_url: JSON.stringify(bankSend),
  })
