import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { hopTransfer } from '../bridgeTransfer/hopTransfer.ts'
import { unlessFaulty } from '../bridgeTransfer/transferSteps.ts'
import type { HopBody } from '../transfer/readHop.ts'
import { Transfer } from '../transfer/transfer.ts'
import type { GuidanceShape } from './guidanceShape.ts'
import { TransferGuidance } from './guidanceType.ts'
import { transferGuidance } from './hopGuidance.ts'
import { findGuidance } from './recordGuidance.ts'

/**
 * What the records of both chains say of a hop that the router calls delivered. Null if they do not contradict it. A router says
 * of a deposit to a rollup that it was delivered as soon as the rollup has dealt with it, also if it refused it.
 */
async function refutation(context: Context, hop: HopBody): Promise<GuidanceShape | null> {
  if (hop.kind !== 'op_init_transfer') return null
  const transfer = await hopTransfer(context, hop)
  const state = await transfer.state()
  return state === 'REFUSED' || state === 'REFUNDED' ? findGuidance(context, transfer) : null
}

builder.objectField(Transfer, 'guidance', (t) =>
  t.field({
    type: TransferGuidance,
    complexity: 3 * callCost,
    description: 'Advice for its owner, as of now. Costs up to three upstream requests.',
    resolve: (transfer, _args, context) =>
      transferGuidance(context, transfer, async (hop) => (await unlessFaulty(refutation(context, hop))) ?? null),
  }),
)
