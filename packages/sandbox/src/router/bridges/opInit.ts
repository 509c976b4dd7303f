import { message } from '../chainMessages.ts'
import type { Way } from '../edges.ts'
import type { Bridge } from './bridge.ts'
import { bothEnds, stateName, stuckBothEnds } from './common.ts'

/** The optimistic bridge between the hub and its rollups. */
export const opInit: Bridge = {
  id: 'OPINIT',
  name: 'Optimistic bridge',
  operationKey: 'op_init_transfer',
  hopKey: 'op_init_transfer',
  operation: ({ way, common }) => ({
    ...common,
    op_init_bridge_id: `${way.rollup?.bridgeId}`,
    smart_relay: false,
  }),
  hop: (moment) => ({
    state: `OPINIT_TRANSFER_${stateName(moment.progress, ['SENT', 'SENT', 'RECEIVED'])}`,
    txs: bothEnds(moment),
  }),
  message: (_network, { rollup }, { hop }, { hook }) => {
    const { sender, receiver: to, edge, amountIn } = hop
    const amount = { denom: edge.from.denom, amount: `${amountIn}` }
    return rollup?.isDeposit
      ? message('/opinit.ophost.v1.MsgInitiateTokenDeposit', {
          sender,
          bridge_id: `${rollup.bridgeId}`,
          to,
          amount,
          data: hook,
        })
      : message('/opinit.opchild.v1.MsgInitiateTokenWithdrawal', { sender, to, amount })
  },
  moveArguments: ({ hook }) => [hook],
  stuck: [{ digit: '2', states: { OPINIT_TRANSFER_SENT: {} }, body: stuckBothEnds }],
  records: {
    parcelOf({ chainId, type, attributes }, _beside, { chainOver }) {
      const isDeposit = type === 'initiate_token_deposit'
      if (!isDeposit && type !== 'initiate_token_withdrawal') return undefined
      // The events of a rollup do not name its bridge: it has only one.
      const {
        from: sender = '',
        to: receiver = '',
        l1_denom = '',
        denom = l1_denom,
        amount = '',
        bridge_id,
      } = attributes
      const isWay = ({ rollup }: Way): boolean =>
        rollup?.isDeposit === isDeposit && (!isDeposit || rollup.bridgeId === Number(bridge_id))
      return { toChainId: chainOver(chainId, isWay), sender, receiver, coin: { denom, amount } }
    },
    keyOf: ({ attributes: { l1_sequence, l2_sequence } }) =>
      l1_sequence ? `deposit ${l1_sequence}` : l2_sequence && `withdrawal ${l2_sequence}`,
    arrivals: ['finalize_token_deposit', 'finalize_token_withdrawal'],
    endings: {},
    sendsOn: false,
    // The bridge has no state for a deposit that the rollup refused.
    hop: (hop, { sent, received }) => ({
      state: `OPINIT_TRANSFER_${hop.received ? 'RECEIVED' : 'SENT'}`,
      txs: { send_tx: sent, receive_tx: received },
    }),
  },
}
