import { bech32 } from '@scure/base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxChains } from '../../../../packages/sandbox/src/chains.ts'
import { type Sandbox, startSandbox } from '../../../../packages/sandbox/src/sandbox.ts'
import type { Leg, Movement } from '../../../support/movement.ts'
import { movementsOfAccount, walkBridgeTransfers } from '../../../support/straightWalk.ts'

const minute = 60_000
/** When the second cycle of the stories begins: the traveller has each story once in the 20 minutes from then on. */
const cycle = Math.max(...sandboxChains.map(({ genesis }) => genesis)) + 140 * minute

let time = cycle
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ clock: () => time })
})
afterAll(() => sandbox.close())

/** The movements that began in the cycle from a minute on, by what is known at a later one. */
const known = async (from: number, at: number): Promise<readonly Movement[]> => {
  time = cycle + at * minute
  const all = await walkBridgeTransfers(sandbox, { since: cycle + from * minute - 2_300, until: time })
  return all.filter(({ departure, arrival }) => secondOf(departure ?? arrival) < 1_195)
}

const secondOf = (leg: Leg | null): number => (Date.parse(leg?.time ?? '') - cycle) / 1_000

/**
 * The stories of each pair: the minute and the way, with the hub as H, the rollup as R and the next rollup as N, the state
 * at the end, the amount in hundredths of a coin, and the legs that there are.
 */
const stories = [
  [0, 'IBC R H', 'ARRIVED', 150, 'departure arrival'],
  [1, 'IBC H R', 'ARRIVED', 157, 'departure arrival'],
  [2, 'IBC H R', 'REFUNDED', 164, 'departure arrival refund'],
  [3, 'IBC R H', 'REFUNDED', 171, 'departure arrival refund'],
  [4, 'IBC H R', 'TIMED_OUT', 178, 'departure refund'],
  [5, 'IBC R H', 'TIMED_OUT', 185, 'departure refund'],
  [6, 'IBC H R', 'ARRIVED', 192, 'departure arrival'],
  [7, 'IBC R H', 'ARRIVED', 199, 'departure arrival'],
  [8, 'IBC R H', 'PASSED_ON', 333, 'departure arrival'],
  [8, 'IBC H N', 'ARRIVED', 333, 'departure arrival'],
  [9, 'OPINIT H R', 'ARRIVED', 210, 'departure arrival'],
  [10, 'OPINIT H R', 'ARRIVED', 219, 'departure arrival'],
  [11, 'OPINIT H R', 'REFUNDED', 228, 'departure arrival refund'],
  [12, 'OPINIT R H', 'ARRIVED', 237, 'departure arrival'],
  [13, 'OPINIT R H', 'UNKNOWN', 246, 'departure'],
  [14, 'IBC R H', 'REFUNDED', 347, 'departure arrival refund'],
  [14, 'IBC H N', 'REFUNDED', 347, 'departure arrival refund'],
  [15, 'IBC R H', 'ARRIVED', 361, 'departure arrival'],
  [16, 'IBC H R', 'REFUNDED', 173, 'departure arrival refund'],
  [17, 'OPINIT R H', 'ARRIVED', 255, 'departure arrival'],
  [18, 'IBC H R', 'ARRIVED', 273, 'departure arrival'],
  [19, 'IBC R H', 'ARRIVED', 264, 'departure arrival'],
] as const

/** The minutes of the stories over IBC v2, which a rollup with an EVM has. */
const minutesOfV2: readonly number[] = [15, 16]

const rollups = [
  { R: 'galley-1', N: 'lantern-1', decimals: 18 },
  { R: 'lantern-1', N: 'galley-1', decimals: 6 },
]

/** What a test compares of a movement. */
const told = ({ bridge, way, amount, state, ...legs }: Movement) => ({
  way: `${bridge} ${way.sourceChainId} ${way.destinationChainId}`,
  ...{ amount, state },
  legs: (['departure', 'arrival', 'refund'] as const).filter((name) => legs[name]).join(' '),
})

test.each([
  // What is known of the stories of a minute of the first pair, some seconds after they began.
  [0, 5, ['UNKNOWN']],
  [0, 20, ['ARRIVED']],
  [2, 20, ['REFUSED']],
  [2, 40, ['REFUNDED']],
  [4, 100, ['UNKNOWN']],
  [4, 160, ['TIMED_OUT']],
  [8, 20, ['PASSED_ON', 'UNKNOWN']],
  [8, 40, ['PASSED_ON', 'ARRIVED']],
  [11, 20, ['REFUSED']],
  [11, 240, ['REFUNDED']],
  [12, 200, ['UNKNOWN']],
  [12, 240, ['ARRIVED']],
  [14, 20, ['PASSED_ON', 'UNKNOWN']],
  [14, 30, ['PASSED_ON', 'REFUSED']],
  [14, 42, ['REFUSED', 'REFUNDED']],
  [14, 55, ['REFUNDED', 'REFUNDED']],
  [15, 20, ['ARRIVED']],
  [16, 20, ['REFUSED']],
  [16, 40, ['REFUNDED']],
  [17, 320, ['UNKNOWN']],
  [17, 340, ['ARRIVED']],
])('minute %i after %i seconds: %j', async (at, seconds, states) => {
  const own = movementsOfAccount(await known(at, at + seconds / 60), sandbox.traveller)
  const ofStory = own.filter(({ departure }) => Math.abs(secondOf(departure) - at * 60 - 7) < 14)
  expect(ofStory.map(({ state }) => state)).toEqual(states)
})

describe('at the end', () => {
  let all: readonly Movement[]
  beforeAll(async () => {
    all = await known(0, 30)
  })

  test('the traveller has the movements of each story', () => {
    const own = movementsOfAccount(all, sandbox.traveller)
    const expected = rollups.flatMap(({ decimals, ...chains }, pair) =>
      stories
        .filter(([at]) => pair === 0 || !minutesOfV2.includes(at))
        .map(([at, way, state, hundredths, legs]) => ({
          second: at * 60 + pair * 30,
          way: way.replace(
            /\b[HRN]\b/g,
            (name) => new Map(Object.entries({ ...chains, H: 'harbor-1' })).get(name) ?? '',
          ),
          // Coins of the rollup go over IBC, except in the last two stories.
          amount: String(BigInt(hundredths) * 10n ** BigInt((way.startsWith('IBC') && at < 18 ? decimals : 6) - 2)),
          ...{ state, legs },
        })),
    )
    const inOrder = expected.toSorted((one, other) => one.second - other.second)
    expect(own.map(told)).toEqual(inOrder.map(({ second: _, ...rest }) => rest))
    for (const [index, { departure, arrival, refund }] of own.entries()) {
      const second = inOrder[index]?.second ?? 0
      // The second packet of two is sent when the first has arrived.
      expect(Math.abs(secondOf(departure) - second)).toBeLessThan(20)
      if (arrival) expect(secondOf(arrival)).toBeGreaterThan(secondOf(departure))
      if (refund) expect(secondOf(refund)).toBeGreaterThan(secondOf(arrival ?? departure))
    }
  })

  test('a packet from outside of the sandbox has an arrival alone, and one to the outside no end', () => {
    const arrived = all.filter(({ way }) => way.sourceChainId === null)
    expect(new Set(arrived.map(({ way }) => way.destinationChainId)).size).toBe(3)
    expect(new Set(arrived.map(({ state }) => state))).toEqual(new Set(['ARRIVED', 'REFUSED']))
    expect(arrived.filter(({ departure, arrival, refund }) => departure || !arrival || refund)).toEqual([])
    expect(new Set(arrived.map(({ way }) => ('sourceClient' in way ? 2 : 1)))).toEqual(new Set([1, 2]))
    const left = all.filter(({ way }) => way.destinationChainId === null)
    expect(new Set(left.map(({ way, state }) => `${way.sourceChainId} ${state}`))).toEqual(
      new Set(['harbor-1 UNKNOWN']),
    )
  })

  test('an account is found by each spelling of its address', () => {
    const own = movementsOfAccount(all, sandbox.traveller)
    expect(own.length).toBe(2 * stories.length - minutesOfV2.length)
    expect(movementsOfAccount(all, sandbox.traveller.slice(2).toUpperCase())).toEqual(own)
    const bytes = Buffer.from(sandbox.traveller.slice(2), 'hex')
    expect(movementsOfAccount(all, bech32.encode('cosmos', bech32.toWords(bytes)))).toEqual(own)
    expect(movementsOfAccount(all, `0x${'00'.repeat(20)}`)).toEqual([])
  })
})
