import { makeAccount } from '../../address.ts'
import { l2Denom } from '../../router/assets.ts'
import { moduleAccount } from '../coins.ts'
import { event } from '../events.ts'
import { type Fixtures, wholeTokens } from '../fixtures.ts'
import type { Course, Leg } from './course.ts'
import { heightFrom } from './lane.ts'
import { everyPeriod } from './moments.ts'
import { numberAt, type Pair } from './network.ts'
import {
  claim,
  type Deposit,
  depositFinalization,
  depositInitiation,
  executorOf,
  type Withdrawal,
  withdrawalInitiation,
} from './opInitMessages.ts'
import { cycleMs, distanceMs, packetStoryCount } from './packetStories.ts'

/** Milliseconds from one output of a rollup to the next. */
export const outputMs = 120_000

/** Milliseconds after an output until its withdrawals can be claimed. */
export const challengeMs = 60_000

/** Milliseconds from a withdrawal to its claim: an output has come by then, and its challenge period is over. */
const claimMs = outputMs + challengeMs + 30_000

/** The words with which a rollup explains a deposit that did not go well. */
const reasons = {
  hook: 'hook failed; Failed to run AnteHandler: account sequence mismatch, expected 63, got 61',
  deposit: 'deposit failed; failed to convert recipient address: decoding bech32 failed',
}

type Ending = 'kept' | 'hook failed' | 'deposit failed' | 'claimed' | 'unclaimed'

/** How the stories over an OPinit bridge end, in their order. Those of withdrawals begin on the rollup. */
const endings: readonly Ending[] = ['kept', 'hook failed', 'deposit failed', 'claimed', 'unclaimed']

/** The stories of the traveller over the OPinit bridge of a rollup: coins of the hub, which go to the rollup or come back. */
export function opInitStories({ hub, rollup, bridgeId }: Pair, begin: number, outputsBegin: number): readonly Course[] {
  return endings.map((ending, index): Course => {
    const moments = everyPeriod(begin + (packetStoryCount + 1 + index) * distanceMs, cycleMs)
    const amount = (wholeTokens(hub.chain, 1) / 100n) * BigInt(210 + 9 * index)
    const coins = { amount, hubDenom: hub.chain.denom, rollupDenom: l2Denom(bridgeId, hub.chain.denom) }
    const isWithdrawal = ending === 'claimed' || ending === 'unclaimed'
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

    const claimLeg: Leg = {
      on: hub,
      name: 'claim',
      after: burntAfter + claimMs,
      transactionOf(number) {
        const output = outputIndexAt(outputsBegin, moments.timeOf(number) + burntAfter)
        return { signer: hub.fixtures.traveller, messages: [claim(hub.fixtures, withdrawalOf(number), output)] }
      },
    }
    const name = `bridge ${bridgeId}, ${ending}`
    if (isWithdrawal) {
      const burn: Leg = {
        on: rollup,
        name: 'withdrawal',
        after: 0,
        transactionOf: (number) => ({
          signer: rollup.fixtures.traveller,
          messages: [withdrawalInitiation(rollup.fixtures, withdrawalOf(number))],
        }),
      }
      return { name, moments, legs: ending === 'claimed' ? [burn, claimLeg] : [burn] }
    }
    const legs: readonly Leg[] = [
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

/** The first output that has all blocks of a time in it. The block of that time may come a little later than it. */
const outputIndexAt = (begin: number, timeMs: number): number => Math.floor((timeMs + 10_000 - begin) / outputMs) + 2

/** The outputs that a rollup proposes to the hub. Each has all blocks up to a few seconds before it. */
export function outputs({ hub, rollup, bridgeId }: Pair, begin: number): Course {
  const moments = everyPeriod(begin, outputMs)
  return {
    name: `outputs of bridge ${bridgeId}`,
    moments,
    legs: [
      {
        on: hub,
        name: 'proposal',
        after: 0,
        transactionOf: (number) =>
          proposal(hub.fixtures, bridgeId, number, heightFrom(rollup.chain, moments.timeOf(number) - 5_000)),
      },
    ],
  }
}

function proposal(hub: Fixtures, bridgeId: number, index: number, height: number) {
  const signer = makeAccount(hub.chain.bech32Prefix, 20, hub.seed, 'proposer')
  const output = {
    bridge_id: String(bridgeId),
    output_index: String(index),
    l2_block_number: String(height),
  }
  const root = Buffer.from(moduleAccount(hub, `output ${bridgeId} ${index}`).hex.slice(2), 'hex')
  return {
    signer,
    messages: [
      {
        type: '/opinit.ophost.v1.MsgProposeOutput',
        fields: { proposer: signer.bech32, ...output, output_root: root.toString('base64') },
        moves: [],
        events: [event('propose_output', { proposer: signer.bech32, ...output, output_root: root.toString('hex') })],
      },
    ],
  }
}
