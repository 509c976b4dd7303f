import { detailsOfBody, text } from './bodyFields.ts'
import { receive, send } from './common.ts'
import { defineBridge } from './defineBridge.ts'
import { delivered } from './guidance.ts'

/** Where the facts on OPinit come from. */
const opInitFacts = {
  supportUrl: 'https://discord.gg/initia',
  source: 'OPinit (x/ophost, x/opchild), opinit-bots (executor), Initia documentation',
  asOf: '2026-01',
}

export const opInit = defineBridge({
  id: 'OPINIT',
  description: 'The optimistic bridge between a hub and its rollups.',
  operation: {
    keys: ['op_init_transfer'],
    details: detailsOfBody(
      'OpInitTransferDetails',
      'A deposit to a rollup or a withdrawal from it, over its optimistic bridge.',
      { opInitBridgeId: text('op_init_bridge_id', "Id of the rollup's bridge on the hub.") },
    ),
  },
  hop: {
    key: 'op_init_transfer',
    states: {
      OPINIT_TRANSFER_SENT: {
        is: 'PENDING',
        guidance: {
          ...opInitFacts,
          waitingFor: 'UNKNOWN',
          funds: 'MOVING',
          returns: 'UNKNOWN',
          sentence:
            'Sent over the bridge between hub and rollup. A deposit arrives by itself. A withdrawal has to be claimed on the hub after the challenge period.',
          nextStep: 'Look at the transaction on {from}: it says which of the two this is.',
        },
        deposit: {
          ...opInitFacts,
          waitingFor: 'EXECUTOR',
          funds: 'MOVING',
          returns: 'CLAIM',
          sentence:
            'Recorded on {from}. The executor of the bridge delivers it to {to}, in the order of the deposits, usually within seconds.',
          nextStep: 'Wait.',
          late: {
            sentence:
              'Recorded on {from}, but not on {to} yet. The executor of the bridge may be down, or an earlier deposit holds it up. The bridge keeps it.',
            nextStep: 'Wait, or ask the team of {to}.',
          },
          lateAfterSeconds: 600,
        },
        withdrawal: {
          ...opInitFacts,
          waitingFor: 'CHALLENGE_PERIOD',
          funds: 'CLAIMABLE',
          returns: 'NEVER',
          sentence:
            'Burned on {from}. It waits on {to} for a claim, which is possible after the challenge period of the bridge: seven days by the documentation, but each bridge sets its own. It does not arrive by itself.',
          nextStep: 'Claim it on {to} after the challenge period.',
        },
      },
      OPINIT_TRANSFER_RECEIVED: {
        is: 'COMPLETED',
        guidance: {
          ...opInitFacts,
          waitingFor: 'NOBODY',
          funds: 'UNKNOWN',
          returns: 'CLAIM',
          sentence: 'The bridge has handed it to {to}. If the deposit failed there, it comes back as a withdrawal.',
          nextStep: 'Look at the transaction on {to}: it says whether the deposit succeeded.',
        },
        withdrawal: { ...opInitFacts, ...delivered, sentence: 'Claimed on {to}.' },
      },
    },
    hasDirections: true,
    transactions: { send_tx: send, receive_tx: receive },
  },
  fees: [],
  recorded: {
    hasRoute: (route) => 'bridgeId' in route,
    words: { ON_THE_WAY: 'OPINIT_TRANSFER_SENT' },
    claims: {
      sendsBackAs: (sequence) => ({ bridge: 'OPINIT', direction: 'WITHDRAWAL', bridgeId: null, sequence }),
      outputs: {
        proposal: { message: 'opinit.ophost.v1.MsgProposeOutput', event: 'propose_output' },
        deletion: { message: 'opinit.ophost.v1.MsgDeleteOutput', event: 'delete_output' },
        bridgeId: 'bridge_id',
        index: 'output_index',
        height: 'l2_block_number',
      },
      guidance: {
        claimed: { ...opInitFacts, ...delivered, sentence: 'Claimed on {to}.' },
        refusedDeposit: {
          ...opInitFacts,
          waitingFor: 'CHALLENGE_PERIOD',
          funds: 'CLAIMABLE',
          returns: 'CLAIM',
          sentence:
            '{to} could not credit the recipient. It comes back as a withdrawal, which has to be claimed on {from} after the challenge period of the bridge.',
          nextStep: 'Claim it on {from} after the challenge period.',
        },
        withdrawal: {
          ...opInitFacts,
          waitingFor: 'CHALLENGE_PERIOD',
          funds: 'UNKNOWN',
          returns: 'NEVER',
          sentence:
            'Burned on {from}. No claim of it on {to} was found. A withdrawal does not arrive by itself: it has to be claimed after the challenge period of the bridge.',
          nextStep: 'Claim it on {to} after the challenge period, unless it has been claimed.',
        },
        claimable: {
          ...opInitFacts,
          waitingFor: 'USER',
          funds: 'CLAIMABLE',
          returns: 'NEVER',
          sentence:
            'Burned on {from}. The challenge period of the bridge ended on {time}, and no claim of it was found on {to}.',
          nextStep: 'Claim it on {to} now.',
        },
        perhapsClaimed: {
          ...opInitFacts,
          waitingFor: 'UNKNOWN',
          funds: 'UNKNOWN',
          returns: 'NEVER',
          sentence:
            'Burned on {from}. The challenge period of the bridge ended on {time}. No claim of it on {to} was found, but not all records were read.',
          nextStep: 'Claim it on {to}, unless it has been claimed.',
        },
        claimableLater: {
          ...opInitFacts,
          waitingFor: 'CHALLENGE_PERIOD',
          funds: 'CLAIMABLE',
          returns: 'NEVER',
          sentence: 'Burned on {from}. It can be claimed on {to} from {time} on. It does not arrive by itself.',
          nextStep: 'Claim it on {to} after {time}.',
        },
        refusedDepositClaimable: {
          ...opInitFacts,
          waitingFor: 'USER',
          funds: 'CLAIMABLE',
          returns: 'CLAIM',
          sentence:
            '{to} could not credit the recipient. It comes back as a withdrawal, whose challenge period ended on {time}. No claim of it was found on {from}.',
          nextStep: 'Claim it on {from} now.',
        },
      },
    },
  },
})
