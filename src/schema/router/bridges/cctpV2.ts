import { lenientInt, lenientString } from '../../../wire/lenient.ts'
import { cctp, cctpBody, cctpFields } from './cctp.ts'
import { defineBridge } from './defineBridge.ts'
import { relayFee } from './fees.ts'

export const cctpV2 = defineBridge({
  id: 'CCTP_V2',
  description: "Version 2 of Circle's Cross-Chain Transfer Protocol for USDC.",
  operation: {
    keys: ['cctp_transfer_v2'],
    details: {
      type: 'CctpV2TransferDetails',
      description: "A transfer over version 2 of Circle's CCTP.",
      schema: cctpBody.extend({
        destination_domain: lenientString,
        finality_threshold: lenientInt,
      }),
      fields: (t) => ({
        ...cctpFields(t),
        destinationDomain: t.string({
          nullable: true,
          description: 'CCTP domain of the destination chain.',
          resolve: ({ details }) => details.destination_domain,
        }),
        finalityThreshold: t.field({
          type: 'UInt53',
          nullable: true,
          description: 'Finality of the source: 2000 is final, less is faster.',
          resolve: ({ details }) => details.finality_threshold,
        }),
      }),
    },
  },
  // Routers report a hop in the states and transactions of version 1.
  hop: {
    ...cctp.hop,
    key: 'cctp_transfer_v2',
  },
  fees: [relayFee, { kind: 'MAXIMUM', amount: 'max_fee', denom: 'denom_in' }],
})
