import { receiverHex } from '../calls.ts'
import { message } from '../chainMessages.ts'
import type { Bridge } from './bridge.ts'
import { bothEnds, relayBody, stateName, stuckBothEnds } from './common.ts'

const stuckStates = { CCTP_TRANSFER_SENT: {}, CCTP_TRANSFER_PENDING_CONFIRMATION: {}, CCTP_TRANSFER_CONFIRMED: {} }

export const cctp: Bridge = {
  id: 'CCTP',
  name: 'CCTP',
  operationKey: 'cctp_transfer',
  hopKey: 'cctp_transfer',
  hasRelayFee: true,
  operation: (transfer) => {
    const { from, to } = transfer.step.edge
    return {
      ...transfer.common,
      burn_token: from.denom,
      destination_domain: to.chainId === '1' ? 0 : 4,
      ...relayBody(transfer),
    }
  },
  hop: (moment) => ({
    state: `CCTP_TRANSFER_${stateName(moment.progress, ['SENT', 'CONFIRMED', 'RECEIVED'])}`,
    txs: bothEnds(moment),
  }),
  message: (network, _way, { hop }) =>
    message('/circle.cctp.v1.MsgDepositForBurn', {
      from: hop.sender,
      amount: `${hop.amountIn}`,
      destination_domain: 0,
      mint_recipient: Buffer.from(receiverHex(network, hop).padStart(64, '0'), 'hex').toString('base64'),
      burn_token: hop.edge.from.denom,
    }),
  stuck: [
    { digit: '6', states: stuckStates, body: stuckBothEnds },
    { digit: '7', hopKey: 'cctp_transfer_v2', states: stuckStates, body: stuckBothEnds },
  ],
}
