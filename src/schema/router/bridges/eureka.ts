import { z } from 'zod'
import { lenientString } from '../../../wire/lenient.ts'
import { defineBridge } from './defineBridge.ts'
import { relayFee } from './fees.ts'
import { ibc } from './ibc.ts'

export const eureka = defineBridge({
  id: 'EUREKA',
  description: 'IBC Eureka, which connects Cosmos chains with Ethereum.',
  operation: {
    keys: ['eureka_transfer'],
    details: {
      type: 'EurekaTransferDetails',
      description: 'A transfer over IBC Eureka, between Cosmos and Ethereum.',
      schema: z.object({
        destination_port: lenientString,
        source_client: lenientString,
        entry_contract_address: lenientString,
        callback_adapter_contract_address: lenientString,
      }),
      fields: (t) => ({
        destinationPort: t.string({
          nullable: true,
          description: 'Port on the destination chain.',
          resolve: ({ details }) => details.destination_port,
        }),
        sourceClient: t.string({
          nullable: true,
          description: 'Light client on the source chain.',
          resolve: ({ details }) => details.source_client,
        }),
        entryContract: t.field({
          type: 'Address',
          nullable: true,
          description: 'Address of the contract that the transfer is sent to.',
          resolve: ({ details }) => details.entry_contract_address,
        }),
        callbackContract: t.field({
          type: 'Address',
          nullable: true,
          description: 'Address of the contract that receives the result of the transfer.',
          resolve: ({ details }) => details.callback_adapter_contract_address,
        }),
      }),
    },
  },
  // Routers report a hop in the states and transactions of IBC.
  hop: {
    ...ibc.hop,
    key: 'eureka_transfer',
  },
  fees: [relayFee],
})
