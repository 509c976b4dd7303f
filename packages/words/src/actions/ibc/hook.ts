import { bytesOf, isSameAddress } from '../../addresses/bytes.ts'
import type { ChainEvent } from '../../balanceChanges/events.ts'
import type { Piece } from '../action.ts'
import { attributeOf } from '../events.ts'
import { type Fields, fieldsOf, fieldText } from '../fields.ts'

/** The call of a contract that a transfer asks for in its memo. */
export interface Hook {
  readonly contract: string | null
  /** The function. Null if the memo does not name one. */
  readonly function: string | null
}

/**
 * The call in the memo of a transfer, which the chain that gets it makes with the coins: of a Wasm contract (ibc-hooks of
 * Osmosis), a Move module or an EVM contract (`x/ibc-hooks` of Initia, `app/ibc-hooks` of MiniEVM). Null if there is none.
 */
export function hookIn(memo: Fields): Hook | null {
  const [wasm, move, evm] = [memo.wasm, memo.move, memo.evm].map(fieldsOf)
  return ofWasm(messageIn(wasm)) ?? ofMove(messageIn(move)) ?? ofEvm(messageIn(evm))
}

/** Initia puts the call under a key of its own, beside a callback. */
const messageIn = (hook: Fields = {}): Fields =>
  [hook.message, hook.message_json].map(fieldsOf).find((each) => Object.keys(each).length > 0) ?? hook

function ofWasm(call: Fields): Hook | null {
  const contract = fieldText(call, 'contract')
  const [name = null, ...others] = Object.keys(fieldsOf(call.msg))
  if (contract === null) return null
  return { contract, function: others.length === 0 && isName(name) ? name : null }
}

function ofMove(call: Fields): Hook | null {
  const contract = fieldText(call, 'module_address')
  const names = ['module_name', 'function_name'].map((key) => fieldText(call, key))
  if (contract === null) return null
  const isNamed = bytesOf(contract) !== null && names.every(isName)
  return { contract, function: isNamed ? [contract, ...names].join('::') : null }
}

function ofEvm(call: Fields): Hook | null {
  const contract = fieldText(call, 'contract_addr')
  const selector = /^(?:0x)?([0-9a-f]{8})/i.exec(fieldText(call, 'input') ?? '')?.[1]
  if (contract === null) return null
  return { contract, function: selector ? `0x${selector.toLowerCase()}` : null }
}

const isName = (name: string | null): boolean => name !== null && /^\w{1,64}$/.test(name)

/** What is called: a function of a Move module, a function of a contract, or a contract. */
export function hookPieces({ contract, function: called }: Hook): readonly Piece[] {
  if (called?.includes('::')) return [{ called }]
  const of = contract ? [{ address: contract }] : ['a contract']
  if (called === null) return of
  return [called.startsWith('0x') ? { called } : { id: called }, ' of ', ...of]
}

/** The events of virtual machines that name the contract of a call, with their key for it. */
const callEvents: Readonly<Record<string, string>> = {
  execute: '_contract_address',
  wasm: '_contract_address',
  call: 'contract',
}

/** Whether the chain made the call. One without the middleware keeps the memo as a text. */
export const isCalled = ({ contract }: Hook, events: readonly ChainEvent[]): boolean =>
  events.some((event) => {
    const key = callEvents[event.type]
    if (key === undefined) return false
    const named = attributeOf(event, key) ?? attributeOf(event, 'module_addr')
    return isSameAddress(named, contract)
  })
