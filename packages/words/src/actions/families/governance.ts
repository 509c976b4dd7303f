import type { Draft, Piece } from '../action.ts'
import { attributeIn } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { coinsIn, fieldsOf, fieldText, itemsOf } from '../fields.ts'
import { coins, says, withId } from '../sentence.ts'

const modules = ['cosmos.gov.v1', 'cosmos.gov.v1beta1', 'initia.gov.v1']

/** Votes by the number and the name of their option. */
const options: ReadonlyMap<string, string> = new Map([
  ['1', 'yes'],
  ['2', 'abstain'],
  ['3', 'no'],
  ['4', 'no with veto'],
  ['VOTE_OPTION_YES', 'yes'],
  ['VOTE_OPTION_ABSTAIN', 'abstain'],
  ['VOTE_OPTION_NO', 'no'],
  ['VOTE_OPTION_NO_WITH_VETO', 'no with veto'],
])

const readers: Readonly<Record<string, (step: ExecutedMessage) => Draft>> = {
  MsgVote: ({ message }) => {
    const option = options.get(fieldText(message, 'option') ?? '')
    return vote(message, option ? ` ${option}` : [])
  },
  MsgVoteWeighted: ({ message }) => {
    const count = itemsOf(message.options).length
    return vote(message, count > 1 ? ` for ${count} options` : [])
  },
  MsgSubmitProposal: proposal,
  MsgSubmitMultipleChoiceProposal: proposal,
  MsgCancelProposal: ({ message }) => {
    const proposalId = fieldText(message, 'proposal_id')
    return {
      kind: 'PROPOSAL_CANCEL',
      actor: fieldText(message, 'proposer'),
      proposalId,
      says: says(['Cancelled', 'cancel'], proposalId ? withId('proposal', proposalId) : ' a proposal'),
    }
  },
  MsgDeposit: ({ message }) => {
    const proposalId = fieldText(message, 'proposal_id')
    const amounts = coinsIn(message.amount)
    return {
      kind: 'PROPOSAL_DEPOSIT',
      actor: fieldText(message, 'depositor'),
      proposalId,
      amounts,
      says: says(['Deposited', 'deposit'], ' ', coins(amounts), withId('for proposal', proposalId)),
    }
  },
}

/** Proposals, deposits for them, and votes on them. */
export const governance: ActionFamily = {
  types: modules.flatMap((module) => Object.keys(readers).map((name) => `${module}.${name}`)),
  read: (step) => readers[step.type.split('.').at(-1) ?? '']?.(step) ?? null,
}

function vote(message: ExecutedMessage['message'], choice: Piece | readonly Piece[]): Draft {
  const proposalId = fieldText(message, 'proposal_id')
  return {
    kind: 'VOTE',
    actor: fieldText(message, 'voter'),
    proposalId,
    says: says(['Voted', 'vote'], choice, withId('on proposal', proposalId)),
  }
}

function proposal({ message, events }: ExecutedMessage): Draft {
  const proposalId = attributeIn(events, 'submit_proposal', 'proposal_id')
  const title = fieldText(message, 'title') ?? fieldText(fieldsOf(message.content), 'title')
  return {
    kind: 'PROPOSE',
    actor: fieldText(message, 'proposer'),
    proposalId,
    amounts: coinsIn(message.initial_deposit),
    says: says(
      ['Submitted', 'submit'],
      proposalId ? withId('proposal', proposalId) : ' a proposal',
      title ? [': ', { quoted: title }] : [],
    ),
  }
}
