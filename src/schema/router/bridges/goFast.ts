import { detailsOfBody, text } from './bodyFields.ts'
import { defineBridge } from './defineBridge.ts'

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
      GO_FAST_TRANSFER_SENT: 'PENDING',
      GO_FAST_TRANSFER_FILLED: 'COMPLETED',
      GO_FAST_TRANSFER_REFUNDED: 'FAILED',
      GO_FAST_TRANSFER_TIMEOUT: 'FAILED',
      GO_FAST_POST_ACTION_FAILED: 'FAILED',
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
