import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { type GuidanceShape, TransferGuidance, transferGuidance } from '../router/transfer/guidance.ts'
import type { HopBody } from '../router/transfer/readHop.ts'
import { Transfer } from '../router/transfer/transfer.ts'
import { findGuidance } from './guidance.ts'
import { unlessFaulty } from './movement.ts'
import { ofTransferHop } from './ofTransferHop.ts'

/**
 * What the records of both chains say of a hop that the router calls delivered. Null if they do not contradict it. A router says
 * of a deposit to a rollup that it was delivered as soon as the rollup has dealt with it, also if it refused it.
 */
async function refutation(context: Context, hop: HopBody): Promise<GuidanceShape | null> {
  if (hop.kind !== 'op_init_transfer') return null
  const transfer = await ofTransferHop(context, hop)
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
