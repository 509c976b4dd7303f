import { itemAt, pick } from '../random.ts'
import { effectsOf, partiesOf } from './effects.ts'
import type { EvmTransactions } from './evm.ts'
import type { Fixtures } from './fixtures.ts'
import { placeOf } from './schedule.ts'
import { type Series, type Space, select } from './series.ts'
import type { Workload } from './workload.ts'

/** One call within an EVM transaction, as the indexer answers it. */
export interface CallRecord {
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

/** The calls within the EVM transactions of a chain, numbered from 1 in chain order, each transaction's depth first. */
export interface Calls {
  /** The number of the last call of an EVM transaction; 0 for sequence 0. */
  lastOf(evmSequence: number): number
  record(number: number): CallRecord
  byAccount(address: string): Series
}

/** The calls of the EVM transactions. */
export function createCalls(
  fixtures: Fixtures,
  workload: Workload,
  transactions: EvmTransactions,
): Calls {
  const { evm, evmSpace, shapeAt } = workload
  const owners: { readonly evmSequence: number; readonly index: number }[] = []
  const totals = [0]
  for (let evmSequence = 1; evmSequence <= evmSpace.head + evmSpace.span; evmSequence++) {
    const { calls } = shapeAt(evm.at(evmSequence))
    for (let index = 0; index < calls; index++) owners.push({ evmSequence, index })
    totals.push(owners.length)
  }
  const head = totals[evmSpace.head] ?? 0
  const space: Space = { head, span: owners.length - head }

  const lastOf = (evmSequence: number): number => {
    if (evmSequence <= evmSpace.head) return totals[evmSequence] ?? 0
    const beyond = evmSequence - evmSpace.head
    const rest = totals[evmSpace.head + (beyond % evmSpace.span)] ?? 0
    return Math.floor(beyond / evmSpace.span) * space.span + rest
  }
  const ownerOf = (number: number) => {
    if (number <= head) return itemAt(owners, number - 1)
    const beyond = number - head - 1
    const { evmSequence, index } = itemAt(owners, head + (beyond % space.span))
    return { evmSequence: evmSequence + Math.floor(beyond / space.span) * evmSpace.span, index }
  }
  const runOf = (number: number) => {
    const { evmSequence, index } = ownerOf(number)
    const sequence = evm.at(evmSequence)
    const effects = effectsOf(fixtures, shapeAt(sequence), sequence)
    return { evmSequence, sequence, effects, index }
  }
  const endsOf = ({ sequence, effects, index }: ReturnType<typeof runOf>) => {
    const [sender, peer] = partiesOf(fixtures, shapeAt(sequence))
    const target = effects.to || (effects.contractAddress ?? '')
    if (index === 0) return { from: sender.hex, to: target }
    return index === 1
      ? { from: target || sender.hex, to: fixtures.token.hex }
      : { from: fixtures.token.hex, to: peer.hex }
  }
  let ends: readonly ReturnType<typeof endsOf>[] | undefined

  return {
    lastOf,
    record(number) {
      const run = runOf(number)
      const { evmSequence, sequence, effects, index } = run
      const { from, to } = endsOf(run)
      const gas = 21_000 + pick(90_000, fixtures.seed, fixtures.chain.chainId, 'call', number)
      const nested = index === 3 ? 'STATICCALL' : index === 2 ? 'DELEGATECALL' : 'CALL'
      const top = effects.to === '' ? 'CREATE' : 'CALL'
      return {
        height: placeOf(sequence).height,
        hash: transactions.hashOf(evmSequence),
        // The second call has two children of its own, so that the numbering shows its depth.
        parent_index: index === 0 ? -1 : index === 1 ? 0 : 1,
        index,
        type: index === 0 ? top : nested,
        from,
        to,
        input: index === 0 ? effects.input : `0x70a08231${from.slice(2).padStart(64, '0')}`,
        output: index === 0 ? '0x' : `0x${'1'.padStart(64, '0')}`,
        value: index === 0 ? wholeBytes(effects.value) : nested === 'CALL' ? '0x00' : '0x',
        gas: wholeBytes(BigInt(gas)),
        gasUsed: wholeBytes(BigInt(Math.floor(gas * 0.8))),
      }
    },
    byAccount(address) {
      ends ??= owners.map((_, index) => endsOf(runOf(index + 1)))
      const known = ends
      return select(space, (number) => {
        const { from, to } = itemAt(known, number - 1)
        return from === address || to === address
      })
    },
  }
}

function wholeBytes(value: bigint): string {
  const digits = value.toString(16)
  return `0x${digits.length % 2 ? '0' : ''}${digits}`
}
