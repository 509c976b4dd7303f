import { count, detailsOfBody, text } from './bodyFields.ts'
import { burnToken, cctp } from './cctp.ts'
import { defineBridge } from './defineBridge.ts'
import { relayFee } from './fees.ts'

export const cctpV2 = defineBridge({
  id: 'CCTP_V2',
  description: "Version 2 of Circle's Cross-Chain Transfer Protocol for USDC.",
  operation: {
    keys: ['cctp_transfer_v2'],
    details: detailsOfBody('CctpV2TransferDetails', "A transfer over version 2 of Circle's CCTP.", {
      burnToken,
      destinationDomain: text('destination_domain', 'CCTP domain of the destination chain.'),
      finalityThreshold: count(
        'finality_threshold',
        'Finality of the source: 2000 is final, less is faster.',
      ),
    }),
  },
  // Routers report a hop in the states and transactions of version 1.
  hop: {
    ...cctp.hop,
    key: 'cctp_transfer_v2',
  },
  fees: [relayFee, { kind: 'MAXIMUM', amount: 'max_fee', denom: 'denom_in' }],
})
