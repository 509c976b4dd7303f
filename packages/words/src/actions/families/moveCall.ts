import type { ActionFamily } from '../family.ts'
import { fieldText, itemsOf } from '../fields.ts'
import { says } from '../sentence.ts'

const publish = ['initia.move.v1.MsgPublish', 'initia.move.v1.MsgGovPublish']
const script = ['MsgScript', 'MsgScriptJSON', 'MsgGovScript', 'MsgGovScriptJSON'].map(
  (name) => `initia.move.v1.${name}`,
)

/** Other calls of Move modules, scripts, and new modules. */
export const moveCall: ActionFamily = {
  types: [
    'initia.move.v1.MsgExecute',
    'initia.move.v1.MsgExecuteJSON',
    'initia.move.v1.MsgGovExecute',
    'initia.move.v1.MsgGovExecuteJSON',
    ...script,
    ...publish,
  ],
  read: ({ type, message }) => {
    const actor = fieldText(message, 'sender') ?? fieldText(message, 'authority')
    if (publish.includes(type)) {
      const count = itemsOf(message.code_bytes).length
      const what = count > 1 ? ` ${count} Move modules` : ' a Move module'
      return { kind: 'CONTRACT_DEPLOY', actor, says: says(['Published', 'publish'], what) }
    }
    if (script.includes(type)) {
      return { kind: 'CONTRACT_CALL', actor, says: says(['Ran', 'run'], ' a Move script') }
    }
    const contract = fieldText(message, 'module_address')
    const names = ['module_name', 'function_name'].map((key) => fieldText(message, key))
    // Names in Move are identifiers. Any other text is not a name.
    const isNamed = names.every((name) => name !== null && /^\w{1,255}$/.test(name))
    const called = [contract, ...names].join('::')
    return {
      kind: 'CONTRACT_CALL',
      actor,
      contract,
      function: isNamed && contract ? called : null,
      says:
        isNamed && contract ? says(['Called', 'call'], ' ', { called }) : says(['Called', 'call'], ' a Move function'),
    }
  },
}
