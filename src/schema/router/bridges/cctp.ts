import { count, detailsOfBody, text } from './bodyFields.ts'
import { receive, relayFee, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'
import { delivered, type Guidance, routerSupport } from './guidance.ts'

const facts = {
  supportUrl: routerSupport,
  source: 'Circle documentation (developers.circle.com/cctp)',
}

/** Seconds until Circle signs a burn, by the id of the source chain: EVM chains have numbers. */
const secondsToFinal = {
  ...{ '1': 1_140, '10': 1_140, '130': 1_140, '8453': 1_140, '42161': 1_140 },
  ...{ '137': 120, '43114': 8, 'noble-1': 20, solana: 25 },
}

const burned: Guidance = {
  ...facts,
  waitingFor: 'SOURCE_FINALITY',
  funds: 'MOVING',
  returns: 'NEVER',
  sentence: 'Burned on {from}. Circle signs that once {from} is final. Then it is minted on {to}.',
  nextStep: 'Wait.',
  late: {
    sentence: 'Burned on {from}, but Circle has not signed that yet. It is minted on {to} once it has.',
    nextStep: 'Wait, and look at the status page of Circle.',
  },
}

// Nothing in a hop tells a fast transfer from another one.
const burnedV2: Guidance = {
  ...burned,
  sentence:
    'Burned on {from}. Circle signs that within seconds for a fast transfer, else once {from} is final. Then it is minted on {to}.',
}

const attested: Guidance = {
  ...facts,
  waitingFor: 'RELAYER',
  funds: 'HELD',
  returns: 'NEVER',
  sentence: 'Signed by Circle. A relayer mints it on {to}, and anybody else can.',
  nextStep: 'Wait. If it stays so, mint it on {to} yourself with the attestation of Circle.',
}

/** The field of an operation in both versions of the bridge. */
const burnToken = text('burn_token', 'The token burned on the source chain.', 'Address')

export const cctp = defineBridge({
  id: 'CCTP',
  description: "Circle's Cross-Chain Transfer Protocol for USDC.",
  operation: {
    keys: ['cctp_transfer'],
    details: detailsOfBody('CctpTransferDetails', "A transfer over Circle's CCTP.", { burnToken }),
  },
  hop: {
    key: 'cctp_transfer',
    states: {
      CCTP_TRANSFER_SENT: { is: 'PENDING', guidance: { ...burned, usualSeconds: secondsToFinal } },
      CCTP_TRANSFER_PENDING_CONFIRMATION: {
        is: 'PENDING',
        guidance: { ...burned, waitingFor: 'ATTESTATION', usualSeconds: secondsToFinal },
      },
      CCTP_TRANSFER_CONFIRMED: { is: 'PENDING', guidance: attested },
      CCTP_TRANSFER_RECEIVED: { is: 'COMPLETED', guidance: { ...facts, ...delivered } },
    },
    transactions: { send_tx: send, receive_tx: receive },
  },
  fees: [relayFee],
})

export const cctpV2 = defineBridge({
  id: 'CCTP_V2',
  description: "Version 2 of Circle's Cross-Chain Transfer Protocol for USDC.",
  operation: {
    keys: ['cctp_transfer_v2'],
    details: detailsOfBody('CctpV2TransferDetails', "A transfer over version 2 of Circle's CCTP.", {
      burnToken,
      destinationDomain: text('destination_domain', 'CCTP domain of the destination chain.'),
      finalityThreshold: count('finality_threshold', 'Finality of the source: 2000 is final, less is faster.'),
    }),
  },
  // Routers report a hop in the states and transactions of version 1.
  hop: {
    ...cctp.hop,
    key: 'cctp_transfer_v2',
    states: {
      CCTP_TRANSFER_SENT: { is: 'PENDING', guidance: burnedV2 },
      CCTP_TRANSFER_PENDING_CONFIRMATION: { is: 'PENDING', guidance: { ...burnedV2, waitingFor: 'ATTESTATION' } },
      CCTP_TRANSFER_CONFIRMED: { is: 'PENDING', guidance: attested },
      CCTP_TRANSFER_RECEIVED: { is: 'COMPLETED', guidance: { ...facts, ...delivered } },
    },
  },
  fees: [relayFee, { kind: 'MAXIMUM', amount: 'max_fee', denom: 'denom_in' }],
})
