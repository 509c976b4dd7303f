import { assetBody } from '../assets.ts'
import { feeOf, usdText } from '../edges.ts'
import type { Bridge } from './bridge.ts'
import { stateName, stuckFailure } from './common.ts'

export const goFast: Bridge = {
  id: 'GO_FAST',
  name: 'Go Fast',
  operationKey: 'go_fast_transfer',
  hopKey: 'go_fast_transfer',
  isFast: true,
  operation: ({ step, common }) => {
    const { from, fee, bps } = step.edge
    const bpsFee = feeOf(step.edge, step.amountIn) - fee
    const half = fee / 2n
    return {
      ...common,
      fee: {
        fee_asset: assetBody(from),
        bps_fee: `${bps}`,
        bps_fee_amount: `${bpsFee}`,
        bps_fee_usd: usdText(from, bpsFee),
        source_chain_fee_amount: `${half}`,
        source_chain_fee_usd: usdText(from, half),
        destination_chain_fee_amount: `${fee - half}`,
        destination_chain_fee_usd: usdText(from, fee - half),
      },
      source_domain: '1',
      destination_domain: '875',
    }
  },
  hop: ({ progress, sent, received }) => ({
    state: `GO_FAST_TRANSFER_${stateName(progress, ['SENT', 'SENT', 'FILLED'])}`,
    error_message: null,
    txs: {
      order_submitted_tx: progress >= 0 ? sent() : null,
      order_filled_tx: progress >= 1 ? received() : null,
      order_refunded_tx: null,
      order_timeout_tx: null,
    },
  }),
  stuck: [
    {
      digit: '9',
      states: {
        GO_FAST_TRANSFER_SENT: {},
        GO_FAST_TRANSFER_TIMEOUT: { state: 'STATE_PENDING_ERROR' },
        GO_FAST_TRANSFER_REFUNDED: { state: 'STATE_COMPLETED_ERROR', isReturned: true },
        GO_FAST_POST_ACTION_FAILED: { ...stuckFailure, isReleased: true },
      },
      body: ({ sent, received, returned }) => ({
        error_message: null,
        txs: {
          order_submitted_tx: sent,
          order_filled_tx: received,
          order_refunded_tx: returned,
          order_timeout_tx: null,
        },
      }),
    },
  ],
}
