import { detailsOfBody, text } from './bodyFields.ts'
import { receive, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'

export const opInit = defineBridge({
  id: 'OPINIT',
  description: 'The optimistic bridge between a hub and its rollups.',
  operation: {
    keys: ['op_init_transfer'],
    details: detailsOfBody(
      'OpInitTransferDetails',
      'A deposit to a rollup or a withdrawal from it, over its optimistic bridge.',
      { opInitBridgeId: text('op_init_bridge_id', "Id of the rollup's bridge on the hub.") },
    ),
  },
  hop: {
    key: 'op_init_transfer',
    states: { OPINIT_TRANSFER_SENT: 'PENDING', OPINIT_TRANSFER_RECEIVED: 'COMPLETED' },
    transactions: { send_tx: send, receive_tx: receive },
  },
  fees: [],
})
