import { detailsOfBody, text } from './bodyFields.ts'
import { failure, messagingFee, receive, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'

/** The field of an operation over the endpoints of LayerZero. */
const destinationEndpointId = text('destination_endpoint_id', 'LayerZero endpoint id of the destination chain.')

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
      compose_tx: { kind: 'COMPOSE', description: 'Runs the action after the delivery.' },
      error_tx: failure,
    },
  },
  fees: [messagingFee],
})

export const stargate = defineBridge({
  id: 'STARGATE',
  description: 'Stargate, a bridge of liquidity pools over LayerZero.',
  operation: {
    keys: ['stargate_transfer'],
    details: detailsOfBody('StargateTransferDetails', 'A transfer over the Stargate bridge.', {
      poolAddress: text('pool_address', 'Address of the pool on the source chain.', 'Address'),
      destinationEndpointId,
    }),
  },
  hop: {
    key: 'stargate_transfer',
    states: {
      STARGATE_TRANSFER_SENT: 'PENDING',
      STARGATE_TRANSFER_PENDING_CONFIRMATION: 'PENDING',
      STARGATE_TRANSFER_CONFIRMED: 'PENDING',
      STARGATE_TRANSFER_RECEIVED: 'COMPLETED',
      STARGATE_TRANSFER_FAILED: 'FAILED',
    },
    transactions: { send_tx: send, receive_tx: receive, error_tx: failure },
  },
  fees: [
    {
      kind: 'BRIDGE',
      amount: 'oft_fee_amount',
      usdAmount: 'oft_fee_amount_usd',
      asset: 'oft_fee_asset',
    },
    messagingFee,
  ],
})
