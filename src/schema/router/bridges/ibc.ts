import { detailsOfBody, flag, text } from './bodyFields.ts'
import { bridgeFee, receive, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'
import { delivered, routerSupport } from './guidance.ts'

/** Where the facts on IBC come from. */
export const ibcFacts = {
  supportUrl: routerSupport,
  source: 'ibc-go (modules/core/04-channel), Skip Go documentation (FAQ, transaction support)',
  asOf: '2026-08',
}

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
      TRANSFER_PENDING: {
        is: 'PENDING',
        guidance: {
          ...ibcFacts,
          waitingFor: 'RELAYER',
          funds: 'MOVING',
          returns: 'AUTOMATIC',
          sentence: 'On its way to {to}. A relayer usually delivers it within 30 seconds.',
          nextStep: 'Wait.',
          late: {
            sentence:
              'Not delivered to {to} yet. If its time limit passes, it returns to the sender on {from} once a relayer reports that, which can take hours.',
            nextStep: 'Wait. Ask for help if nothing has changed after 24 hours.',
          },
          usualSeconds: 30,
          lateAfterSeconds: 300,
        },
      },
      TRANSFER_PENDING_ERROR: {
        is: 'PENDING',
        guidance: {
          ...ibcFacts,
          waitingFor: 'RELAYER',
          funds: 'RETURNING',
          returns: 'AUTOMATIC',
          sentence: '{to} did not take it. It returns to the sender on {from} once a relayer reports that.',
          nextStep: 'Wait.',
          late: {
            sentence:
              '{to} did not take it, and no relayer has reported that to {from} for a day. It is still safe there.',
            nextStep: 'Ask for help.',
          },
          lateAfterSeconds: 86_400,
        },
      },
      // The receiving chain can still refuse a packet that it has received.
      TRANSFER_RECEIVED: {
        is: 'PENDING',
        guidance: {
          ...ibcFacts,
          waitingFor: 'RELAYER',
          funds: 'MOVING',
          returns: 'AUTOMATIC',
          sentence: 'Received on {to}, which may have refused it. A relayer reports the result to {from}.',
          nextStep: 'Wait.',
          usualSeconds: 30,
          lateAfterSeconds: 300,
        },
      },
      TRANSFER_SUCCESS: { is: 'COMPLETED', guidance: { ...ibcFacts, ...delivered } },
      TRANSFER_FAILURE: {
        is: 'FAILED',
        guidance: {
          ...ibcFacts,
          waitingFor: 'NOBODY',
          funds: 'RETURNING',
          returns: 'AUTOMATIC',
          sentence: 'Not delivered to {to}. IBC returns it to the account that sent it on {from}.',
          nextStep: 'Look at the account on {from}.',
        },
      },
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
