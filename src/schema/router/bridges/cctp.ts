import { count, detailsOfBody, text } from './bodyFields.ts'
import { receive, relayFee, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'

/** The field of an operation in both versions of the bridge. */
const burnToken = text('burn_token', 'The token burned on the source chain.', 'Address')

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

export const cctpV2 = defineBridge({
  id: 'CCTP_V2',
  description: "Version 2 of Circle's Cross-Chain Transfer Protocol for USDC.",
  operation: {
    keys: ['cctp_transfer_v2'],
    details: detailsOfBody('CctpV2TransferDetails', "A transfer over version 2 of Circle's CCTP.", {
      burnToken,
      destinationDomain: text('destination_domain', 'CCTP domain of the destination chain.'),
      finalityThreshold: count('finality_threshold', 'Finality of the source: 2000 is final, less is faster.'),
    }),
  },
  // Routers report a hop in the states and transactions of version 1.
  hop: { ...cctp.hop, key: 'cctp_transfer_v2' },
  fees: [relayFee, { kind: 'MAXIMUM', amount: 'max_fee', denom: 'denom_in' }],
})
