import { detailsOfBody, flag, text } from './bodyFields.ts'
import { bridgeFee, receive, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'
import { delivered, type Guidance, routerSupport } from './guidance.ts'

/** Where the facts on IBC come from. */
const ibcFacts = {
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
  recorded: {
    hasRoute: (route) => 'source' in route && route.source.startsWith('channel-'),
    words: { ON_THE_WAY: 'TRANSFER_PENDING', REFUSED: 'TRANSFER_PENDING_ERROR' },
    // A contract of another bridge can have exchanged the coin before.
    returnsSameCoin: true,
  },
})

/** What the records of both chains show of a packet, and no router tells. `{time}` stands for the end of its time limit. */
export const ibcRecordGuidance = {
  overdue: {
    ...ibcFacts,
    waitingFor: 'RELAYER',
    funds: 'RETURNING',
    returns: 'AUTOMATIC',
    sentence:
      'Not delivered to {to}. Its time limit passed on {time}: it can only come back to {from}, and a relayer has to report that there.',
    nextStep: 'Wait. Ask for help if nothing has changed after 24 hours.',
  },
  overdueOrArrived: {
    ...ibcFacts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'AUTOMATIC',
    sentence:
      'Its time limit passed on {time}. Unless it arrived on {to} before that, it can only come back to {from}, and a relayer has to report that there.',
    nextStep:
      'Look at the account on {to}. If it is not there, wait, and ask for help if it is not back after 24 hours.',
  },
  /** Coins that only passed through a chain came back to it. */
  returnedFurther: {
    ...ibcFacts,
    waitingFor: 'RELAYER',
    funds: 'RETURNING',
    returns: 'AUTOMATIC',
    sentence: 'Not delivered to {to}. {from} returns it to the chain that it came from.',
    nextStep: 'Wait, and look at the account that sent it first.',
  },
  taken: {
    ...ibcFacts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence:
      '{to} told {from} that it succeeded, and was asked to pass it on. No record that was read shows where it is.',
    nextStep: 'Look at the account on the last chain.',
  },
  passedOn: {
    ...ibcFacts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: '{to} has passed it on to another chain. No record that was read shows what became of it there.',
    nextStep: 'Look at the account on the last chain.',
  },
  sentAgain: {
    ...ibcFacts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: 'Not received on {to} in time. {from} has sent it again.',
    nextStep: 'Look at the account on {to}.',
  },
} satisfies Record<string, Guidance>
