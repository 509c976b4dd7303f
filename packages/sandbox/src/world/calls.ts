import { itemAt, pick } from '../random.ts'
import { costOf } from './costs.ts'
import { effectsOf } from './effects.ts'
import type { EvmTransactions } from './evm.ts'
import type { Fixtures } from './fixtures.ts'
import { partiesOf } from './parties.ts'
import { placeOf } from './schedule.ts'
import { type Series, type Space, select } from './series.ts'
import type { Workload } from './workload.ts'

/** An EVM internal transaction as the indexer returns it. */
interface CallRecord {
  readonly height: number
  readonly hash: string
  readonly parent_index: number
  readonly index: number
  readonly type: string
  readonly from: string
  readonly to: string
  readonly input: string
  readonly output: string
  readonly value: string
  readonly gas: string
  readonly gasUsed: string
}

/** The calls within the EVM transactions of a chain, numbered from 1 in chain order, and depth first within a transaction. */
export interface Calls {
  /** The number of the last call of an EVM transaction. 0 for sequence 0. */
  lastOf(evmSequence: number): number
  record(number: number): CallRecord
  /** The calls from or to the 0x address. */
  byAccount(address: string): Series
}

/** Gas of a transaction that none of its calls has: the base fee of the EVM. */
const intrinsicGas = 21_000n

/** Creates the calls of the EVM transactions. */
export function createCalls(fixtures: Fixtures, workload: Workload, transactions: EvmTransactions): Calls {
  const { evm, evmSpace, shapeAt } = workload
  const origins: { readonly evmSequence: number; readonly index: number }[] = []
  const totals = [0]
  for (let evmSequence = 1; evmSequence <= evmSpace.head + evmSpace.span; evmSequence++) {
    const { calls } = shapeAt(evm.at(evmSequence))
    for (let index = 0; index < calls; index++) origins.push({ evmSequence, index })
    totals.push(origins.length)
  }
  const head = totals[evmSpace.head] ?? 0
  const space: Space = { head, span: origins.length - head }

  const lastOf = (evmSequence: number): number => {
    if (evmSequence <= evmSpace.head) return totals[evmSequence] ?? 0
    const beyond = evmSequence - evmSpace.head
    const rest = totals[evmSpace.head + (beyond % evmSpace.span)] ?? 0
    return Math.floor(beyond / evmSpace.span) * space.span + rest
  }
  const originOf = (number: number) => {
    if (number <= head) return itemAt(origins, number - 1)
    const beyond = number - head - 1
    const { evmSequence, index } = itemAt(origins, head + (beyond % space.span))
    return { evmSequence: evmSequence + Math.floor(beyond / space.span) * evmSpace.span, index }
  }
  const contextOf = (number: number) => {
    const { evmSequence, index } = originOf(number)
    const sequence = evm.at(evmSequence)
    const effects = effectsOf(fixtures, shapeAt(sequence))
    return { evmSequence, sequence, effects, index }
  }
  const endsOf = ({ sequence, effects, index }: ReturnType<typeof contextOf>) => {
    const [sender, peer] = partiesOf(fixtures, shapeAt(sequence))
    const target = effects.to || (effects.contractAddress ?? '')
    if (index === 0) return { from: sender.hex, to: target }
    return index === 1
      ? { from: target || sender.hex, to: fixtures.token.hex }
      : { from: fixtures.token.hex, to: peer.hex }
  }
  /** Gas of a call: less than that of the call around it, and of the transaction around all of them. */
  const gasOf = ({ sequence, index }: ReturnType<typeof contextOf>, number: number) => {
    const { gasWanted, gasUsed } = costOf(fixtures, shapeAt(sequence))
    const limit = gasWanted - intrinsicGas
    const spent = (gasUsed < gasWanted ? gasUsed : gasWanted) - intrinsicGas
    if (index === 0) return { gas: limit, gasUsed: spent }
    // A call can give 63 of 64 parts of its gas to another one. The second call spends most, its two children the rest.
    const depth = index === 1 ? 1n : 2n
    const share = 20 + pick(20, fixtures.seed, fixtures.chain.chainId, 'call', number - index)
    return {
      gas: (limit * 63n ** depth) / 64n ** depth,
      gasUsed: (spent * BigInt(index === 1 ? 2 * share : Math.floor(share / 2))) / 100n,
    }
  }
  let allEnds: readonly ReturnType<typeof endsOf>[] | undefined

  return {
    lastOf,
    record(number) {
      const context = contextOf(number)
      const { evmSequence, sequence, effects, index } = context
      const { from, to } = endsOf(context)
      const { gas, gasUsed } = gasOf(context, number)
      const nested = index === 3 ? 'STATICCALL' : index === 2 ? 'DELEGATECALL' : 'CALL'
      const top = effects.to === '' ? 'CREATE' : 'CALL'
      return {
        height: placeOf(sequence).height,
        hash: transactions.hashOf(evmSequence),
        // The second call has two children, so that depth-first numbering matters.
        parent_index: index === 0 ? -1 : index === 1 ? 0 : 1,
        index,
        type: index === 0 ? top : nested,
        from,
        to,
        input: index === 0 ? effects.input : `0x70a08231${from.slice(2).padStart(64, '0')}`,
        output: index === 0 ? '0x' : `0x${'1'.padStart(64, '0')}`,
        value: index === 0 ? wholeBytes(effects.value) : nested === 'CALL' ? '0x00' : '0x',
        gas: wholeBytes(gas),
        gasUsed: wholeBytes(gasUsed),
      }
    },
    byAccount(address) {
      allEnds ??= origins.map((_, index) => endsOf(contextOf(index + 1)))
      const known = allEnds
      return select(space, (number) => {
        const { from, to } = itemAt(known, number - 1)
        return from === address || to === address
      })
    },
  }
}

/** A hex number with an even number of digits. */
function wholeBytes(value: bigint): string {
  const digits = value.toString(16)
  return `0x${digits.length % 2 ? '0' : ''}${digits}`
}
