import { itemAt } from '../random.ts'
import { coinEvents } from './coins.ts'
import { contractMessage } from './contracts.ts'
import { event, type MessageDraft, marked } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { ibcTransfer } from './ibc.ts'
import { ibcReceive } from './ibcReceive.ts'
import { movesOf } from './moves.ts'
import { opInitMessage } from './opInit.ts'
import { amountOf, partiesOf } from './parties.ts'
import { placeOf } from './schedule.ts'
import { sendMessage, settleMessages } from './sends.ts'
import type { Shape } from './shape.ts'
import { stakeMessage } from './stakes.ts'

const authzExec = '/cosmos.authz.v1beta1.MsgExec'

/** The messages of a transaction, in order. */
export function messagesOf(fixtures: Fixtures, shape: Shape, sequence: number): readonly MessageDraft[] {
  const moves = movesOf(fixtures, shape)
  const { height } = placeOf(sequence)
  return draftsOf(fixtures, shape, sequence).map(({ type, fields, events }, index) => ({
    type,
    fields,
    events: [
      ...itemAt(moves, index).flatMap((move, inner) =>
        coinEvents(fixtures, height, [move]).map((each) =>
          // Each message within another has its own index.
          type === authzExec ? marked(each, 'authz_msg_index', inner) : each,
        ),
      ),
      ...events,
    ],
  }))
}

/** The messages without what the bank module emits. */
function draftsOf(fixtures: Fixtures, shape: Shape, sequence: number): readonly MessageDraft[] {
  switch (shape.kind) {
    case 'send':
      return [sendMessage(fixtures, shape)]
    case 'settle':
      return settleMessages(fixtures, shape)
    case 'delegate':
      return [stakeMessage(fixtures, shape, sequence)]
    case 'claim':
      return claimMessages(fixtures, shape)
    case 'ibcTransfer':
      return [ibcTransfer(fixtures, shape, sequence)]
    case 'receive':
      return ibcReceive(fixtures, shape, sequence)
    case 'deposit':
    case 'withdraw':
      return [opInitMessage(fixtures, shape, sequence)]
    case 'createCollection':
    case 'transferNft':
    case 'burnNft':
    case 'mintNft':
    case 'execute':
    case 'deploy':
      return [contractMessage(fixtures, shape, sequence)]
  }
}

function claimMessages(fixtures: Fixtures, shape: Shape) {
  const [{ bech32: delegator }] = partiesOf(fixtures, shape)
  const amount = amountOf(fixtures, shape)
  return [amount, amount / 3n].map((reward, offset): MessageDraft => {
    const validator = itemAt(fixtures.validators, shape.token + offset).operatorAddress
    const paid = `${reward}${fixtures.chain.denom}`
    return {
      type: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
      fields: { delegator_address: delegator, validator_address: validator },
      events: [event('withdraw_rewards', { amount: paid, validator, delegator })],
    }
  })
}
