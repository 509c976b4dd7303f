import type { Draft } from '../action.ts'
import { attributeIn } from '../events.ts'
import { readEvmCall } from '../evmCall.ts'
import { logsInEvents } from '../evmLogs.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { fieldText } from '../fields.ts'
import { says, withAddress } from '../sentence.ts'

const call = 'minievm.evm.v1.MsgCall'

/** Calls of EVM contracts, and new ones. */
export const evmMessages: ActionFamily = {
  types: [call, 'minievm.evm.v1.MsgCreate', 'minievm.evm.v1.MsgCreate2'],
  read: (step) => (step.type === call ? readCall(step) : readCreation(step)),
}

const readCall = ({ message, events, isSuccessful }: ExecutedMessage): Draft =>
  readEvmCall({
    actor: fieldText(message, 'sender'),
    target: fieldText(message, 'contract_addr'),
    input: fieldText(message, 'input') ?? '',
    logs: logsInEvents(events),
    isSuccessful,
  })

const readCreation = ({ message, events }: ExecutedMessage): Draft =>
  creationOf(fieldText(message, 'sender'), attributeIn(events, 'create', 'contract'))

/** The creation of a contract. Its address is not known if it failed. */
export const creationOf = (actor: string | null, contract: string | null): Draft => ({
  kind: 'CONTRACT_DEPLOY',
  actor,
  contract: contract || null,
  says: says(['Created', 'create'], contract ? withAddress('contract', contract) : ' a contract'),
})
