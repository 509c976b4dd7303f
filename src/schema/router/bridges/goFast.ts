import { detailsOfBody, text } from './bodyFields.ts'
import { defineBridge } from './defineBridge.ts'
import { delivered, routerSupport } from './guidance.ts'

const facts = {
  supportUrl: routerSupport,
  source: 'Go Fast contracts (FastTransferGateway), Skip Go documentation',
  asOf: '2025-12',
}

export const goFast = defineBridge({
  id: 'GO_FAST',
  description: 'Go Fast: solvers deliver the asset in advance from their own funds.',
  operation: {
    keys: ['go_fast_transfer'],
    details: detailsOfBody('GoFastTransferDetails', 'A transfer over Go Fast, where solvers deliver in advance.', {
      sourceDomain: text('source_domain', 'Go Fast domain of the source chain.'),
      destinationDomain: text('destination_domain', 'Go Fast domain of the destination chain.'),
    }),
  },
  hop: {
    key: 'go_fast_transfer',
    states: {
      GO_FAST_TRANSFER_SENT: {
        is: 'PENDING',
        guidance: {
          ...facts,
          waitingFor: 'SOLVER',
          funds: 'HELD',
          returns: 'AUTOMATIC',
          sentence: 'A solver delivers it on {to} from its own funds, usually within seconds.',
          nextStep: 'Wait.',
          late: {
            sentence:
              'No solver has delivered it on {to} yet. If none does in time, it returns to the sender on {from}.',
            nextStep: 'Wait. Ask for help if nothing has changed after a day.',
          },
          lateAfterSeconds: 600,
        },
      },
      GO_FAST_TRANSFER_FILLED: { is: 'COMPLETED', guidance: { ...facts, ...delivered } },
      GO_FAST_TRANSFER_REFUNDED: {
        is: 'FAILED',
        guidance: {
          ...facts,
          waitingFor: 'NOBODY',
          funds: 'RETURNED',
          returns: 'NOTHING_TO_RETURN',
          sentence: 'No solver took it. The coins that Go Fast was given, with its fees, are back on {from}.',
          nextStep: 'Look at the account on {from}. If the transfer exchanged its coin there, another coin is back.',
        },
      },
      GO_FAST_TRANSFER_TIMEOUT: {
        is: 'FAILED',
        guidance: {
          ...facts,
          waitingFor: 'RELAYER',
          funds: 'RETURNING',
          returns: 'AUTOMATIC',
          sentence: 'No solver took it in time. It returns to the sender on {from}.',
          nextStep: 'Wait.',
        },
      },
      GO_FAST_POST_ACTION_FAILED: {
        is: 'FAILED',
        guidance: {
          ...facts,
          waitingFor: 'NOBODY',
          funds: 'UNKNOWN',
          returns: 'UNKNOWN',
          sentence: 'It was delivered on {to}, but the step after that failed.',
          nextStep: 'See `assetRelease`, and ask for help if it is null.',
        },
      },
    },
    transactions: {
      order_submitted_tx: {
        kind: 'ORDER_SUBMIT',
        description: 'Submits the order to the solvers.',
      },
      order_filled_tx: {
        kind: 'ORDER_FILL',
        description: 'A solver delivers the asset on the destination chain.',
      },
      order_refunded_tx: {
        kind: 'ORDER_REFUND',
        description: 'Refunds the order, as no solver filled it.',
      },
      order_timeout_tx: {
        kind: 'ORDER_TIMEOUT',
        description: 'Closes the order, as no solver filled it in time.',
      },
    },
  },
  fees: [
    {
      kind: 'BRIDGE',
      amount: 'fee.bps_fee_amount',
      usdAmount: 'fee.bps_fee_usd',
      asset: 'fee.fee_asset',
    },
    {
      kind: 'SOURCE_CHAIN',
      amount: 'fee.source_chain_fee_amount',
      usdAmount: 'fee.source_chain_fee_usd',
      asset: 'fee.fee_asset',
    },
    {
      kind: 'DESTINATION_CHAIN',
      amount: 'fee.destination_chain_fee_amount',
      usdAmount: 'fee.destination_chain_fee_usd',
      asset: 'fee.fee_asset',
    },
  ],
})
