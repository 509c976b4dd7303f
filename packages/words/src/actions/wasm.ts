import { type ChainEvent, parsed } from '../balanceChanges/events.ts'
import { attributeOf, eventsOfType } from './events.ts'
import type { ExecutedMessage } from './family.ts'
import { type Fields, fieldsOf, fieldText } from './fields.ts'

/** A call of a Wasm contract: the only key of its message is the function, and its value the arguments. */
export interface WasmCall {
  readonly actor: string | null
  readonly contract: string | null
  readonly name: string | null
  readonly args: Fields
}

/** The type of a message that calls a Wasm contract. */
export const executeContract = 'cosmwasm.wasm.v1.MsgExecuteContract'

export function wasmCallOf({ message }: ExecutedMessage): WasmCall {
  const msg = fieldsOf(typeof message.msg === 'string' ? jsonOf(message.msg) : message.msg)
  const [name = null, ...others] = Object.keys(msg)
  return {
    actor: fieldText(message, 'sender'),
    contract: fieldText(message, 'contract'),
    name: others.length === 0 ? name : null,
    args: fieldsOf(name === null || others.length > 0 ? null : msg[name]),
  }
}

/** Some nodes write the message as JSON in base64. */
function jsonOf(text: string): unknown {
  if (text.startsWith('{')) return parsed(text)
  try {
    return parsed(atob(text))
  } catch {
    return null
  }
}

/**
 * The attributes that the called contract itself reports under an action. The node adds the address of the
 * contract, which no contract can forge.
 */
export const reportOf = (
  events: readonly ChainEvent[],
  contract: string | null,
  action: string | null,
): ChainEvent | undefined =>
  eventsOfType(events, 'wasm').find(
    (event) => attributeOf(event, '_contract_address') === contract && attributeOf(event, 'action') === action,
  )
