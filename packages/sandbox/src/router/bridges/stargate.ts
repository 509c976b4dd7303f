import { assetBody } from '../assets.ts'
import { feeOf, usdText } from '../edges.ts'
import type { Bridge } from './bridge.ts'
import { bothEnds, errorOf, messagingBody, outcomeOf, stateName, stuckBothEnds, stuckFailure } from './common.ts'
import { endpointId } from './layerZero.ts'

export const stargate: Bridge = {
  id: 'STARGATE',
  name: 'Stargate',
  operationKey: 'stargate_transfer',
  hopKey: 'stargate_transfer',
  failsAt: 'END',
  hasMessagingFee: true,
  operation: (transfer) => {
    const { from, to } = transfer.step.edge
    const fee = feeOf(transfer.step.edge, transfer.step.amountIn)
    return {
      ...transfer.common,
      pool_address: transfer.way.contract,
      destination_endpoint_id: endpointId(to.chainId),
      oft_fee_asset: assetBody(from),
      oft_fee_amount: `${fee}`,
      oft_fee_amount_usd: usdText(from, fee),
      ...messagingBody(transfer),
    }
  },
  hop: (moment) => ({
    state: `STARGATE_TRANSFER_${stateName(moment.progress, ['SENT', 'PENDING_CONFIRMATION', outcomeOf(moment)])}`,
    txs: { ...bothEnds(moment), error_tx: errorOf(moment) },
  }),
  stuck: [
    {
      digit: '4',
      states: {
        STARGATE_TRANSFER_SENT: {},
        STARGATE_TRANSFER_PENDING_CONFIRMATION: {},
        STARGATE_TRANSFER_CONFIRMED: {},
        STARGATE_TRANSFER_FAILED: stuckFailure,
      },
      body: stuckBothEnds,
    },
  ],
}
