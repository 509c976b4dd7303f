import { detailsOfBody, text } from './bodyFields.ts'
import { defineBridge } from './defineBridge.ts'
import { messagingFee } from './fees.ts'
import { failure, receive, send } from './transactions.ts'

/** The field of an operation over the endpoints of LayerZero. */
export const destinationEndpointId = text(
  'destination_endpoint_id',
  'LayerZero endpoint id of the destination chain.',
)

export const layerZero = defineBridge({
  id: 'LAYER_ZERO',
  description: 'LayerZero.',
  operation: {
    keys: ['layer_zero_transfer', 'lz_transfer'],
    details: detailsOfBody('LayerZeroTransferDetails', 'A transfer over LayerZero.', {
      sourceContract: text(
        'source_oft_contract_address',
        'Address of the token contract on the source chain.',
        'Address',
      ),
      destinationEndpointId,
    }),
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
