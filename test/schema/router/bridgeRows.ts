/** What a test sends as a router for one bridge, and what the graph must read from it. */
export interface BridgeRow {
  /** The keys of the operation in a route. */
  readonly keys: readonly string[]
  /** What only this operation has: on the wire, and as fields of its type. */
  readonly operation: { readonly wire: object; readonly fields: object }
  /** The fees inside the operation: on the wire, and as `kind amount usdValue symbol`. */
  readonly fees: { readonly wire: object; readonly read: readonly string[] }
  /** The key of the hop in a status. */
  readonly hopKey: string
  /** What only this hop has: on the wire, and as fields of its type. */
  readonly hop?: { readonly wire: object; readonly fields: object }
  /** The transactions of the hop: the kind of each slot. */
  readonly transactions: Readonly<Record<string, string>>
  /** The object that holds the transactions, where they are nested. */
  readonly transactionGroups?: readonly string[]
  /** The state of each word, as `word state`. */
  readonly states: readonly string[]
}

const asset = (denom: string) => ({ chain_id: 'harbor-1', denom, symbol: denom.toUpperCase() })
const scanUrl = 'https://scan.example/1'

const sendReceive = { send_tx: 'SEND', receive_tx: 'RECEIVE' }
const bridgeFee = {
  wire: { fee_amount: '11', usd_fee_amount: '0.1', fee_asset: asset('fee') },
  read: ['BRIDGE 11 0.1 FEE'],
}
const relayFee = {
  wire: { smart_relay_fee_quote: { fee_amount: '12', fee_denom: 'uin' } },
  read: ['RELAY 12 null IN'],
}
const messagingFee = {
  wire: {
    messaging_fee_amount: '13',
    messaging_fee_amount_usd: '0.3',
    messaging_fee_asset: asset('gas'),
  },
  read: ['MESSAGING 13 0.3 GAS'],
}
const ibc = {
  transactions: { ...sendReceive, acknowledge_tx: 'ACKNOWLEDGE', timeout_tx: 'TIMEOUT' },
  states: [
    'TRANSFER_PENDING PENDING',
    'TRANSFER_PENDING_ERROR PENDING',
    'TRANSFER_RECEIVED PENDING',
    'TRANSFER_SUCCESS COMPLETED',
    'TRANSFER_FAILURE FAILED',
  ],
}
const cctp = {
  transactions: sendReceive,
  states: [
    'CCTP_TRANSFER_SENT PENDING',
    'CCTP_TRANSFER_PENDING_CONFIRMATION PENDING',
    'CCTP_TRANSFER_CONFIRMED PENDING',
    'CCTP_TRANSFER_RECEIVED COMPLETED',
  ],
}
const relayQuote = {
  wire: {
    burn_token: '0xburn',
    smart_relay_fee_quote: {
      fee_amount: '12',
      fee_denom: 'uin',
      expiration: '2026-03-01T00:00:00Z',
    },
  },
  fields: { burnToken: '0xburn' },
}

/** One row a bridge, by its id. */
export const bridgeRows: Readonly<Record<string, BridgeRow>> = {
  IBC: {
    keys: ['transfer'],
    operation: {
      wire: { port: 'transfer', channel: 'channel-7', pfm_enabled: true, supports_memo: true },
      fields: { port: 'transfer', channel: 'channel-7', isForwarding: true, supportsMemo: true },
    },
    fees: bridgeFee,
    hopKey: 'ibc_transfer',
    ...ibc,
  },
  EUREKA: {
    keys: ['eureka_transfer'],
    operation: {
      wire: {
        destination_port: 'port-1',
        source_client: 'client-2',
        entry_contract_address: '0xentry',
        callback_adapter_contract_address: '0xcallback',
      },
      fields: {
        destinationPort: 'port-1',
        sourceClient: 'client-2',
        entryContract: '0xentry',
        callbackContract: '0xcallback',
      },
    },
    fees: relayFee,
    hopKey: 'eureka_transfer',
    ...ibc,
  },
  OPINIT: {
    keys: ['op_init_transfer'],
    operation: { wire: { op_init_bridge_id: 16 }, fields: { opInitBridgeId: '16' } },
    fees: { wire: {}, read: [] },
    hopKey: 'op_init_transfer',
    transactions: sendReceive,
    states: ['OPINIT_TRANSFER_SENT PENDING', 'OPINIT_TRANSFER_RECEIVED COMPLETED'],
  },
  LAYER_ZERO: {
    keys: ['layer_zero_transfer', 'lz_transfer'],
    operation: {
      wire: { source_oft_contract_address: '0xoft', destination_endpoint_id: 30101 },
      fields: { sourceContract: '0xoft', destinationEndpointId: '30101' },
    },
    fees: messagingFee,
    hopKey: 'layer_zero_transfer',
    transactions: { ...sendReceive, compose_tx: 'COMPOSE', error_tx: 'ERROR' },
    states: [
      'LAYER_ZERO_TRANSFER_SENT PENDING',
      'LAYER_ZERO_TRANSFER_WAITING_FOR_COMPOSE PENDING',
      'LAYER_ZERO_TRANSFER_RECEIVED COMPLETED',
      'LAYER_ZERO_TRANSFER_FAILED FAILED',
    ],
  },
  STARGATE: {
    keys: ['stargate_transfer'],
    operation: {
      wire: { pool_address: '0xpool', destination_endpoint_id: 30102 },
      fields: { poolAddress: '0xpool', destinationEndpointId: '30102' },
    },
    fees: {
      wire: {
        oft_fee_amount: '14',
        oft_fee_amount_usd: '0.4',
        oft_fee_asset: asset('oft'),
        ...messagingFee.wire,
      },
      read: ['BRIDGE 14 0.4 OFT', ...messagingFee.read],
    },
    hopKey: 'stargate_transfer',
    transactions: { ...sendReceive, error_tx: 'ERROR' },
    states: [
      'STARGATE_TRANSFER_SENT PENDING',
      'STARGATE_TRANSFER_PENDING_CONFIRMATION PENDING',
      'STARGATE_TRANSFER_CONFIRMED PENDING',
      'STARGATE_TRANSFER_RECEIVED COMPLETED',
      'STARGATE_TRANSFER_FAILED FAILED',
    ],
  },
  AXELAR: {
    keys: ['axelar_transfer'],
    operation: {
      wire: { asset: 'uusdc', should_unwrap: true, is_testnet: true },
      fields: { axelarAsset: 'uusdc', isUnwrapped: true, isTestnet: true },
    },
    fees: bridgeFee,
    hopKey: 'axelar_transfer',
    hop: {
      wire: { type: 'AXELAR_TRANSFER_SEND_TOKEN', axelar_scan_link: scanUrl },
      fields: { mode: 'SEND_TOKEN', rawMode: 'AXELAR_TRANSFER_SEND_TOKEN', scanUrl },
    },
    transactions: {
      send_tx: 'SEND',
      gas_paid_tx: 'GAS_PAID',
      confirm_tx: 'CONFIRM',
      approve_tx: 'APPROVE',
      execute_tx: 'EXECUTE',
    },
    transactionGroups: ['contract_call_with_token_txs', 'send_token_txs'],
    states: [
      'AXELAR_TRANSFER_PENDING_CONFIRMATION PENDING',
      'AXELAR_TRANSFER_PENDING_RECEIPT PENDING',
      'AXELAR_TRANSFER_SUCCESS COMPLETED',
      'AXELAR_TRANSFER_FAILURE FAILED',
    ],
  },
  CCTP: {
    keys: ['cctp_transfer'],
    operation: relayQuote,
    fees: relayFee,
    hopKey: 'cctp_transfer',
    ...cctp,
  },
  CCTP_V2: {
    keys: ['cctp_transfer_v2'],
    operation: {
      wire: { ...relayQuote.wire, destination_domain: 3, finality_threshold: 1000 },
      fields: { ...relayQuote.fields, destinationDomain: '3', finalityThreshold: 1000 },
    },
    fees: {
      wire: { ...relayFee.wire, max_fee: '15' },
      read: [...relayFee.read, 'MAXIMUM 15 null IN'],
    },
    hopKey: 'cctp_transfer_v2',
    ...cctp,
  },
  HYPERLANE: {
    keys: ['hyperlane_transfer'],
    operation: {
      wire: { hyperlane_contract_address: '0xhyper' },
      fields: { contractAddress: '0xhyper' },
    },
    fees: bridgeFee,
    hopKey: 'hyperlane_transfer',
    transactions: sendReceive,
    states: [
      'HYPERLANE_TRANSFER_SENT PENDING',
      'HYPERLANE_TRANSFER_RECEIVED COMPLETED',
      'HYPERLANE_TRANSFER_FAILED FAILED',
    ],
  },
  GO_FAST: {
    keys: ['go_fast_transfer'],
    operation: {
      wire: { source_domain: '1', destination_domain: '2' },
      fields: { sourceDomain: '1', destinationDomain: '2' },
    },
    fees: {
      wire: {
        fee: {
          fee_asset: asset('fee'),
          bps_fee_amount: '16',
          bps_fee_usd: '0.6',
          source_chain_fee_amount: '17',
          source_chain_fee_usd: '0.7',
          destination_chain_fee_amount: '18',
          destination_chain_fee_usd: '0.8',
        },
      },
      read: ['BRIDGE 16 0.6 FEE', 'SOURCE_CHAIN 17 0.7 FEE', 'DESTINATION_CHAIN 18 0.8 FEE'],
    },
    hopKey: 'go_fast_transfer',
    transactions: {
      order_submitted_tx: 'ORDER_SUBMIT',
      order_filled_tx: 'ORDER_FILL',
      order_refunded_tx: 'ORDER_REFUND',
      order_timeout_tx: 'ORDER_TIMEOUT',
    },
    states: [
      'GO_FAST_TRANSFER_SENT PENDING',
      'GO_FAST_TRANSFER_FILLED COMPLETED',
      'GO_FAST_TRANSFER_REFUNDED FAILED',
      'GO_FAST_TRANSFER_TIMEOUT FAILED',
      'GO_FAST_POST_ACTION_FAILED FAILED',
    ],
  },
}
