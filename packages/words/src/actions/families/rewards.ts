import { isSameAddress } from '../../addresses/bytes.ts'
import type { ActionAmount } from '../action.ts'
import { attributeOf, eventsOfType } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { accountOfOperator, coinsOfText, fieldText } from '../fields.ts'
import { coins, says, withAddress } from '../sentence.ts'

const commission = 'cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission'

/** Rewards of delegators, and the commission of validators. */
export const rewards: ActionFamily = {
  types: ['cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', commission],
  read: (step) => (step.type === commission ? readCommission(step) : readReward(step)),
}

function readReward({ message, events }: ExecutedMessage) {
  const validator = fieldText(message, 'validator_address')
  const paid = eventsOfType(events, 'withdraw_rewards').filter((event) =>
    isSameAddress(attributeOf(event, 'validator'), validator),
  )
  const received = paidIn(paid.map((event) => attributeOf(event, 'amount')))
  return {
    kind: 'CLAIM_REWARDS',
    actor: fieldText(message, 'delegator_address'),
    validator,
    received,
    says: says(
      ['Claimed', 'claim'],
      ' ',
      coins(received, 'rewards'),
      received.length > 0 ? ' of rewards' : [],
      withAddress('from', validator),
    ),
  } as const
}

function readCommission({ message, events }: ExecutedMessage) {
  const paid = eventsOfType(events, 'withdraw_commission')
  const received = paidIn(paid.map((event) => attributeOf(event, 'amount')))
  const validator = fieldText(message, 'validator_address')
  return {
    kind: 'CLAIM_REWARDS',
    actor: accountOfOperator(validator),
    validator,
    received,
    says: says(
      ['Claimed', 'claim'],
      ' ',
      coins(received, 'commission'),
      received.length > 0 ? ' of commission' : [],
      withAddress('as validator', validator),
    ),
  } as const
}

/** The coins of the only event. None if there are several, or if it has another form. */
const paidIn = (texts: readonly (string | null)[]): readonly ActionAmount[] =>
  texts.length === 1 ? coinsOfText(texts[0]) : []
