import { detailsOfBody, flag, text } from './bodyFields.ts'
import { bridgeFee, receive, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'

export const ibc = defineBridge({
  id: 'IBC',
  description: 'The Inter-Blockchain Communication protocol (ICS-20 transfers).',
  operation: {
    keys: ['transfer'],
    details: detailsOfBody('IbcTransferDetails', 'A transfer over IBC (ICS-20).', {
      port: text('port', 'IBC port on the source chain.'),
      channel: text('channel', 'IBC channel on the source chain.'),
      isForwarding: flag('pfm_enabled', 'Whether the source chain forwards packets in one transaction.'),
      supportsMemo: flag('supports_memo', 'Whether packets on this channel can carry a memo.'),
    }),
  },
  hop: {
    key: 'ibc_transfer',
    states: {
      TRANSFER_PENDING: 'PENDING',
      TRANSFER_PENDING_ERROR: 'PENDING',
      // The receiving chain can still refuse a packet that it has received.
      TRANSFER_RECEIVED: 'PENDING',
      TRANSFER_SUCCESS: 'COMPLETED',
      TRANSFER_FAILURE: 'FAILED',
    },
    transactions: {
      send_tx: send,
      receive_tx: receive,
      acknowledge_tx: {
        kind: 'ACKNOWLEDGE',
        description: 'Reports delivery or refusal to the source chain.',
      },
      timeout_tx: {
        kind: 'TIMEOUT',
        description: 'Returns the asset on the source chain, as it was not delivered in time.',
      },
    },
    lastTransactions: ['acknowledge_tx', 'timeout_tx'],
  },
  fees: [bridgeFee],
})
