import { detailsOfBody, text } from './bodyFields.ts'
import { defineBridge } from './defineBridge.ts'
import { relayFee } from './fees.ts'
import { receive, send } from './transactions.ts'

/** The field of an operation in both versions of the bridge. */
export const burnToken = text('burn_token', 'The token burned on the source chain.', 'Address')

export const cctp = defineBridge({
  id: 'CCTP',
  description: "Circle's Cross-Chain Transfer Protocol for USDC.",
  operation: {
    keys: ['cctp_transfer'],
    details: detailsOfBody('CctpTransferDetails', "A transfer over Circle's CCTP.", { burnToken }),
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
