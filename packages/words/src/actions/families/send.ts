import { hexAddress } from '../../balanceChanges/owners.ts'
import type { Draft } from '../action.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { coinsIn, fieldsOf, fieldText, itemsOf } from '../fields.ts'
import { coins, says, withAddress } from '../sentence.ts'

const multiSend = 'cosmos.bank.v1beta1.MsgMultiSend'

/** Coins that the bank module sends. */
export const send: ActionFamily = {
  types: ['cosmos.bank.v1beta1.MsgSend', multiSend],
  read: (step) => (step.type === multiSend ? readMultiSend(step) : readSend(step)),
}

function readSend({ message }: ExecutedMessage): Draft {
  const counterparty = fieldText(message, 'to_address')
  const amounts = coinsIn(message.amount)
  return {
    kind: 'SEND',
    actor: fieldText(message, 'from_address'),
    counterparty,
    amounts,
    says: says(['Sent', 'send'], ' ', coins(amounts), withAddress('to', counterparty)),
  }
}

function readMultiSend({ message }: ExecutedMessage): Draft {
  const [input = {}] = itemsOf(message.inputs).map(fieldsOf)
  const amounts = coinsIn(input.coins)
  const receivers = itemsOf(message.outputs).map(fieldsOf)
  const addresses = receivers.map((output) => fieldText(output, 'address'))
  const count = new Set(addresses.map((address) => hexAddress(address ?? ''))).size
  const to = count === 1 ? withAddress('to', addresses[0] ?? null) : ` to ${count} accounts`
  return {
    kind: 'MULTI_SEND',
    actor: fieldText(input, 'address'),
    amounts,
    says: says(['Sent', 'send'], ' ', coins(amounts), count > 0 ? to : []),
  }
}
