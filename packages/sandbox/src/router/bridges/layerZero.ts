import type { Bridge } from './bridge.ts'
import { bothEnds, errorOf, messagingBody, outcomeOf, stateName, stuckBothEnds, stuckFailure } from './common.ts'

/** LayerZero's number of the destination chain. */
export const endpointId = (chainId: string): number => (chainId === '1' ? 30_101 : 30_326)

export const layerZero: Bridge = {
  id: 'LAYER_ZERO',
  name: 'LayerZero',
  operationKey: 'layer_zero_transfer',
  hopKey: 'layer_zero_transfer',
  failsAt: 'END',
  arrivesHalfWay: true,
  hasMessagingFee: true,
  operation: (transfer) => ({
    ...transfer.common,
    source_oft_contract_address: transfer.way.contract,
    destination_endpoint_id: endpointId(transfer.step.edge.to.chainId),
    ...messagingBody(transfer),
  }),
  hop: (moment) => {
    const { progress, fails, received } = moment
    return {
      state: `LAYER_ZERO_TRANSFER_${stateName(progress, ['SENT', 'WAITING_FOR_COMPOSE', outcomeOf(moment)])}`,
      txs: {
        ...bothEnds(moment),
        receive_tx: progress >= 0.5 ? received() : null,
        compose_tx: progress >= 1 && !fails ? received() : null,
        error_tx: errorOf(moment),
      },
    }
  },
  stuck: [
    {
      digit: '3',
      states: {
        LAYER_ZERO_TRANSFER_SENT: {},
        LAYER_ZERO_TRANSFER_WAITING_FOR_COMPOSE: { isReceived: true },
        LAYER_ZERO_TRANSFER_FAILED: stuckFailure,
      },
      body: stuckBothEnds,
    },
  ],
}
