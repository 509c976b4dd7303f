import { once } from '../memoize.ts'
import { itemAt } from '../random.ts'
import { createCalmTraffic } from './calmTraffic.ts'
import { hasReceipt, isSignedAsEthereum } from './ethereum.ts'
import type { Fixtures } from './fixtures.ts'
import { createLivelyTraffic } from './livelyTraffic.ts'
import { calmTransactions, placeOf } from './schedule.ts'
import { rankSpace, representative, type Series, type Space, select } from './series.ts'
import { createSettlements, settledGroup } from './settlement.ts'
import type { Settlement, Shape } from './shape.ts'

/**
 * The transactions of a chain, in order: those of a young chain, then others whose shapes repeat with one period, so every
 * filter over millions of transactions is a periodic series: see series.ts.
 */
export interface Workload {
  readonly space: Space
  shapeAt(sequence: number): Shape
  /** The transactions that also have an EVM receipt. Their ranks are the EVM sequences. */
  readonly evm: Series
  readonly evmSpace: Space
}

/** After this many transactions, what the traffic does repeats. */
const span = 1320

/** The workload of a chain: first one transaction that creates each collection, then the traffic. */
export function createWorkload(fixtures: Fixtures): Workload {
  const created = fixtures.collections.length
  const space: Space = { head: calmTransactions, span }
  const first = space.head - created
  const calm = createCalmTraffic(fixtures, span)
  const lively = once(() => createLivelyTraffic(fixtures, calm, { first, span }))
  const settlementsFrom = (from: number) =>
    createSettlements(fixtures, () =>
      Array.from({ length: span }, (_, index) => from + index)
        .filter((number) => settledGroup(number % span) === undefined)
        .map((number) => shapeAt(created + 1 + number)),
    )
  const [calmSettlements, livelySettlements] = [settlementsFrom(0), settlementsFrom(first)]
  const plainShape = (sequence: number): Shape => {
    const number = sequence - created - 1
    if (number < 0) return creationShape(fixtures, sequence - 1)
    const isLively = number >= first
    const shape = isLively ? lively()(number) : calm(number)
    const group = settledGroup(number % span)
    return group === undefined ? shape : settleShape(shape, group, isLively ? livelySettlements : calmSettlements)
  }
  /** Some do what the one before them in their block does. */
  const shapeOf = (sequence: number): Shape => {
    const shape = plainShape(sequence)
    const canRepeat = fixtures.chain.quirks?.repeats && sequence > created + 1 && placeOf(sequence).index === 1
    if (!canRepeat || !['send', 'execute', 'ibcTransfer'].includes(shape.kind)) return shape
    const before = plainShape(sequence - 1)
    const isRepeatable = before.kind === 'execute' && !before.failed && before.variant < 2
    return isRepeatable && isSignedAsEthereum(fixtures, before) ? { ...before, isRepeat: true } : shape
  }
  const shapes: Shape[] = []
  const shapeAt = (sequence: number): Shape => {
    const index = representative(space, sequence)
    shapes[index] ??= shapeOf(index)
    return shapes[index]
  }
  const evm = select(space, (sequence) => hasReceipt(fixtures, shapeAt(sequence)))
  const evmSpace = once(() => rankSpace(space, evm))
  return {
    space,
    shapeAt,
    evm,
    get evmSpace() {
      return evmSpace()
    },
  }
}

/** Replaces a transaction by a settlement. */
const settleShape = ({ source, peer }: Shape, group: number, settlementOf: (group: number) => Settlement): Shape => ({
  ...{ kind: 'settle', source, sender: peer, peer },
  ...{ failed: false, variant: 0, collection: 0, token: 0, calls: 1 },
  get settlement() {
    return settlementOf(group)
  },
})

function creationShape({ collections }: Fixtures, collection: number): Shape {
  const sender = itemAt(collections, collection).creator
  const rest = { failed: false, variant: 0, token: 0, calls: 1 + (collection % 2) }
  return {
    kind: 'createCollection',
    source: collection + 1,
    sender,
    peer: sender,
    collection,
    ...rest,
  }
}
