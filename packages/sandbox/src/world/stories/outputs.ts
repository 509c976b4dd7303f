import { makeAccount } from '../../address.ts'
import { moduleAccount } from '../coins.ts'
import { event } from '../events.ts'
import type { Fixtures } from '../fixtures.ts'
import type { Course } from './course.ts'
import { heightFrom, type StoryTransaction } from './lane.ts'
import { everyPeriod, type Moments } from './moments.ts'
import type { HubAndRollup } from './network.ts'
import { cycleMs, distanceMs } from './packetStories.ts'

/** Milliseconds from one output of a rollup to the next. */
export const outputMs = 120_000

/** Milliseconds after an output until its withdrawals can be claimed. */
export const challengeMs = 60_000

const proposals = (begin: number): Moments => everyPeriod(begin, outputMs)

/** The newest output is deleted once in each cycle, half a minute after it was proposed. */
const deletions = (begin: number): Moments => everyPeriod(begin + 18.5 * distanceMs, cycleMs)

/** The index of a proposal. The output after a deleted one gets its index. */
const indexOf = (begin: number, proposal: number): number =>
  proposal - deletions(begin).countAt(proposals(begin).timeOf(proposal))

/** The index of the first output with all blocks of a time that is not deleted. These blocks may come a little later. */
export function lastingOutputOf(begin: number, timeMs: number): number {
  const first = proposals(begin).countAt(timeMs + 10_000) + 1
  const proposedAt = proposals(begin).timeOf(first)
  const isDeleted = deletions(begin).countAt(proposedAt + challengeMs) > deletions(begin).countAt(proposedAt)
  return indexOf(begin, isDeleted ? first + 1 : first)
}

/**
 * The outputs that a rollup proposes to the hub, each with all blocks up to a few seconds before it, and their deletions by
 * the challenger.
 */
export function outputCourses({ hub, rollup, bridgeId }: HubAndRollup, begin: number): readonly Course[] {
  return [
    {
      name: `outputs of bridge ${bridgeId}`,
      moments: proposals(begin),
      legs: [
        {
          on: hub,
          name: 'proposal',
          after: 0,
          transactionOf(number) {
            const height = heightFrom(rollup.chain, proposals(begin).timeOf(number) - 5_000)
            return proposal(hub.fixtures, bridgeId, indexOf(begin, number), height)
          },
        },
      ],
    },
    {
      name: `deleted outputs of bridge ${bridgeId}`,
      moments: deletions(begin),
      legs: [
        {
          on: hub,
          name: 'deletion',
          after: 0,
          transactionOf(number) {
            const newest = proposals(begin).countAt(deletions(begin).timeOf(number))
            return deletion(hub.fixtures, bridgeId, indexOf(begin, newest))
          },
        },
      ],
    },
  ]
}

function proposal(hub: Fixtures, bridgeId: number, index: number, height: number): StoryTransaction {
  const signer = makeAccount(hub.chain.bech32Prefix, 20, hub.seed, 'proposer')
  const output = {
    bridge_id: String(bridgeId),
    output_index: String(index),
    l2_block_number: String(height),
  }
  const root = Buffer.from(moduleAccount(hub, `output ${bridgeId} ${height}`).hex.slice(2), 'hex')
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

function deletion(hub: Fixtures, bridgeId: number, index: number): StoryTransaction {
  const signer = makeAccount(hub.chain.bech32Prefix, 20, hub.seed, 'challenger')
  const fields = { challenger: signer.bech32, bridge_id: String(bridgeId), output_index: String(index) }
  return {
    signer,
    messages: [
      { type: '/opinit.ophost.v1.MsgDeleteOutput', fields, moves: [], events: [event('delete_output', fields)] },
    ],
  }
}
