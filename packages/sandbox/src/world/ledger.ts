import { once } from '../memoize.ts'
import { pick } from '../random.ts'
import { bridgedAmount, type Fixtures, wholeTokens } from './fixtures.ts'
import { type Flow, flowsOf, storyFlows } from './flows.ts'
import { lastSequence } from './schedule.ts'
import { countUpTo, type Space } from './series.ts'
import type { Lane } from './stories/lane.ts'
import type { Workload } from './workload.ts'

/** The balances that follow from the transactions of a chain. */
export interface Ledger {
  /** The accounts, in 0x form, whose balance of a denom transactions change. */
  accountsOf(denom: string): readonly string[]
  /**
   * The balance of an account (0x form) after the transactions of a height, in base units. Undefined if no
   * transaction changes it.
   */
  balanceAt(account: string, denom: string, height: number): bigint | undefined
  /** The part of a balance that transactions move, with what they need at first. 0 if none changes it. */
  changeAt(account: string, denom: string, height: number): bigint
}

/** The changes of one balance. */
interface Entry {
  /** What the account has at first, so that its balance is never below zero. */
  readonly reserve: bigint
  /** The sequences of the head and of the first period that change it, ascending. */
  readonly sequences: number[]
  /** The sum of the changes up to each of them. */
  readonly sums: bigint[]
  /** The sum of the changes of one period. */
  readonly drift: bigint
}

type Entries = ReadonlyMap<string, ReadonlyMap<string, Entry>>

/** An account that pays more than it gets begins with enough for this many periods. */
const periodsCovered = 100_000n

/** Transactions that move coins again and again: the traffic, or those of a lane. */
interface Source {
  readonly space: Space
  countAt(height: number): number
  flowsOf(number: number): readonly Flow[]
}

/** The balances of the traffic and of the lanes. Their transactions are read at the first question. */
export function createLedger(fixtures: Fixtures, { space, shapeAt }: Workload, lanes: readonly Lane[]): Ledger {
  const traffic: Source = {
    space,
    countAt: lastSequence,
    flowsOf: (number) => flowsOf(fixtures, shapeAt(number)),
  }
  const entriesOfTraffic = once(() => readEntries(traffic))
  const entriesOfLanes = once(() =>
    lanes.map((lane): readonly [Source, Entries] => {
      const source = { ...lane, flowsOf: (number: number) => storyFlows(fixtures, lane, number) }
      return [source, readEntries(source)]
    }),
  )
  const entriesOf = () => [[traffic, entriesOfTraffic()] as const, ...entriesOfLanes()]
  const hasEntry = (account: string, denom: string) =>
    entriesOf().some(([, entries]) => entries.get(denom)?.has(account))
  const changeAt = (account: string, denom: string, height: number) =>
    entriesOf().reduce((sum, [source, entries]) => {
      const entry = entries.get(denom)?.get(account)
      return entry ? sum + entry.reserve + changeUpTo(source, entry, source.countAt(height)) : sum
    }, 0n)
  return {
    accountsOf: (denom) => [...(entriesOfTraffic().get(denom)?.keys() ?? [])],
    balanceAt: (account, denom, height) =>
      hasEntry(account, denom) ? openingOf(fixtures, account, denom) + changeAt(account, denom, height) : undefined,
    changeAt,
  }
}

/** The sum of the changes of a balance by the first transactions of a source. */
function changeUpTo({ space: { head, span } }: Source, entry: Entry, count: number): bigint {
  const periods = Math.max(0, Math.ceil((count - head) / span) - 1)
  return sumUpTo(entry, count - periods * span) + BigInt(periods) * entry.drift
}

function readEntries({ space, flowsOf }: Source): Entries {
  const changes = new Map<string, Map<string, Pick<Entry, 'sequences' | 'sums'>>>()
  for (let sequence = 1; sequence <= space.head + space.span; sequence++) {
    for (const { account, denom, amount } of flowsOf(sequence)) {
      const ofDenom = changes.get(denom) ?? new Map()
      const { sequences, sums } = ofDenom.get(account) ?? { sequences: [], sums: [] }
      const sum = (sums.at(-1) ?? 0n) + amount
      if (sequences.at(-1) === sequence) sums[sums.length - 1] = sum
      else {
        sequences.push(sequence)
        sums.push(sum)
      }
      ofDenom.set(account, { sequences, sums })
      changes.set(denom, ofDenom)
    }
  }
  return new Map(
    [...changes].map(([denom, ofDenom]) => [
      denom,
      new Map(
        [...ofDenom].map(([account, { sequences, sums }]) => {
          const headSum = sumUpTo({ sequences, sums }, space.head)
          const drift = (sums.at(-1) ?? 0n) - headSum
          const lowest = sums.reduce((least, sum) => (sum < least ? sum : least), 0n)
          const reserve = (drift < 0n ? -drift * periodsCovered : 0n) - lowest
          return [account, { reserve, sequences, sums, drift }] as const
        }),
      ),
    ]),
  )
}

/** The part of the first balance that no transaction uses: up to 5,000 tokens. */
function openingOf(fixtures: Fixtures, account: string, denom: string): bigint {
  const { chain, seed, bridgedDenom } = fixtures
  const thousandths = pick(5_000_000, seed, chain.chainId, 'opening', account, denom)
  const amount = (wholeTokens(chain, 1) / 1000n) * BigInt(thousandths)
  return denom === bridgedDenom ? bridgedAmount(fixtures, amount) : amount
}

/** The sum of the changes up to a sequence of the head or of the first period. */
const sumUpTo = ({ sequences, sums }: Pick<Entry, 'sequences' | 'sums'>, sequence: number): bigint =>
  sums[countUpTo(sequences, sequence) - 1] ?? 0n
