import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import {
  lenient,
  lenientBoolean,
  lenientNumber,
  lenientString,
  lenientTimestamp,
} from '../../../upstream/lenient.ts'
import { operationType } from '../route/operation.ts'

// One type for each bridge, with the fields that only it has. Amounts, chains, denoms and fees are
// those of every operation.

const ibc = z.object({
  port: lenientString,
  channel: lenientString,
  pfm_enabled: lenientBoolean,
  supports_memo: lenientBoolean,
})

const IbcTransferOperation = operationType('IbcTransferOperation', {
  description: 'A crossing by IBC (ICS-20).',
  keys: ['transfer'],
  bridgeId: 'IBC',
})

builder.objectFields(IbcTransferOperation, (t) => ({
  port: t.string({
    nullable: true,
    description: 'The IBC port on the sending chain.',
    resolve: ({ body }) => ibc.parse(body).port,
  }),
  channel: t.string({
    nullable: true,
    description: 'The IBC channel on the sending chain.',
    resolve: ({ body }) => ibc.parse(body).channel,
  }),
  isForwarding: t.boolean({
    description: 'Whether the sending chain can pass packets on, so that hops join.',
    resolve: ({ body }) => ibc.parse(body).pfm_enabled,
  }),
  supportsMemo: t.boolean({
    description: 'Whether packets on the channel carry a memo.',
    resolve: ({ body }) => ibc.parse(body).supports_memo,
  }),
}))

const eureka = z.object({
  destination_port: lenientString,
  source_client: lenientString,
  entry_contract_address: lenientString,
  callback_adapter_contract_address: lenientString,
})

const EurekaTransferOperation = operationType('EurekaTransferOperation', {
  description: 'A crossing by IBC between Cosmos and Ethereum.',
  keys: ['eureka_transfer'],
  bridgeId: 'EUREKA',
})

builder.objectFields(EurekaTransferOperation, (t) => ({
  destinationPort: t.string({
    nullable: true,
    description: 'The port on the receiving chain.',
    resolve: ({ body }) => eureka.parse(body).destination_port,
  }),
  sourceClient: t.string({
    nullable: true,
    description: 'The light client on the sending chain.',
    resolve: ({ body }) => eureka.parse(body).source_client,
  }),
  entryContract: t.string({
    nullable: true,
    description: 'The contract the transfer enters by.',
    resolve: ({ body }) => eureka.parse(body).entry_contract_address,
  }),
  callbackContract: t.string({
    nullable: true,
    description: 'The contract that hears what became of it.',
    resolve: ({ body }) => eureka.parse(body).callback_adapter_contract_address,
  }),
}))

const OpInitTransferOperation = operationType('OpInitTransferOperation', {
  description:
    "A deposit to a rollup, or a withdrawal from one, by the rollup's optimistic bridge.",
  keys: ['op_init_transfer'],
  bridgeId: 'OPINIT',
})

builder.objectFields(OpInitTransferOperation, (t) => ({
  opInitBridgeId: t.string({
    nullable: true,
    description: "Number of the rollup's bridge on the hub.",
    resolve: ({ body }) =>
      z.object({ op_init_bridge_id: lenientString }).parse(body).op_init_bridge_id,
  }),
}))

const layerZero = z.object({
  source_oft_contract_address: lenientString,
  destination_endpoint_id: lenientString,
})

const LayerZeroTransferOperation = operationType('LayerZeroTransferOperation', {
  description: 'A crossing by LayerZero.',
  keys: ['layer_zero_transfer', 'lz_transfer'],
  bridgeId: 'LAYER_ZERO',
})

builder.objectFields(LayerZeroTransferOperation, (t) => ({
  sourceContract: t.string({
    nullable: true,
    description: 'The token contract on the sending chain.',
    resolve: ({ body }) => layerZero.parse(body).source_oft_contract_address,
  }),
  destinationEndpointId: t.string({
    nullable: true,
    description: "LayerZero's number of the receiving chain.",
    resolve: ({ body }) => layerZero.parse(body).destination_endpoint_id,
  }),
}))

const stargate = z.object({ pool_address: lenientString, destination_endpoint_id: lenientString })

const StargateTransferOperation = operationType('StargateTransferOperation', {
  description: 'A crossing by Stargate.',
  keys: ['stargate_transfer'],
  bridgeId: 'STARGATE',
})

builder.objectFields(StargateTransferOperation, (t) => ({
  poolAddress: t.string({
    nullable: true,
    description: 'The pool on the sending chain.',
    resolve: ({ body }) => stargate.parse(body).pool_address,
  }),
  destinationEndpointId: t.string({
    nullable: true,
    description: "LayerZero's number of the receiving chain.",
    resolve: ({ body }) => stargate.parse(body).destination_endpoint_id,
  }),
}))

const axelar = z.object({
  asset: lenientString,
  should_unwrap: lenientBoolean,
  is_testnet: lenientBoolean,
})

const AxelarTransferOperation = operationType('AxelarTransferOperation', {
  description: 'A crossing by Axelar.',
  keys: ['axelar_transfer'],
  bridgeId: 'AXELAR',
})

builder.objectFields(AxelarTransferOperation, (t) => ({
  axelarAsset: t.string({
    nullable: true,
    description: "Axelar's own name of the asset.",
    resolve: ({ body }) => axelar.parse(body).asset,
  }),
  isUnwrapped: t.boolean({
    description: "Whether the asset arrives as the receiving chain's own coin.",
    resolve: ({ body }) => axelar.parse(body).should_unwrap,
  }),
  isTestnet: t.boolean({
    description: "Whether it goes by Axelar's test network.",
    resolve: ({ body }) => axelar.parse(body).is_testnet,
  }),
}))

const cctp = z.object({
  burn_token: lenientString,
  destination_domain: lenientString,
  finality_threshold: lenientNumber,
  smart_relay_fee_quote: lenient(
    z.object({ relayer_address: lenientString, expiration: lenientTimestamp }),
  ),
})

const CctpTransferOperation = operationType('CctpTransferOperation', {
  description: "A crossing by Circle's bridge.",
  keys: ['cctp_transfer'],
  bridgeId: 'CCTP',
})

const CctpV2TransferOperation = operationType('CctpV2TransferOperation', {
  description: "A crossing by the second version of Circle's bridge.",
  keys: ['cctp_transfer_v2'],
  bridgeId: 'CCTP_V2',
})

for (const type of [CctpTransferOperation, CctpV2TransferOperation]) {
  builder.objectFields(type, (t) => ({
    burnToken: t.string({
      nullable: true,
      description: 'The token burnt on the sending chain.',
      resolve: ({ body }) => cctp.parse(body).burn_token,
    }),
    relayQuoteExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when the relayer honours the fee; quote anew after that.',
      resolve: ({ body }) => cctp.parse(body).smart_relay_fee_quote?.expiration ?? null,
    }),
  }))
}

builder.objectFields(CctpV2TransferOperation, (t) => ({
  destinationDomain: t.string({
    nullable: true,
    description: "Circle's number of the receiving chain.",
    resolve: ({ body }) => cctp.parse(body).destination_domain,
  }),
  finalityThreshold: t.float({
    nullable: true,
    description: 'How final the sending must be: 2000 is final, less is faster.',
    resolve: ({ body }) => cctp.parse(body).finality_threshold,
  }),
}))

const HyperlaneTransferOperation = operationType('HyperlaneTransferOperation', {
  description: 'A crossing by Hyperlane.',
  keys: ['hyperlane_transfer'],
  bridgeId: 'HYPERLANE',
})

builder.objectFields(HyperlaneTransferOperation, (t) => ({
  contractAddress: t.string({
    nullable: true,
    description: 'The contract on the sending chain.',
    resolve: ({ body }) =>
      z.object({ hyperlane_contract_address: lenientString }).parse(body)
        .hyperlane_contract_address,
  }),
}))

const goFast = z.object({ source_domain: lenientString, destination_domain: lenientString })

const GoFastTransferOperation = operationType('GoFastTransferOperation', {
  description: 'A crossing by solvers that pay in advance.',
  keys: ['go_fast_transfer'],
  bridgeId: 'GO_FAST',
})

builder.objectFields(GoFastTransferOperation, (t) => ({
  sourceDomain: t.string({
    nullable: true,
    description: "The solvers' number of the sending chain.",
    resolve: ({ body }) => goFast.parse(body).source_domain,
  }),
  destinationDomain: t.string({
    nullable: true,
    description: "The solvers' number of the receiving chain.",
    resolve: ({ body }) => goFast.parse(body).destination_domain,
  }),
}))
