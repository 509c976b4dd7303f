import { detailsOfBody, text } from './bodyFields.ts'
import { failure, messagingFee, receive, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'
import { delivered, type Guidance, routerSupport } from './guidance.ts'

const facts = {
  url: 'https://layerzeroscan.com/tx/{hash}',
  supportUrl: routerSupport,
  source: 'LayerZero documentation (v2: FAQ, debugging messages), Stargate documentation and contracts',
}

const verified: Guidance = {
  ...facts,
  waitingFor: 'VERIFIERS',
  funds: 'MOVING',
  returns: 'NEVER',
  sentence: 'Sent from {from}. The verifiers of LayerZero confirm it, then an executor delivers it to {to}.',
  nextStep: 'Wait.',
}

const failed: Guidance = {
  ...facts,
  waitingFor: 'USER',
  funds: 'HELD',
  returns: 'NEVER',
  sentence: 'The message is on {to}, but running it failed. It is kept, and anybody can run it again.',
  nextStep: 'Run it again at the URL.',
}

/** The field of an operation over the endpoints of LayerZero. */
const destinationEndpointId = text('destination_endpoint_id', 'LayerZero endpoint id of the destination chain.')

export const layerZero = defineBridge({
  id: 'LAYER_ZERO',
  description: 'LayerZero.',
  operation: {
    keys: ['layer_zero_transfer', 'lz_transfer'],
    details: detailsOfBody('LayerZeroTransferDetails', 'A transfer over LayerZero.', {
      sourceContract: text(
        'source_oft_contract_address',
        'Address of the token contract on the source chain.',
        'Address',
      ),
      destinationEndpointId,
    }),
  },
  hop: {
    key: 'layer_zero_transfer',
    states: {
      LAYER_ZERO_TRANSFER_SENT: { is: 'PENDING', guidance: verified },
      LAYER_ZERO_TRANSFER_WAITING_FOR_COMPOSE: {
        is: 'PENDING',
        guidance: {
          ...facts,
          waitingFor: 'NEXT_STEP',
          funds: 'HELD',
          returns: 'NEVER',
          sentence: 'It is on {to}, at the contract of the next step, which has not run yet.',
          nextStep: 'Wait. If it stays so, run the step at the URL.',
        },
      },
      LAYER_ZERO_TRANSFER_RECEIVED: { is: 'COMPLETED', guidance: { ...facts, ...delivered } },
      LAYER_ZERO_TRANSFER_FAILED: { is: 'FAILED', guidance: failed },
    },
    transactions: {
      send_tx: send,
      receive_tx: receive,
      compose_tx: { kind: 'COMPOSE', description: 'Runs the action after the delivery.' },
      error_tx: failure,
    },
  },
  fees: [messagingFee],
})

export const stargate = defineBridge({
  id: 'STARGATE',
  description: 'Stargate, a bridge of liquidity pools over LayerZero.',
  operation: {
    keys: ['stargate_transfer'],
    details: detailsOfBody('StargateTransferDetails', 'A transfer over the Stargate bridge.', {
      poolAddress: text('pool_address', 'Address of the pool on the source chain.', 'Address'),
      destinationEndpointId,
    }),
  },
  hop: {
    key: 'stargate_transfer',
    states: {
      STARGATE_TRANSFER_SENT: {
        is: 'PENDING',
        guidance: {
          ...verified,
          sentence:
            'Sent from {from}. In a bus it waits for other passengers. Then the verifiers of LayerZero confirm it, and an executor delivers it to {to}.',
        },
      },
      STARGATE_TRANSFER_PENDING_CONFIRMATION: { is: 'PENDING', guidance: verified },
      STARGATE_TRANSFER_CONFIRMED: {
        is: 'PENDING',
        guidance: {
          ...verified,
          waitingFor: 'EXECUTOR',
          sentence: 'Confirmed. An executor delivers it to {to}.',
        },
      },
      STARGATE_TRANSFER_RECEIVED: { is: 'COMPLETED', guidance: { ...facts, ...delivered } },
      STARGATE_TRANSFER_FAILED: { is: 'FAILED', guidance: failed },
    },
    transactions: { send_tx: send, receive_tx: receive, error_tx: failure },
  },
  fees: [
    {
      kind: 'BRIDGE',
      amount: 'oft_fee_amount',
      usdAmount: 'oft_fee_amount_usd',
      asset: 'oft_fee_asset',
    },
    messagingFee,
  ],
})
