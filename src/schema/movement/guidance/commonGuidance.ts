import { delivered, type Guidance, routerSupport } from '../../router/bridges/guidance.ts'

const facts = {
  supportUrl: routerSupport,
  source: 'Skip Go documentation (transaction tracking, handling of failures)',
  asOf: '2026-08',
}

const ended = { ...facts, waitingFor: 'NOBODY', returns: 'NOTHING_TO_RETURN' } as const

/** The guidance for states of a whole transfer, where no bridge has a say. `{to}` is the chain of a release, where there is one. */
export const commonGuidance = {
  facts,
  unseen: {
    ...facts,
    waitingFor: 'SOURCE_TRANSACTION',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: 'The router has not seen the transaction on {from} yet.',
    nextStep: 'Wait. If {from} does not have it after five minutes, it was probably never sent.',
  },
  untracked: {
    ...facts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: 'The transaction succeeded on {from}. Where it leads is not known: the router does not follow it.',
    nextStep: 'Wait a minute if it is new. Else look at the transaction: perhaps it sent nothing to another chain.',
  },
  notSent: {
    ...ended,
    funds: 'NOT_SENT',
    sentence: 'The transaction failed on {from}. Nothing was sent.',
    nextStep: 'Look at the error of the transaction, and try again.',
  },
  notStarted: {
    ...facts,
    waitingFor: 'NEXT_STEP',
    funds: 'MOVING',
    returns: 'UNKNOWN',
    sentence: 'On {from}. The next step, to {to}, has not begun yet.',
    nextStep: 'Wait.',
  },
  returned: {
    ...ended,
    funds: 'RETURNED',
    sentence: 'Not delivered. The funds are back on {to}{coins}.',
    nextStep: 'Look at your account on {to}.',
  },
  returnedToContract: {
    ...ended,
    funds: 'RETURNED',
    sentence: 'Not delivered. The funds went back to the contract that sent them on {to}.',
    nextStep:
      'Look at that contract on {to}, and at your account there: the contract decides whether it passes them on.',
  },
  released: {
    ...ended,
    funds: 'RELEASED',
    sentence: 'Not delivered to the last chain. The funds are on {to}.',
    nextStep: 'Look at your account on {to}, and send them on from there.',
  },
  releasedAtEnd: {
    ...ended,
    funds: 'RELEASED',
    sentence: 'The transfer failed, but its funds were released on {to}, the last chain{coins}.',
    nextStep: 'Look at the account on {to}: they can be there as another coin.',
  },
  releasingAtEnd: {
    ...facts,
    waitingFor: 'RELAYER',
    funds: 'MOVING',
    returns: 'UNKNOWN',
    sentence: 'The transfer failed. Its funds will be released on {to}, the last chain{coins}.',
    nextStep: 'Wait. Ask for help if they are not there after 24 hours.',
  },
  arrivedAs: {
    ...ended,
    funds: 'DELIVERED',
    sentence: 'Arrived on {to}{coins}.',
    nextStep: 'Nothing.',
  },
  releasedThere: {
    ...ended,
    funds: 'DELIVERED',
    sentence: 'The funds are on {to}{coins}.',
    nextStep: 'Nothing.',
  },
  releasedElsewhere: {
    ...ended,
    funds: 'RELEASED',
    sentence: 'The funds are on {to}{coins}. They did not go on to the last chain.',
    nextStep: 'Look at your account on {to}, and send them on from there.',
  },
  toBeReleased: {
    ...facts,
    waitingFor: 'UNKNOWN',
    funds: 'MOVING',
    returns: 'UNKNOWN',
    sentence: 'The router reports success, and that the funds are not released on {to} yet{coins}.',
    nextStep: 'Wait. Ask for help if they are not there after 24 hours.',
  },
  releasing: {
    ...facts,
    waitingFor: 'RELAYER',
    funds: 'RETURNING',
    returns: 'AUTOMATIC',
    sentence: 'Not delivered. The funds will be released on {to}.',
    nextStep: 'Wait. Ask for help if they are not there after 24 hours.',
  },
  failed: {
    ...facts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: 'It failed. The router has not reported yet where the funds are.',
    nextStep: 'Wait a minute. Then look at your accounts on both chains, and ask for help.',
  },
  abandoned: {
    ...facts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: 'The router has stopped tracking it. That does not stop the funds.',
    nextStep: 'Track it again.',
  },
  unknown: {
    ...facts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: 'On the way from {from} to {to}, in a state that this gateway does not know.',
    nextStep: 'Wait, and look at the transactions of its hops.',
  },
  arrived: { ...facts, ...delivered },
  arrivedWithoutStep: {
    ...facts,
    ...delivered,
    sentence: 'Arrived on {to}. The step after it failed there.',
    nextStep: 'Do that step by hand on {to}.',
  },
  unrecorded: {
    ...facts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: 'Sent from {from}. No record that was read shows whether it arrived on {to}.',
    nextStep: 'Look at the account on {to}.',
  },
} satisfies Record<string, Partial<Guidance>>
