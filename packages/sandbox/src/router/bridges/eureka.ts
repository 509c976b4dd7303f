import { contractAddress } from '../assets.ts'
import type { Bridge } from './bridge.ts'
import { relayBody } from './common.ts'
import { packetHop, packetRecords, stuckPacket } from './packets.ts'

export const eureka: Bridge = {
  id: 'EUREKA',
  name: 'IBC Eureka',
  operationKey: 'eureka_transfer',
  hopKey: 'eureka_transfer',
  failsAt: 'HALF_WAY',
  arrivesHalfWay: true,
  hasRelayFee: true,
  operation: (transfer) => {
    const { chainId } = transfer.step.edge.from
    return {
      ...transfer.common,
      destination_port: 'transfer',
      source_client: chainId === '1' ? 'cosmoshub-0' : '08-wasm-1369',
      pfm_enabled: false,
      supports_memo: true,
      entry_contract_address: transfer.way.contract,
      callback_adapter_contract_address: contractAddress('eureka callback', chainId),
      ...relayBody(transfer),
    }
  },
  hop: packetHop,
  stuck: [
    {
      digit: '1',
      states: {
        TRANSFER_PENDING: {},
        TRANSFER_RECEIVED: { isReceived: true },
        TRANSFER_PENDING_ERROR: { state: 'STATE_PENDING_ERROR', isReceived: true },
        TRANSFER_FAILURE: { state: 'STATE_COMPLETED_ERROR', isReceived: true, isReturned: true },
      },
      body: stuckPacket,
    },
  ],
  // IBC v2 between two Cosmos chains has the words of this bridge too.
  records: packetRecords(({ chainId, attributes }, { chainOfClient }) => {
    const client = attributes.packet_source_client
    return client && chainOfClient(chainId, client)
  }),
}
