import { z } from 'zod'
import { lenientString } from '../../../wire/lenient.ts'
import { type Details, defineBridge } from './defineBridge.ts'
import { relayFee } from './fees.ts'
import { receive, send } from './transactions.ts'

/** What an operation has in both versions of the bridge. */
export const cctpBody = z.object({
  burn_token: lenientString,
})

/** The fields of an operation in both versions of the bridge. */
export const cctpFields: Details<z.output<typeof cctpBody>>['fields'] = (t) => ({
  burnToken: t.field({
    type: 'Address',
    nullable: true,
    description: 'The token burned on the source chain.',
    resolve: ({ details }) => details.burn_token,
  }),
})

export const cctp = defineBridge({
  id: 'CCTP',
  description: "Circle's Cross-Chain Transfer Protocol for USDC.",
  operation: {
    keys: ['cctp_transfer'],
    details: {
      type: 'CctpTransferDetails',
      description: "A transfer over Circle's CCTP.",
      schema: cctpBody,
      fields: cctpFields,
    },
  },
  hop: {
    key: 'cctp_transfer',
    states: {
      CCTP_TRANSFER_SENT: 'PENDING',
      CCTP_TRANSFER_PENDING_CONFIRMATION: 'PENDING',
      CCTP_TRANSFER_CONFIRMED: 'PENDING',
      CCTP_TRANSFER_RECEIVED: 'COMPLETED',
    },
    transactions: { send_tx: send, receive_tx: receive },
  },
  fees: [relayFee],
})
