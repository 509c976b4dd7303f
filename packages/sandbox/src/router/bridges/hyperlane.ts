import type { Bridge } from './bridge.ts'
import { bothEnds, messagingBody, outcomeOf, stateName, stuckBothEnds, stuckFailure } from './common.ts'

export const hyperlane: Bridge = {
  id: 'HYPERLANE',
  name: 'Hyperlane',
  operationKey: 'hyperlane_transfer',
  hopKey: 'hyperlane_transfer',
  failsAt: 'END',
  hasMessagingFee: true,
  operation: (transfer) => {
    const fee = messagingBody(transfer)
    return {
      ...transfer.common,
      hyperlane_contract_address: transfer.way.contract,
      fee_amount: fee.messaging_fee_amount,
      usd_fee_amount: fee.messaging_fee_amount_usd,
      fee_asset: fee.messaging_fee_asset,
      smart_relay: false,
    }
  },
  hop: (moment) => ({
    state: `HYPERLANE_TRANSFER_${stateName(moment.progress, ['SENT', 'SENT', outcomeOf(moment)])}`,
    txs: bothEnds(moment),
  }),
  stuck: [
    {
      digit: '8',
      states: { HYPERLANE_TRANSFER_SENT: {}, HYPERLANE_TRANSFER_FAILED: stuckFailure },
      body: stuckBothEnds,
    },
  ],
}
