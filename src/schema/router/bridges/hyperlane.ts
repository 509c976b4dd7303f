import { z } from 'zod'
import { lenientString } from '../../../wire/lenient.ts'
import { defineBridge } from './defineBridge.ts'
import { bridgeFee } from './fees.ts'
import { receive, send } from './transactions.ts'

export const hyperlane = defineBridge({
  id: 'HYPERLANE',
  description: 'Hyperlane.',
  operation: {
    keys: ['hyperlane_transfer'],
    details: {
      type: 'HyperlaneTransferDetails',
      description: 'A transfer over the Hyperlane bridge.',
      schema: z.object({ hyperlane_contract_address: lenientString }),
      fields: (t) => ({
        contractAddress: t.field({
          type: 'Address',
          nullable: true,
          description: "Address of the bridge's contract on the source chain.",
          resolve: ({ details }) => details.hyperlane_contract_address,
        }),
      }),
    },
  },
  hop: {
    key: 'hyperlane_transfer',
    states: {
      HYPERLANE_TRANSFER_SENT: 'PENDING',
      HYPERLANE_TRANSFER_RECEIVED: 'COMPLETED',
      HYPERLANE_TRANSFER_FAILED: 'FAILED',
    },
    transactions: { send_tx: send, receive_tx: receive },
  },
  fees: [bridgeFee],
})
