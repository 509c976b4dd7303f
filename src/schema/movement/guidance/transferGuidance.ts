import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { Transfer } from '../types/transfer.ts'
import { TransferGuidance } from './guidanceType.ts'
import { transferGuidance } from './hopGuidance.ts'

builder.objectField(Transfer, 'guidance', (t) =>
  t.field({
    type: TransferGuidance,
    complexity: 3 * callCost,
    extensions: { late: ['transaction', 'time'] },
    description: 'Advice for its owner, as of now. Costs up to three upstream requests.',
    resolve: (transfer, _args, context) => transferGuidance(context, transfer),
  }),
)
