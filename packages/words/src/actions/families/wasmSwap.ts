import { isSameAddress } from '../../addresses/bytes.ts'
import type { ActionAmount } from '../action.ts'
import { attributeOf } from '../events.ts'
import type { ActionFamily } from '../family.ts'
import { wholeOf } from '../fields.ts'
import { coins, says } from '../sentence.ts'
import { executeContract, reportOf, wasmCallOf } from '../wasm.ts'

/** Swaps at Wasm contracts that report both sides, as pools in the tradition of Terraswap do. */
export const wasmSwap: ActionFamily = {
  types: [executeContract],
  read: (step) => {
    const { actor, contract, name } = wasmCallOf(step)
    const report = name === 'swap' ? reportOf(step.events, contract, name) : undefined
    if (!report || !isSameAddress(attributeOf(report, 'receiver'), actor)) return null
    const side = (asset: string, amount: string): readonly ActionAmount[] => {
      const [denom, units] = [attributeOf(report, asset), wholeOf(attributeOf(report, amount))]
      return denom && units !== null ? [{ denom, amount: units }] : []
    }
    const amounts = side('offer_asset', 'offer_amount')
    const received = side('ask_asset', 'return_amount')
    if (amounts.length === 0 || received.length === 0) return null
    return {
      kind: 'SWAP',
      actor,
      contract,
      function: name,
      amounts,
      received,
      says: says(['Swapped', 'swap'], ' ', coins(amounts), ' for ', coins(received)),
    }
  },
}
