import { l2Denom } from '../../router/assets.ts'
import { wholeTokens } from '../fixtures.ts'
import type { Course, CourseLeg } from './course.ts'
import { heightFrom } from './lane.ts'
import { everyPeriod } from './moments.ts'
import { type HubAndRollup, numberAt } from './network.ts'
import {
  claim,
  type Deposit,
  depositFinalization,
  depositInitiation,
  executorOf,
  type Withdrawal,
  withdrawalInitiation,
} from './opInitMessages.ts'
import { challengeMs, lastingOutputOf, outputMs } from './outputs.ts'
import { cycleMs, distanceMs } from './packetStories.ts'

/** Milliseconds from a withdrawal to its claim: an output has come by then, and its challenge period is over. */
const claimMs = outputMs + challengeMs + 30_000

/** The words with which a rollup explains a deposit that did not go well. */
const reasons = {
  hook: 'hook failed; Failed to run AnteHandler: account sequence mismatch, expected 63, got 61',
  deposit: 'deposit failed; failed to convert recipient address: decoding bech32 failed',
}

type Ending = 'kept' | 'hook failed' | 'deposit failed' | 'claimed' | 'unclaimed' | 'claimed late'

/** How a story over an OPinit bridge ends, in which minute it begins, and how many hundredths of a coin go. */
interface Plot {
  readonly ending: Ending
  readonly minute: number
  readonly hundredths: bigint
}

const plots: readonly Plot[] = [
  { ending: 'kept', minute: 9, hundredths: 210n },
  { ending: 'hook failed', minute: 10, hundredths: 219n },
  { ending: 'deposit failed', minute: 11, hundredths: 228n },
  { ending: 'claimed', minute: 12, hundredths: 237n },
  { ending: 'unclaimed', minute: 13, hundredths: 246n },
  // Its first output is deleted.
  { ending: 'claimed late', minute: 17, hundredths: 255n },
]

/** The stories of the traveller over the OPinit bridge of a rollup: coins of the hub, which go to the rollup or come back. */
export function opInitStories(
  { hub, rollup, bridgeId }: HubAndRollup,
  begin: number,
  outputsBegin: number,
): readonly Course[] {
  return plots.map(({ ending, minute, hundredths }): Course => {
    const moments = everyPeriod(begin + minute * distanceMs, cycleMs)
    const amount = (wholeTokens(hub.chain, 1) / 100n) * hundredths
    const coins = { amount, hubDenom: hub.chain.denom, rollupDenom: l2Denom(bridgeId, hub.chain.denom) }
    const isWithdrawal = ['claimed', 'unclaimed', 'claimed late'].includes(ending)
    /** Milliseconds from the start until the rollup burns what goes to the hub. */
    const burntAfter = isWithdrawal ? 0 : finalizedMs
    const ends = { from: rollup.fixtures.traveller.bech32, to: hub.fixtures.traveller.bech32 }

    const depositOf = (number: number): Deposit => {
      const height = heightFrom(hub.chain, moments.timeOf(number))
      return { ...coins, bridgeId, sequence: numberAt(hub, height), from: ends.to, to: ends.from, height }
    }
    const withdrawalOf = (number: number): Withdrawal => ({
      ...coins,
      bridgeId,
      sequence: numberAt(rollup, heightFrom(rollup.chain, moments.timeOf(number) + burntAfter)),
      ...ends,
    })

    const claimLeg: CourseLeg = {
      on: hub,
      name: 'claim',
      after: burntAfter + claimMs + (ending === 'claimed late' ? outputMs : 0),
      transactionOf(number) {
        const output = lastingOutputOf(outputsBegin, moments.timeOf(number) + burntAfter)
        return { signer: hub.fixtures.traveller, messages: [claim(hub.fixtures, withdrawalOf(number), output)] }
      },
    }
    const name = `bridge ${bridgeId}, ${ending}`
    if (isWithdrawal) {
      const burn: CourseLeg = {
        on: rollup,
        name: 'withdrawal',
        after: 0,
        transactionOf: (number) => ({
          signer: rollup.fixtures.traveller,
          messages: [withdrawalInitiation(rollup.fixtures, withdrawalOf(number))],
        }),
      }
      return { name, moments, legs: ending === 'unclaimed' ? [burn] : [burn, claimLeg] }
    }
    const legs: readonly CourseLeg[] = [
      {
        on: hub,
        name: 'deposit',
        after: 0,
        transactionOf: (number) => ({
          signer: hub.fixtures.traveller,
          messages: [depositInitiation(hub.fixtures, depositOf(number))],
        }),
      },
      {
        on: rollup,
        name: 'finalization',
        after: finalizedMs,
        transactionOf: (number) => ({
          signer: executorOf(rollup.fixtures),
          messages: [
            ending === 'deposit failed'
              ? depositFinalization(rollup.fixtures, depositOf(number), reasons.deposit, withdrawalOf(number))
              : depositFinalization(rollup.fixtures, depositOf(number), ending === 'hook failed' ? reasons.hook : ''),
          ],
        }),
      },
    ]
    return { name, moments, legs: ending === 'deposit failed' ? [...legs, claimLeg] : legs }
  })
}

/** Milliseconds from a deposit until the rollup has it. */
const finalizedMs = 12_000
