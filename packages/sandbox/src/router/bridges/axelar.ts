import { assetBody } from '../assets.ts'
import { feeOf, usdText } from '../edges.ts'
import type { JsonObject } from '../jsonObject.ts'
import type { Bridge } from './bridge.ts'
import { stateName } from './common.ts'

const scanLink = (sent: JsonObject): string => `https://axelarscan.io/transfer/${sent.tx_hash}`

export const axelar: Bridge = {
  id: 'AXELAR',
  name: 'Axelar',
  operationKey: 'axelar_transfer',
  hopKey: 'axelar_transfer',
  ownChainId: 'axelar-dojo-1',
  operation: ({ network, step, common }) => {
    const { from, to } = step.edge
    const fee = feeOf(step.edge, step.amountIn)
    return {
      ...common,
      from_chain: network.chains.get(from.chainId)?.prettyName,
      to_chain: network.chains.get(to.chainId)?.prettyName,
      asset: 'weth-wei',
      should_unwrap: to.chainId === '1',
      fee_amount: `${fee}`,
      usd_fee_amount: usdText(from, fee),
      fee_asset: assetBody(from),
      is_testnet: false,
      smart_relay: false,
    }
  },
  hop: ({ progress, sent, received }) => {
    const send = progress >= 0 ? sent() : null
    const link = send && scanLink(send)
    return {
      type: 'AXELAR_TRANSFER_SEND_TOKEN',
      state: `AXELAR_TRANSFER_${stateName(progress, ['PENDING_CONFIRMATION', 'PENDING_RECEIPT', 'SUCCESS'])}`,
      axelar_scan_link: link,
      txs: {
        send_token_txs: {
          send_tx: send,
          // A transaction of the bridge's own chain, of which routers often know no more than a link.
          confirm_tx: link && progress >= 0.5 ? { explorer_link: `${link}/confirm` } : null,
          execute_tx: progress >= 1 ? received() : null,
          error: null,
        },
      },
    }
  },
  stuck: [
    {
      digit: '5',
      states: {
        AXELAR_TRANSFER_PENDING_CONFIRMATION: {},
        AXELAR_TRANSFER_PENDING_RECEIPT: {},
        AXELAR_TRANSFER_FAILURE: { state: 'STATE_COMPLETED_ERROR' },
      },
      body: ({ sent }) => ({
        type: 'AXELAR_TRANSFER_SEND_TOKEN',
        axelar_scan_link: scanLink(sent),
        txs: { send_token_txs: { send_tx: sent, confirm_tx: null, execute_tx: null, error: null } },
      }),
    },
  ],
}
