import type { ChainEvent } from '../balanceChanges/events.ts'
import { moveAddress, primaryStore } from '../balanceChanges/stores.ts'
import type { ActionAmount } from './action.ts'
import { moveData } from './events.ts'
import { textOf, wholeOf } from './fields.ts'

/** The losses and gains of an account's primary stores by Move events, for each token. Sums of zero are left out. */
export function storeChanges(events: readonly ChainEvent[], account: string | null) {
  const owner = moveAddress(account)
  const sums = new Map<string, bigint>()
  const add = (kind: 'Withdraw' | 'Deposit', sign: bigint) => {
    for (const data of moveData(events, `0x1::fungible_asset::${kind}Event`)) {
      const [store, metadata] = ['store_addr', 'metadata_addr'].map((key) =>
        moveAddress(textOf(data, key)),
      )
      const amount = wholeOf(textOf(data, 'amount'))
      if (!owner || !store || !metadata || amount === null) continue
      if (primaryStore(owner, metadata) !== store) continue
      sums.set(metadata, (sums.get(metadata) ?? 0n) + sign * amount)
    }
  }
  add('Withdraw', -1n)
  add('Deposit', 1n)
  const amounts = (sign: bigint): readonly ActionAmount[] =>
    [...sums].flatMap(([metadata, sum]) =>
      sum * sign > 0n ? [{ denom: null, metadata: `0x${metadata}`, amount: sum * sign }] : [],
    )
  return { lost: amounts(-1n), got: amounts(1n) }
}
