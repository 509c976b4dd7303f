import type { Vm } from '../chains.ts'
import { once } from '../memoize.ts'
import { itemAt, pick } from '../random.ts'
import { withBurns } from './burns.ts'
import { hasReceipt, isSignedAsEthereum } from './ethereum.ts'
import { type Fixtures, randomUser } from './fixtures.ts'
import { placeOf } from './schedule.ts'
import { rankSpace, representative, type Series, type Space, select } from './series.ts'
import { createSettlements, settledGroup } from './settlement.ts'
import type { Shape, TransactionKind } from './shape.ts'

/**
 * The transactions of a chain, in order. Their shapes repeat with one period, so every filter over
 * millions of transactions is a periodic series: see series.ts.
 */
export interface Workload {
  readonly space: Space
  shapeAt(sequence: number): Shape
  /** The transactions that also have an EVM receipt. Their ranks are the EVM sequences. */
  readonly evm: Series
  readonly evmSpace: Space
}

const kinds: Readonly<Record<Vm, readonly TransactionKind[]>> = {
  move: [
    ...(['send', 'execute', 'receive', 'delegate', 'transferNft', 'deposit', 'send', 'ibcTransfer'] as const),
    ...(['execute', 'claim', 'receive', 'send', 'delegate', 'execute', 'transferNft'] as const),
  ],
  evm: [
    ...(['execute', 'receive', 'send', 'execute', 'transferNft', 'deploy', 'execute'] as const),
    ...(['ibcTransfer', 'execute', 'withdraw', 'receive', 'execute', 'transferNft', 'send'] as const),
  ],
  wasm: [
    ...(['execute', 'receive', 'send', 'execute', 'transferNft', 'ibcTransfer', 'execute'] as const),
    ...(['send', 'withdraw', 'receive', 'execute', 'transferNft', 'send'] as const),
  ],
}
const span = 1320

/** The workload of a chain: first one transaction that creates each collection, then repeating traffic. */
export function createWorkload(fixtures: Fixtures): Workload {
  const space: Space = { head: fixtures.collections.length, span }
  const nfts = fixtures.collections.flatMap(({ tokens }, collection) =>
    tokens.map(({ firstOwner }, token) => ({ collection, token, firstOwner })),
  )
  const shapes = Array.from({ length: space.head + span }, (_, index) =>
    index < space.head ? creationShape(fixtures, index) : trafficShape(fixtures, nfts, index - space.head),
  )
  if (fixtures.chain.quirks?.repeats) repeatSome(fixtures, shapes, space.head)
  settle(fixtures, shapes, space.head)
  const shapeAt = (sequence: number) => itemAt(shapes, representative(space, sequence) - 1)
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

/** Replaces some transactions by a repetition of the one before them in their block. */
function repeatSome(fixtures: Fixtures, shapes: Shape[], head: number): void {
  for (const [index, shape] of shapes.entries()) {
    const before = shapes[index - 1]
    const isSecond = index > head && placeOf(index + 1).index === 1
    if (!isSecond || !before || !['send', 'execute', 'ibcTransfer'].includes(shape.kind)) continue
    const isRepeatable = before.kind === 'execute' && !before.failed && before.variant < 2
    if (!isRepeatable || !isSignedAsEthereum(fixtures, before)) continue
    shapes[index] = { ...before, isRepeat: true }
  }
}

/** Replaces some transactions by settlements for all others of the period. */
function settle(fixtures: Fixtures, shapes: Shape[], head: number): void {
  const settlementOf = createSettlements(
    fixtures,
    shapes.filter((_, index) => index >= head && settledGroup(index - head) === undefined),
  )
  for (const [index, { source, peer }] of shapes.entries()) {
    const group = index < head ? undefined : settledGroup(index - head)
    if (group === undefined) continue
    const rest = {
      sender: peer,
      peer,
      failed: false,
      variant: 0,
      collection: 0,
      token: 0,
      calls: 1,
    }
    shapes[index] = {
      kind: 'settle',
      source,
      ...rest,
      get settlement() {
        return settlementOf(group)
      },
    }
  }
}

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

interface Nft {
  readonly collection: number
  readonly token: number
  readonly firstOwner: number
}

function trafficShape({ chain, seed, collections }: Fixtures, nfts: readonly Nft[], number: number): Shape {
  const { chainId } = chain
  const kind = itemAt(kinds[chain.vm], number)
  const nft = itemAt(nfts, pick(nfts.length, seed, chainId, 'nft', number))
  const sender = kind === 'transferNft' ? nft.firstOwner : randomUser(seed, chainId, 'sender', number)
  const peer = randomUser(seed, chainId, 'peer', number)
  const shape: Shape = {
    kind,
    source: collections.length + 1 + number,
    sender,
    // The two parties differ: an even index goes up by one, an odd one down.
    peer: peer === sender ? peer + 1 - 2 * (peer % 2) : peer,
    failed: number % 11 === 4 && kind !== 'receive',
    variant: pick(3, seed, chainId, 'variant', number),
    calls: 1 + pick(4, seed, chainId, 'calls', number),
    collection: nft.collection,
    token: nft.token,
  }
  return withBurns(chain.vm, collections, number, shape)
}
