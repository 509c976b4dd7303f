import { detailsOfBody, text } from './bodyFields.ts'
import { bridgeFee, receive, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'

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
      HYPERLANE_TRANSFER_SENT: 'PENDING',
      HYPERLANE_TRANSFER_RECEIVED: 'COMPLETED',
      HYPERLANE_TRANSFER_FAILED: 'FAILED',
    },
    transactions: { send_tx: send, receive_tx: receive },
  },
  fees: [bridgeFee],
})
