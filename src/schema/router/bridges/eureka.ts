import { detailsOfBody, text } from './bodyFields.ts'
import { relayFee } from './common.ts'
import { defineBridge } from './defineBridge.ts'
import { ibc } from './ibc.ts'

export const eureka = defineBridge({
  id: 'EUREKA',
  description: 'IBC Eureka, which connects Cosmos chains with Ethereum.',
  operation: {
    keys: ['eureka_transfer'],
    details: detailsOfBody('EurekaTransferDetails', 'A transfer over IBC Eureka, between Cosmos and Ethereum.', {
      destinationPort: text('destination_port', 'Port on the destination chain.'),
      sourceClient: text('source_client', 'Light client on the source chain.'),
      entryContract: text('entry_contract_address', 'Address of the contract that the transfer is sent to.', 'Address'),
      callbackContract: text(
        'callback_adapter_contract_address',
        'Address of the contract that receives the result of the transfer.',
        'Address',
      ),
    }),
  },
  // Routers report a hop in the states and transactions of IBC.
  hop: { ...ibc.hop, key: 'eureka_transfer' },
  fees: [relayFee],
})
