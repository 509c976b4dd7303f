import { detailsOfBody, text } from './bodyFields.ts'
import { relayFee } from './common.ts'
import { defineBridge } from './defineBridge.ts'
import { delivered, routerSupport } from './guidance.ts'
import { ibc } from './ibc.ts'

const facts = {
  supportUrl: routerSupport,
  source: 'ibc-go (modules/core/04-channel/v2), Skip Go documentation (Eureka overview)',
  asOf: '2026-08',
}

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
  hop: {
    ...ibc.hop,
    key: 'eureka_transfer',
    states: {
      TRANSFER_PENDING: {
        is: 'PENDING',
        guidance: {
          ...facts,
          waitingFor: 'SOURCE_FINALITY',
          funds: 'MOVING',
          returns: 'AUTOMATIC',
          sentence: 'On its way to {to}. Once {from} is final and that is proven, a relayer delivers it.',
          nextStep: 'Wait.',
          late: {
            sentence:
              'Not delivered to {to} within a day, the longest time limit there is. It returns to the sender on {from} once a relayer reports that.',
            nextStep: 'Ask for help: only some relayers may deliver it.',
          },
          lateAfterSeconds: 86_400,
        },
      },
      TRANSFER_PENDING_ERROR: {
        is: 'PENDING',
        guidance: {
          ...facts,
          waitingFor: 'RELAYER',
          funds: 'RETURNING',
          returns: 'AUTOMATIC',
          sentence: '{to} did not take it. It returns to the sender on {from} once a relayer reports that.',
          nextStep: 'Wait.',
        },
      },
      TRANSFER_RECEIVED: {
        is: 'PENDING',
        guidance: {
          ...facts,
          waitingFor: 'RELAYER',
          funds: 'MOVING',
          returns: 'AUTOMATIC',
          sentence: 'Received on {to}, which may have refused it. A relayer reports the result to {from}.',
          nextStep: 'Wait.',
        },
      },
      TRANSFER_SUCCESS: { is: 'COMPLETED', guidance: { ...facts, ...delivered } },
      TRANSFER_FAILURE: {
        is: 'FAILED',
        guidance: {
          ...facts,
          waitingFor: 'NOBODY',
          funds: 'RETURNING',
          returns: 'AUTOMATIC',
          sentence: 'Not delivered to {to}. IBC returns it to the account that sent it on {from}.',
          nextStep: 'Look at the account on {from}.',
        },
      },
    },
  },
  fees: [relayFee],
  recorded: {
    // IBC v2 between two Cosmos chains counts as this bridge too.
    hasRoute: (route) => 'source' in route && !route.source.startsWith('channel-'),
    words: { ON_THE_WAY: 'TRANSFER_PENDING', REFUSED: 'TRANSFER_PENDING_ERROR' },
  },
})
