import { detailsOfBody, text } from './bodyFields.ts'
import { bridgeFee, receive, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'
import { delivered, routerSupport } from './guidance.ts'

const facts = {
  url: 'https://explorer.hyperlane.xyz/?search={hash}',
  supportUrl: routerSupport,
  source: 'Hyperlane documentation (relayer, debugging of messages)',
}

export const hyperlane = defineBridge({
  id: 'HYPERLANE',
  description: 'Hyperlane.',
  operation: {
    keys: ['hyperlane_transfer'],
    details: detailsOfBody('HyperlaneTransferDetails', 'A transfer over the Hyperlane bridge.', {
      contractAddress: text(
        'hyperlane_contract_address',
        "Address of the bridge's contract on the source chain.",
        'Address',
      ),
    }),
  },
  hop: {
    key: 'hyperlane_transfer',
    states: {
      HYPERLANE_TRANSFER_SENT: {
        is: 'PENDING',
        guidance: {
          ...facts,
          waitingFor: 'VERIFIERS',
          funds: 'MOVING',
          returns: 'NEVER',
          sentence: 'Sent from {from}. Validators sign it, then a relayer delivers it to {to}.',
          nextStep: 'Wait. If it stays so, look at it in the explorer of Hyperlane: anybody can relay it.',
        },
      },
      HYPERLANE_TRANSFER_RECEIVED: { is: 'COMPLETED', guidance: { ...facts, ...delivered } },
      HYPERLANE_TRANSFER_FAILED: {
        is: 'FAILED',
        guidance: {
          ...facts,
          waitingFor: 'UNKNOWN',
          funds: 'UNKNOWN',
          returns: 'NEVER',
          sentence: 'The router reports a failure on the way to {to}. Hyperlane does not send it back.',
          nextStep: 'Look at it in the explorer of Hyperlane, and ask for help.',
        },
      },
    },
    transactions: { send_tx: send, receive_tx: receive },
  },
  fees: [bridgeFee],
})
