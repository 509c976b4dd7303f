import { detailsOfBody, text } from './bodyFields.ts'
import { defineBridge } from './defineBridge.ts'
import { messagingFee } from './fees.ts'
import { destinationEndpointId } from './layerZero.ts'
import { failure, receive, send } from './transactions.ts'

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
