import { z } from 'zod'
import { lenientString } from '../../../wire/lenient.ts'
import { defineBridge } from './defineBridge.ts'
import { messagingFee } from './fees.ts'
import { failure, receive, send } from './transactions.ts'

export const stargate = defineBridge({
  id: 'STARGATE',
  description: 'Stargate, a bridge of liquidity pools over LayerZero.',
  operation: {
    keys: ['stargate_transfer'],
    details: {
      type: 'StargateTransferDetails',
      description: 'A transfer over the Stargate bridge.',
      schema: z.object({ pool_address: lenientString, destination_endpoint_id: lenientString }),
      fields: (t) => ({
        poolAddress: t.field({
          type: 'Address',
          nullable: true,
          description: 'Address of the pool on the source chain.',
          resolve: ({ details }) => details.pool_address,
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
