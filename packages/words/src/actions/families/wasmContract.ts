import type { Draft } from '../action.ts'
import { attributeIn } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { coinsIn, fieldText } from '../fields.ts'
import { coins, says, withAddress, withId } from '../sentence.ts'
import { executeContract, wasmCallOf } from '../wasm.ts'

const wasm = 'cosmwasm.wasm.v1'

const readers: Readonly<Record<string, (step: ExecutedMessage) => Draft>> = {
  [executeContract]: (step) => {
    const { actor, contract, name } = wasmCallOf(step)
    const amounts = coinsIn(step.message.funds)
    // Contracts name their functions as they like. Only an identifier can stand in a sentence.
    const called = name !== null && /^\w{1,64}$/.test(name) ? name : null
    return {
      kind: 'CONTRACT_CALL',
      actor,
      contract,
      function: called,
      amounts,
      says: says(
        ['Called', 'call'],
        withId('', called),
        withAddress(called ? 'of' : '', contract),
        amounts.length > 0 ? [' with ', coins(amounts)] : [],
      ),
    }
  },
  [`${wasm}.MsgInstantiateContract`]: instantiated,
  [`${wasm}.MsgInstantiateContract2`]: instantiated,
  [`${wasm}.MsgStoreCode`]: ({ message, events }) => {
    const code = attributeIn(events, 'store_code', 'code_id')
    return {
      kind: 'CONTRACT_DEPLOY',
      actor: fieldText(message, 'sender'),
      says: says(['Uploaded', 'upload'], code ? withId('code', code) : ' code', ' for contracts'),
    }
  },
  [`${wasm}.MsgMigrateContract`]: ({ message }) => {
    const contract = fieldText(message, 'contract')
    return {
      kind: 'CONTRACT_CALL',
      actor: fieldText(message, 'sender'),
      contract,
      says: says(
        ['Migrated', 'migrate'],
        contract ? withAddress('contract', contract) : ' a contract',
        withId('to code', fieldText(message, 'code_id')),
      ),
    }
  },
}

/** Other calls of Wasm contracts, new contracts, and their code. */
export const wasmContract: ActionFamily = {
  types: Object.keys(readers),
  read: (step) => readers[step.type]?.(step) ?? null,
}

function instantiated({ message, events }: ExecutedMessage): Draft {
  const contract = attributeIn(events, 'instantiate', '_contract_address')
  const label = fieldText(message, 'label')
  return {
    kind: 'CONTRACT_DEPLOY',
    actor: fieldText(message, 'sender'),
    contract,
    says: says(
      ['Created', 'create'],
      contract ? withAddress('contract', contract) : ' a contract',
      label ? [' named ', { quoted: label }] : [],
      withId('from code', fieldText(message, 'code_id')),
    ),
  }
}
