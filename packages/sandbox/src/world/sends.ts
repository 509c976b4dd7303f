import type { CoinMove } from './coins.ts'
import { type Event, event, type MessageDraft } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { movesOf, sendFormOf } from './moves.ts'
import { partiesOf } from './parties.ts'
import { partsOf, type Shape } from './shape.ts'

const bankSend = '/cosmos.bank.v1beta1.MsgSend'

const json = ({ coins }: CoinMove) => coins.map(({ denom, amount }) => ({ denom, amount: String(amount) }))

/** The fields of a message that sends the coins of a move. */
const sendFields = (move: CoinMove) => ({
  from_address: move.from?.bech32 ?? '',
  to_address: move.to?.bech32 ?? '',
  amount: json(move),
})

/** The message that sends coins of one account to several. */
function multiSend(sender: string, moves: readonly CoinMove[]): MessageDraft {
  const totals = new Map<string, bigint>()
  for (const { denom, amount } of moves.flatMap(({ coins }) => coins)) {
    totals.set(denom, (totals.get(denom) ?? 0n) + amount)
  }
  const coins = [...totals].map(([denom, amount]) => ({ denom, amount: String(amount) }))
  return {
    type: '/cosmos.bank.v1beta1.MsgMultiSend',
    fields: {
      inputs: [{ address: sender, coins }],
      outputs: moves.map((move) => ({ address: move.to?.bech32, coins: json(move) })),
    },
    events: [],
  }
}

/** The message that sends coins of others, who allowed it. */
const exec = (grantee: string, moves: readonly CoinMove[]): MessageDraft => ({
  type: '/cosmos.authz.v1beta1.MsgExec',
  fields: { grantee, msgs: moves.map((move) => ({ '@type': bankSend, ...sendFields(move) })) },
  events: [],
})

/** The messages with which the relayer settles with users. */
export function settleMessages(fixtures: Fixtures, shape: Shape): readonly MessageDraft[] {
  const [{ bech32: relayer }] = partiesOf(fixtures, shape)
  return partsOf(shape).map(({ isExec, moves }) => (isExec ? exec : multiSend)(relayer, moves))
}

/** The message that sends coins, or lets others do so. */
export function sendMessage(fixtures: Fixtures, shape: Shape): MessageDraft {
  const [{ bech32: sender }, { bech32: peer }] = partiesOf(fixtures, shape)
  const moves = movesOf(fixtures, shape)[0] ?? []
  const [move = { coins: [] }] = moves
  switch (sendFormOf(shape)) {
    case 'send':
    case 'severalCoins':
      return { type: bankSend, fields: sendFields(move), events: [] }
    case 'multiSend':
      return multiSend(sender, moves)
    case 'exec':
      return exec(sender, moves)
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
