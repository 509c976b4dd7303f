import type { Steps } from '#kit/steps'
import { isSameAddress } from '../addresses/bytes.ts'
import type { ChainEvent } from '../balanceChanges/events.ts'
import { receiptLogs } from '../balanceChanges/evmFee.ts'
import type { EvmLog } from '../balanceChanges/evmTransfers.ts'
import type { Action, ActorChanges, Draft } from './action.ts'
import { changesOfActor, withChanges } from './actorChanges.ts'
import { readEvmCall } from './evmCall.ts'
import { creationOf } from './families/evmMessages.ts'
import { families } from './families/families.ts'
import type { ActionFamily, ExecutedMessage } from './family.ts'
import { actorOf, type Fields, fieldText } from './fields.ts'
import { type AccountOrder, accountOrderIn } from './ibc/interchainAccount.ts'
import { innerFields, innerMessages, maxDepth, placedMessages, typeOf } from './placedMessages.ts'
import { says } from './sentence.ts'
import { listOf } from './summary.ts'

/** The words for messages of a relayer by their names, singular and plural. */
const works: Readonly<Record<string, readonly [one: string, many: string]>> = {
  MsgCreateClient: ['new client', 'new clients'],
  MsgUpdateClient: ['client update', 'client updates'],
  MsgUpgradeClient: ['client upgrade', 'client upgrades'],
  MsgSubmitMisbehaviour: ['report of misbehaviour', 'reports of misbehaviour'],
  MsgRecvPacket: ['packet', 'packets'],
  MsgAcknowledgement: ['acknowledgement', 'acknowledgements'],
  MsgPruneAcknowledgements: ['removal of acknowledgements', 'removals of acknowledgements'],
  MsgTimeout: ['timeout', 'timeouts'],
  MsgTimeoutOnClose: ['timeout', 'timeouts'],
}
const handshake = ['handshake message', 'handshake messages'] as const

/** Whether a message is work of a relayer. Packets with coins or NFTs are read before. */
const isRelayed = (type: string): boolean => /^ibc\.core\.(client|connection|channel)\.v\d+\.Msg\w+$/.test(type)

/** All work of a relayer in a transaction as one action. */
function relayOf(steps: readonly ExecutedMessage[]): Draft {
  const counts = new Map<readonly [string, string], number>()
  for (const { type } of steps) {
    const work = works[type.split('.').at(-1) ?? ''] ?? handshake
    counts.set(work, (counts.get(work) ?? 0) + 1)
  }
  const parts = [...counts].map(([[one, many], count]) => `${count} ${count === 1 ? one : many}`)
  return {
    kind: 'IBC_RELAY',
    actor: fieldText(steps[0]?.message ?? {}, 'signer'),
    says: says(['Relayed', 'relay'], ' ', listOf(parts), ' over IBC'),
  }
}

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

/** The families that read a type, in their order. */
const familiesByType: ReadonlyMap<string, readonly ActionFamily[]> = new Map(
  [...new Set(families.flatMap(({ types }) => types))].map((type) => [
    type,
    families.filter(({ types }) => types.includes(type)),
  ]),
)

/** A draft, and the step that it was read from. */
interface Described {
  readonly draft: Draft
  readonly step: ExecutedMessage
}

/**
 * The actions of a Cosmos transaction, message by message. The work of a relayer comes last as one action. A
 * message that executes others is replaced by their actions.
 * @throws UnboundedChanges if one of its messages has too many or too long events, or one of its texts too many coins.
 */
export function* actionsOf({ isSuccessful, messages, events }: CosmosTransaction): Steps<Action[]> {
  const placed = yield* placedMessages(messages, events)
  const relayed: ExecutedMessage[] = []
  const actions: Action[] = []
  // Events alone do not say what a message was.
  for (const message of placed.messages.slice(0, messages.length)) {
    yield
    const step = { ...message, isSuccessful }
    const described = yield* describe(step, 0)
    if (described.length === 0) relayed.push(step)
    for (const each of described) actions.push(actionOf(each))
  }
  const [first] = relayed
  return first ? [...actions, actionOf({ draft: relayOf(relayed), step: first })] : actions
}

/** The actions of an EVM transaction by its receipt alone, which has no call data. */
export function* actionOfReceipt(receipt: EvmReceipt): Steps<Action> {
  const { isSuccessful, logs } = receipt
  const draft = draftOfReceipt(receipt)
  const isWhole = isTold(draft) || !draft.actor || !isSuccessful || isOfCosmosTransaction(receipt)
  const told = isWhole ? draft : withChanges(draft, yield* changesOfActor([], draft.actor, logs))
  return { ...told, isSuccessful, path: [], messageIndex: null, messageType: null }
}

function draftOfReceipt({ isSuccessful, from, to, createdContract, logs }: EvmReceipt): Draft {
  if (isOfCosmosTransaction({ from })) return ofCosmosTransaction(from)
  if (!to) return creationOf(from, createdContract)
  const { call } = receiptLogs(logs)
  return readEvmCall({ actor: from, target: to, input: null, logs: call, isSuccessful })
}

const isOfCosmosTransaction = ({ from }: Pick<EvmReceipt, 'from'>): boolean => isSameAddress(from, '0x0')

const ofCosmosTransaction = (actor: string | null): Draft => ({
  kind: 'UNKNOWN',
  actor,
  says: says(['Ran', 'run'], ' in a Cosmos transaction'),
})

const actionOf = ({ draft, step }: Described): Action => ({
  ...draft,
  path: step.path,
  messageIndex: step.path[0] ?? null,
  messageType: step.type ? `/${step.type}` : null,
  isSuccessful: step.isSuccessful && draft.isRefused !== true,
})

function draftOf(step: ExecutedMessage): Draft | null {
  for (const { read } of familiesByType.get(step.type) ?? []) {
    const draft = read(step)
    if (draft) return draft
  }
  return null
}

/** The actions of a message, or of those inside it. None for work of a relayer without an effect of its own. */
function* describe(step: ExecutedMessage, depth: number): Steps<readonly Described[]> {
  const order = accountOrderIn(step)
  if (order) return yield* ordered(step, order, depth)
  const inner = yield* executed(step, depth)
  if (inner) return inner
  const draft = draftOf(step) ?? (depth === 0 && isRelayed(step.type) ? null : other(step))
  return draft ? [{ draft: yield* finished(draft, step), step }] : []
}

/** The action with what only the balance changes of its actor tell. */
function* finished({ finish, ...draft }: Draft, { events, isSuccessful }: ExecutedMessage): Steps<Draft> {
  const { actor } = draft
  const told = finish ?? (isTold(draft) ? null : (changes: ActorChanges) => withChanges(draft, changes))
  if (!told || !actor || !isSuccessful) return draft
  return told(yield* changesOfActor(events, actor))
}

/** Whether the words of an action say what it did. A call is known by its name alone. */
const isTold = ({ kind }: Draft): boolean => kind !== 'CONTRACT_CALL' && kind !== 'UNKNOWN'

/** The actions of the messages inside a message. Null for a message that holds no others. */
function* executed(step: ExecutedMessage, depth: number): Steps<readonly Described[] | null> {
  const inner = innerFields(step.message)
  if (!inner) return null
  const grantee = fieldText(step.message, 'grantee') ?? fieldText(step.message, 'sender')
  const placed = inner.length === 0 || depth === maxDepth ? null : yield* innerMessages(step)
  if (!placed) return [{ draft: execution(grantee, inner.length), step }]
  const all: Described[] = []
  for (const message of placed.messages) {
    yield
    const described = yield* describe({ ...message, isSuccessful: step.isSuccessful }, depth + 1)
    for (const each of described) all.push({ ...each, draft: executedBy(grantee, each.draft) })
  }
  return all
}

/** The actions of the messages that an interchain account executed. */
function* ordered(step: ExecutedMessage, order: AccountOrder, depth: number): Steps<readonly Described[]> {
  const { messages, isRefused, account } = order
  if (messages.length === 0 || depth === maxDepth) return [{ draft: order.unread, step }]
  const all: Described[] = []
  for (const message of messages) {
    // No event says which of several messages it belongs to.
    const events = messages.length === 1 ? step.events : []
    const isSuccessful = step.isSuccessful && !isRefused
    const innerStep = { ...step, type: typeOf(message), message, events, isSuccessful, account }
    const described = yield* describe(innerStep, depth + 1)
    for (const each of described) all.push({ ...each, draft: order.told(each.draft) })
  }
  return all
}

/** An action that another account executed, unless it is already that of an executor. */
const executedBy = (grantee: string | null, draft: Draft): Draft => ({
  ...draft,
  executor: draft.executor ?? (isSameAddress(grantee, draft.actor) ? null : grantee),
})

const execution = (actor: string | null, count: number): Draft => ({
  kind: 'AUTHZ_EXEC',
  actor,
  says: says(['Executed', 'execute'], count === 1 ? ' 1 message' : ` ${count} messages`),
})

/** A message that no family knows, by the name of its type. */
function other(step: ExecutedMessage): Draft {
  const { type, message, account = null } = step
  if (isRelayed(type)) return relayOf([step])
  return {
    kind: 'UNKNOWN',
    actor: actorOf(message) ?? account,
    says: says(['Executed', 'execute'], type ? [' ', { id: type }] : ' a message'),
  }
}
