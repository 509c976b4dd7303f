import { z } from 'zod'
import { lenientString } from '../../../wire/lenient.ts'
import { defineBridge } from './defineBridge.ts'
import { receive, send } from './transactions.ts'

export const opInit = defineBridge({
  id: 'OPINIT',
  description: 'The optimistic bridge between a hub and its rollups.',
  operation: {
    keys: ['op_init_transfer'],
    details: {
      type: 'OpInitTransferDetails',
      description: 'A deposit to a rollup or a withdrawal from it, over its optimistic bridge.',
      schema: z.object({ op_init_bridge_id: lenientString }),
      fields: (t) => ({
        opInitBridgeId: t.string({
          nullable: true,
          description: "Id of the rollup's bridge on the hub.",
          resolve: ({ details }) => details.op_init_bridge_id,
        }),
      }),
    },
  },
  hop: {
    key: 'op_init_transfer',
    states: { OPINIT_TRANSFER_SENT: 'PENDING', OPINIT_TRANSFER_RECEIVED: 'COMPLETED' },
    transactions: { send_tx: send, receive_tx: receive },
  },
  fees: [],
})
