import { itemAt } from '../random.ts'
import { event, type MessageDraft } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { stakeFormOf } from './moves.ts'
import { amountOf, partiesOf } from './parties.ts'
import { timeOf } from './schedule.ts'
import type { Shape } from './shape.ts'

const unbondingMs = 21 * 86_400_000

/** The message of a delegator. */
export function stakeMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const { chain, validators } = fixtures
  const [{ bech32: delegator }] = partiesOf(fixtures, shape)
  const amount = String(amountOf(fixtures, shape))
  const coins = [{ denom: chain.denom, amount }]
  const text = `${amount}${chain.denom}`
  const validator = itemAt(validators, shape.token).operatorAddress
  const next = itemAt(validators, shape.token + 1).operatorAddress
  const completion_time = new Date(timeOf(chain, sequence) + unbondingMs).toISOString()
  const sent = event('message', { module: 'mstaking', sender: delegator })
  const parties = { delegator_address: delegator, validator_address: validator }
  switch (stakeFormOf(shape)) {
    case 'delegate':
      return {
        type: '/initia.mstaking.v1.MsgDelegate',
        fields: { ...parties, amount: coins },
        events: [event('delegate', { validator, delegator, amount: text }), sent],
      }
    case 'undelegate':
      return {
        type: '/initia.mstaking.v1.MsgUndelegate',
        fields: { ...parties, amount: coins },
        events: [event('unbond', { validator, delegator, amount: text, completion_time }), sent],
      }
    case 'redelegate':
      return {
        type: '/initia.mstaking.v1.MsgBeginRedelegate',
        fields: {
          delegator_address: delegator,
          validator_src_address: validator,
          validator_dst_address: next,
          amount: coins,
        },
        events: [
          event('redelegate', {
            source_validator: validator,
            destination_validator: next,
            amount: text,
            completion_time,
          }),
          sent,
        ],
      }
    case 'vote': {
      const proposal_id = String(1 + (sequence % 40))
      return {
        type: '/cosmos.gov.v1.MsgVote',
        fields: { proposal_id, voter: delegator, option: 'VOTE_OPTION_YES', metadata: '' },
        events: [
          event('proposal_vote', {
            voter: delegator,
            option: '{"option":"VOTE_OPTION_YES","weight":"1.000000000000000000"}',
            proposal_id,
          }),
        ],
      }
    }
  }
}
