import { pick } from '../random.ts'
import { bridgedAmount, type Fixtures, wholeTokens } from './fixtures.ts'
import { flowsOf } from './flows.ts'
import { lastSequence } from './schedule.ts'
import { countUpTo } from './series.ts'
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
}

/** The changes of one balance. */
interface Entry {
  readonly opening: bigint
  /** The sequences of the head and of the first period that change it, ascending. */
  readonly sequences: number[]
  /** The sum of the changes up to each of them. */
  readonly sums: bigint[]
  /** The sum of the changes of one period. */
  readonly drift: bigint
}

/** An account that pays more than it gets begins with enough for so many periods. */
const periodsCovered = 100_000n

/** The balances of a workload. Its transactions are read at the first question. */
export function createLedger(fixtures: Fixtures, workload: Workload): Ledger {
  let accounts: ReadonlyMap<string, ReadonlyMap<string, Entry>> | undefined
  const entriesOf = (denom: string) => {
    accounts ??= readEntries(fixtures, workload)
    return accounts.get(denom)
  }
  const { head, span } = workload.space
  return {
    accountsOf: (denom) => [...(entriesOf(denom)?.keys() ?? [])],
    balanceAt(account, denom, height) {
      const entry = entriesOf(denom)?.get(account)
      if (!entry) return undefined
      const sequence = lastSequence(height)
      const periods = Math.max(0, Math.ceil((sequence - head) / span) - 1)
      return entry.opening + sumUpTo(entry, sequence - periods * span) + BigInt(periods) * entry.drift
    },
  }
}

function readEntries(fixtures: Fixtures, { space, shapeAt }: Workload) {
  const changes = new Map<string, Map<string, Pick<Entry, 'sequences' | 'sums'>>>()
  for (let sequence = 1; sequence <= space.head + space.span; sequence++) {
    for (const { account, denom, amount } of flowsOf(fixtures, shapeAt(sequence))) {
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
          const reserve = drift < 0n ? -drift * periodsCovered : 0n
          const opening = openingOf(fixtures, account, denom) - lowest + reserve
          return [account, { opening, sequences, sums, drift }] as const
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
