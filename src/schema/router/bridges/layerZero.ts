import { z } from 'zod'
import { lenientString } from '../../../wire/lenient.ts'
import { defineBridge } from './defineBridge.ts'
import { messagingFee } from './fees.ts'
import { failure, receive, send } from './transactions.ts'

export const layerZero = defineBridge({
  id: 'LAYER_ZERO',
  description: 'LayerZero.',
  operation: {
    keys: ['layer_zero_transfer', 'lz_transfer'],
    details: {
      type: 'LayerZeroTransferDetails',
      description: 'A transfer over LayerZero.',
      schema: z.object({
        source_oft_contract_address: lenientString,
        destination_endpoint_id: lenientString,
      }),
      fields: (t) => ({
        sourceContract: t.field({
          type: 'Address',
          nullable: true,
          description: 'Address of the token contract on the source chain.',
          resolve: ({ details }) => details.source_oft_contract_address,
        }),
        destinationEndpointId: t.string({
          nullable: true,
          description: 'LayerZero endpoint id of the destination chain.',
          resolve: ({ details }) => details.destination_endpoint_id,
        }),
      }),
    },
  },
  hop: {
    key: 'layer_zero_transfer',
    states: {
      LAYER_ZERO_TRANSFER_SENT: 'PENDING',
      LAYER_ZERO_TRANSFER_WAITING_FOR_COMPOSE: 'PENDING',
      LAYER_ZERO_TRANSFER_RECEIVED: 'COMPLETED',
      LAYER_ZERO_TRANSFER_FAILED: 'FAILED',
    },
    transactions: {
      send_tx: send,
      receive_tx: receive,
      compose_tx: {
        kind: 'COMPOSE',
        description: 'Runs the action after the delivery.',
      },
      error_tx: failure,
    },
  },
  fees: [messagingFee],
})
