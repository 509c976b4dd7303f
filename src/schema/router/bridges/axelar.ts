import { z } from 'zod'
import { openEnum } from '../../../engine/graphql/openEnum.ts'
import { lenientString } from '../../../engine/wire/lenient.ts'
import { ifSent, readRouterValue, sent } from '../routerFields.ts'
import { detailsOfBody, flag, text } from './bodyFields.ts'
import { bridgeFee, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'
import { delivered, routerSupport } from './guidance.ts'

const transferMode = openEnum('AxelarTransferMode', {
  description: 'What Axelar delivers.',
  values: {
    SEND_TOKEN: 'The token alone.',
    CONTRACT_CALL_WITH_TOKEN: 'The token with a contract call.',
  },
  unknown: 'A mode unknown to this gateway. See `rawMode`.',
  nameOf: (word) => word.replace(/^AXELAR_TRANSFER_/, ''),
})

const facts = {
  url: 'https://axelarscan.io/gmp/{hash}',
  supportUrl: routerSupport,
  source: 'Axelar documentation (transaction duration, status and recovery)',
  asOf: '2026-06',
}

/** Seconds until a source chain is final for Axelar, by its id: EVM chains have numbers. */
const secondsToFinal = {
  ...{ '1': 960, '10': 1_800, '56': 46, '137': 282, '1284': 25, '2222': 46 },
  ...{ '8453': 1_440, '42161': 1_140, '42220': 12, '43114': 3, '59144': 4_860 },
}

export const axelar = defineBridge({
  id: 'AXELAR',
  description: 'Axelar.',
  operation: {
    keys: ['axelar_transfer'],
    details: detailsOfBody('AxelarTransferDetails', 'A transfer over the Axelar bridge.', {
      axelarAsset: text('asset', "Axelar's name of the asset."),
      isUnwrapped: flag('should_unwrap', 'Whether the asset is delivered as the native coin of the destination chain.'),
      isTestnet: flag('is_testnet', 'Whether the transfer uses the Axelar testnet.'),
    }),
  },
  hop: {
    key: 'axelar_transfer',
    states: {
      AXELAR_TRANSFER_PENDING_CONFIRMATION: {
        is: 'PENDING',
        guidance: {
          ...facts,
          waitingFor: 'SOURCE_FINALITY',
          funds: 'MOVING',
          returns: 'NEVER',
          sentence: 'Sent from {from}. Once {from} is final, the validators of Axelar confirm it.',
          nextStep: 'Wait.',
          late: {
            sentence: 'Sent from {from}, but Axelar has not confirmed it yet.',
            nextStep: 'Look at it on Axelarscan.',
          },
          usualSeconds: secondsToFinal,
        },
      },
      AXELAR_TRANSFER_PENDING_RECEIPT: {
        is: 'PENDING',
        guidance: {
          ...facts,
          waitingFor: 'EXECUTOR',
          funds: 'MOVING',
          returns: 'NEVER',
          sentence: 'Confirmed by Axelar. It is delivered to {to} with the gas that was paid in advance.',
          nextStep: 'Wait. If it stays so, add gas on Axelarscan.',
        },
      },
      AXELAR_TRANSFER_SUCCESS: { is: 'COMPLETED', guidance: { ...facts, ...delivered } },
      AXELAR_TRANSFER_FAILURE: {
        is: 'FAILED',
        guidance: {
          ...facts,
          waitingFor: 'USER',
          funds: 'HELD',
          returns: 'NEVER',
          sentence:
            'Axelar could not finish the delivery on {to}. It is not sent back: the delivery has to be finished.',
          nextStep: 'Choose Approve, Execute or Add gas on Axelarscan.',
        },
      },
    },
    transactionGroups: ['contract_call_with_token_txs', 'send_token_txs'],
    transactions: {
      send_tx: send,
      gas_paid_tx: {
        kind: 'GAS_PAID',
        description: 'Pays the bridge for the gas on the destination chain.',
      },
      confirm_tx: { kind: 'CONFIRM', description: 'Confirms the sending on the bridge.' },
      approve_tx: { kind: 'APPROVE', description: 'Approves the delivery on the bridge.' },
      execute_tx: {
        kind: 'EXECUTE',
        description: 'Executes the delivery on the destination chain.',
      },
    },
    details: {
      type: 'AxelarHopDetails',
      description: 'Details of a hop over Axelar.',
      schema: z.object({ type: lenientString, axelar_scan_link: lenientString }),
      fields: (t) => ({
        mode: ifSent(t, transferMode.type, 'What is delivered.', ({ details }) =>
          readRouterValue(details.type) === null ? null : transferMode.valueOf(details.type),
        ),
        rawMode: ifSent(
          t,
          'String',
          "The router's word for the mode, such as `AXELAR_TRANSFER_SEND_TOKEN`.",
          ({ details }) => details.type,
        ),
        scanUrl: sent(t, 'URL', "URL of the transfer in Axelar's explorer.", ({ details }) => details.axelar_scan_link),
      }),
    },
  },
  fees: [bridgeFee],
})
