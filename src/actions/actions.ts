import type { Action, Draft } from './action.ts'
import { isSameAddress } from './address.ts'
import { type ChainEvent, eventsByIndex } from './events.ts'
import { readEvmCall } from './evmCall.ts'
import type { EvmLog } from './evmLogs.ts'
import { creationOf } from './families/evmMessages.ts'
import { families } from './families/families.ts'
import type { ActionFamily, Step } from './family.ts'
import { type Fields, fieldsOf, itemsOf, textOf } from './fields.ts'
import { isRelayed, relayOf } from './relay.ts'
import { says } from './sentence.ts'

/** A Cosmos transaction, as its record has it. */
export interface CosmosTransaction {
  readonly isSuccessful: boolean
  /** Messages with their type URL in `@type`. */
  readonly messages: readonly Fields[]
  readonly events: readonly ChainEvent[]
}

/** An EVM transaction, as its receipt has it. */
export interface EvmReceipt {
  readonly isSuccessful: boolean
  /** The zero address if the chain made the transaction of a Cosmos transaction. */
  readonly from: string | null
  readonly to: string | null
  readonly createdContract: string | null
  readonly logs: readonly EvmLog[]
}

/** Messages that hold others, and the key under which they do. */
const holders: Readonly<Record<string, string>> = {
  'cosmos.authz.v1beta1.MsgExec': 'msgs',
  'opinit.opchild.v1.MsgExecuteMessages': 'messages',
}

/** The families that read a type, in their order. */
const familiesByType: ReadonlyMap<string, readonly ActionFamily[]> = new Map(
  [...new Set(families.flatMap(({ types }) => types))].map((type) => [
    type,
    families.filter(({ types }) => types.includes(type)),
  ]),
)

/** How deep messages that hold others are read. Chains allow fewer. */
const maxDepth = 4

/**
 * What a Cosmos transaction did, message by message. The work of a relayer comes last as one action, and a message
 * that is executed for another account is replaced by what it executed.
 */
export function actionsOf({ isSuccessful, messages, events }: CosmosTransaction): Action[] {
  const eventsOf = eventsByIndex(events, 'msg_index')
  const steps = messages.map((message, index) => ({
    index,
    step: stepOf(message, eventsOf(index), isSuccessful),
  }))
  const relayed: typeof steps = []
  const actions = steps.flatMap(({ step, index }): Action[] => {
    const draft = describe(step)
    if (!draft && isRelayed(step.type)) {
      relayed.push({ step, index })
      return []
    }
    const drafts = executed(step, 0) ?? [draft ?? other(step)]
    return drafts.map((each) => actionOf(each, index, isSuccessful))
  })
  const [first] = relayed
  if (!first) return actions
  return [...actions, actionOf(relayOf(relayed.map(({ step }) => step)), first.index, isSuccessful)]
}

/** What an EVM transaction did, as far as its receipt says: without its call data. */
export function actionOfReceipt(receipt: EvmReceipt): Action {
  const { isSuccessful, from, to, createdContract, logs } = receipt
  if (isSameAddress(from, '0x0')) return actionOf(ofCosmosTransaction(from), null, isSuccessful)
  if (!to) return actionOf(creationOf(from, createdContract), null, isSuccessful)
  const call = { actor: from, target: to, input: null, logs, isSuccessful }
  return actionOf(readEvmCall(call), null, isSuccessful)
}

const ofCosmosTransaction = (actor: string | null): Draft => ({
  kind: 'UNKNOWN',
  actor,
  says: says(['Ran', 'run'], ' in a Cosmos transaction'),
})

function stepOf(message: Fields, events: readonly ChainEvent[], isSuccessful: boolean): Step {
  const type = textOf(message, '@type')?.replace(/^\//, '') ?? ''
  return { type, message, events, isSuccessful }
}

const actionOf = (draft: Draft, messageIndex: number | null, isSuccessful: boolean): Action => ({
  ...draft,
  messageIndex,
  isSuccessful: isSuccessful && draft.isRefused !== true,
})

function describe(step: Step): Draft | null {
  for (const { read } of familiesByType.get(step.type) ?? []) {
    const draft = read(step)
    if (draft) return draft
  }
  return null
}

/** What a message executed that holds others. Null for any other message. */
function executed(step: Step, depth: number): Draft[] | null {
  const key = Object.hasOwn(holders, step.type) ? holders[step.type] : undefined
  if (key === undefined) return null
  const grantee = textOf(step.message, 'grantee') ?? textOf(step.message, 'sender')
  const inner = itemsOf(step.message[key]).map(fieldsOf)
  if (inner.length === 0 || depth === maxDepth) return [execution(grantee, inner.length)]
  const eventsOf = eventsByIndex(step.events, 'authz_msg_index')
  return inner.flatMap((message, index) => {
    const innerStep = stepOf(message, eventsOf(index), step.isSuccessful)
    const drafts = executed(innerStep, depth + 1) ?? [describe(innerStep) ?? other(innerStep)]
    return drafts.map((draft) => ({
      ...draft,
      executor: draft.executor ?? (isSameAddress(grantee, draft.actor) ? null : grantee),
    }))
  })
}

const execution = (actor: string | null, count: number): Draft => ({
  kind: 'AUTHZ_EXEC',
  actor,
  says: says(['Executed', 'execute'], count === 1 ? ' 1 message' : ` ${count} messages`),
})

/** A message that no family knows, by the name of its type. */
function other(step: Step): Draft {
  const { type, message } = step
  if (isRelayed(type)) return relayOf([step])
  return {
    kind: 'UNKNOWN',
    actor: textOf(message, 'sender') ?? textOf(message, 'signer'),
    says: says(['Executed', 'execute'], type ? [' ', { id: type }] : ' a message'),
  }
}
