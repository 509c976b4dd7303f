import type { ChainEvent } from '../../balanceChanges/events.ts'
import { moveAddress, primaryStore } from '../../balanceChanges/stores.ts'
import type { ActionAmount, Draft } from '../action.ts'
import { moveData } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { type Fields, fieldText, wholeOf } from '../fields.ts'
import { coins, says } from '../sentence.ts'

/** The exchanges of the standard library. Only they can emit events of their types. */
const exchanges = ['0x1::dex', '0x1::stableswap']

/** Swaps and liquidity of the exchanges that Move chains have from the start. */
export const moveDex: ActionFamily = {
  types: ['MsgExecute', 'MsgExecuteJSON', 'MsgScript', 'MsgScriptJSON'].map((name) => `initia.move.v1.${name}`),
  read: (step) => {
    const swaps = reported(step.events, 'Swap')
    const provisions = ['Provide', 'SingleAssetProvide'].flatMap((name) => reported(step.events, name))
    const withdrawals = reported(step.events, 'Withdraw')
    const done = [swaps, provisions, withdrawals].filter(({ length }) => length > 0)
    // A call that does two of them has a purpose that its events do not name.
    if (done.length !== 1) return null
    const parts = partsOf(step)
    if (swaps.length > 0) return swap(parts, swaps)
    return provisions.length > 0 ? provide(parts, provisions) : withdraw(parts, withdrawals)
  },
}

type Parts = ReturnType<typeof partsOf>

/** The amounts that the signer gave and received. Pools and routers move tokens of other accounts too. */
function partsOf({ message, events }: ExecutedMessage) {
  const actor = fieldText(message, 'sender')
  const { lost, got } = storeChanges(events, actor)
  return { actor, amounts: lost, received: got }
}

const reported = (events: readonly ChainEvent[], name: string): readonly Fields[] =>
  exchanges.flatMap((exchange) => moveData(events, `${exchange}::${name}Event`))

/** Whether an exchange reports one of these tokens under a key. Calls can use it for tokens of others. */
const hasAny = (amounts: readonly ActionAmount[], reports: readonly Fields[], key: string) =>
  amounts.some(({ metadata }) =>
    reports.some((report) => moveAddress(fieldText(report, key)) === moveAddress(metadata)),
  )

function swap(parts: Parts, reports: readonly Fields[]): Draft | null {
  const { amounts, received } = parts
  if (amounts.length !== 1 || received.length !== 1) return null
  if (!hasAny(amounts, reports, 'offer_coin') || !hasAny(received, reports, 'return_coin')) {
    return null
  }
  const said = says(['Swapped', 'swap'], ' ', coins(amounts), ' for ', coins(received))
  return { kind: 'SWAP', ...parts, says: said }
}

function provide(parts: Parts, reports: readonly Fields[]): Draft | null {
  const { amounts, received } = parts
  if (amounts.length === 0 || !hasAny(received, reports, 'liquidity_token')) return null
  const said = says(['Added', 'add'], ' ', coins(amounts), ' to a liquidity pool')
  return { kind: 'ADD_LIQUIDITY', ...parts, says: said }
}

function withdraw(parts: Parts, reports: readonly Fields[]): Draft | null {
  const { amounts, received } = parts
  if (received.length === 0 || !hasAny(amounts, reports, 'liquidity_token')) return null
  const said = says(['Withdrew', 'withdraw'], ' ', coins(received), ' from a liquidity pool')
  return { kind: 'REMOVE_LIQUIDITY', ...parts, says: said }
}

/** The losses and gains of an account's primary stores by Move events, for each token. Sums of zero are left out. */
function storeChanges(events: readonly ChainEvent[], account: string | null) {
  const owner = moveAddress(account)
  const sums = new Map<string, bigint>()
  const add = (kind: 'Withdraw' | 'Deposit', sign: bigint) => {
    for (const data of moveData(events, `0x1::fungible_asset::${kind}Event`)) {
      const [store, metadata] = ['store_addr', 'metadata_addr'].map((key) => moveAddress(fieldText(data, key)))
      const amount = wholeOf(fieldText(data, 'amount'))
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
