import type { ActionAmount, Draft } from '../action.ts'
import { coinsReceivedBy } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { coinsIn, fieldText } from '../fields.ts'
import { coins, says, withAddress } from '../sentence.ts'

// Initia has a staking module of its own, with several coins in one message.
const modules = ['initia.mstaking.v1', 'cosmos.staking.v1beta1']

const readers: Readonly<Record<string, (step: ExecutedMessage) => Draft>> = {
  MsgDelegate: (step) => ({
    kind: 'STAKE',
    ...partsOf(step),
    says: says(['Delegated', 'delegate'], ' ', coins(amountsOf(step)), to(step)),
  }),
  MsgUndelegate: (step) => ({
    kind: 'UNSTAKE',
    ...partsOf(step),
    says: says(['Undelegated', 'undelegate'], ' ', coins(amountsOf(step)), from(step)),
  }),
  MsgCancelUnbondingDelegation: (step) => ({
    kind: 'STAKE',
    ...partsOf(step),
    says: says(['Cancelled the unbonding of', 'cancel the unbonding of'], ' ', coins(amountsOf(step)), from(step)),
  }),
  MsgBeginRedelegate: (step) => ({
    kind: 'REDELEGATE',
    ...partsOf(step),
    validator: fieldText(step.message, 'validator_dst_address'),
    says: says(
      ['Redelegated', 'redelegate'],
      ' ',
      coins(amountsOf(step)),
      withAddress('from', fieldText(step.message, 'validator_src_address')),
      withAddress('to', fieldText(step.message, 'validator_dst_address')),
    ),
  }),
}

/** Coins that are delegated, undelegated, or delegated to another validator. */
export const staking: ActionFamily = {
  types: modules.flatMap((module) => Object.keys(readers).map((name) => `${module}.${name}`)),
  read: (step) => {
    const draft = readers[step.type.split('.').at(-1) ?? '']?.(step)
    return draft ? withRewards(draft, coinsReceivedBy(step.events, draft.actor ?? null)) : null
  },
}

/** A change of a delegation pays out its rewards, which is all that the bank module gives the delegator. */
const withRewards = (draft: Draft, received: readonly ActionAmount[]): Draft =>
  received.length === 0
    ? draft
    : {
        ...draft,
        received,
        says: says(draft.says.verb, draft.says.pieces, ', got ', coins(received), ' of rewards'),
      }

const amountsOf = ({ message }: ExecutedMessage) => coinsIn(message.amount)

const partsOf = (step: ExecutedMessage) => ({
  actor: fieldText(step.message, 'delegator_address'),
  validator: fieldText(step.message, 'validator_address'),
  amounts: amountsOf(step),
})

const to = ({ message }: ExecutedMessage) => withAddress('to', fieldText(message, 'validator_address'))
const from = ({ message }: ExecutedMessage) => withAddress('from', fieldText(message, 'validator_address'))
