import type { ChainEvent } from '../../balanceChanges/events.ts'
import type { Draft } from '../action.ts'
import { attributeOf, eventsOfType } from '../events.ts'
import type { ExecutedMessage } from '../family.ts'
import type { Fields } from '../fields.ts'
import { overIbc, refusedWith, says, withRemote } from '../sentence.ts'
import { isDelivered, refusalOf } from './effect.ts'
import { messagesOfAccount } from './messageBytes.ts'
import { nameOf, type Packet, packetIn, remoteOf } from './packet.ts'

/** Messages that an account executes here for its owner on another chain, by the standard ICS-27. */
export interface AccountOrder {
  /** Null if the events do not show it. */
  readonly account: string | null
  readonly messages: readonly Fields[]
  readonly isRefused: boolean
  /** Adds the owner to the action of a message. */
  readonly told: (draft: Draft) => Draft
  /** The action of an order whose messages cannot be read. */
  readonly unread: Draft
}

/** The order in a packet for an interchain account. Null for any other message, and if it had no effect. */
export function accountOrderIn(step: ExecutedMessage): AccountOrder | null {
  const { events, isSuccessful } = step
  if (nameOf(step) !== 'MsgRecvPacket' || !isSuccessful || !isDelivered(events)) return null
  const packet = packetIn(step)
  if (packet.destinationPort !== 'icahost') return null
  const refusal = refusalOf(events)
  const owner = ownerOf(packet)
  const account = refusal ? null : accountIn(events)
  const remote = remoteOf(packet, packet.destination, owner)
  const way = [
    ', ordered',
    ...overIbc(packet.destination),
    ...withRemote('by', owner),
    ...(refusal ? refusedWith(refusal.reason) : []),
  ]
  return {
    account,
    messages: messagesOfAccount(packet.data),
    isRefused: refusal !== null,
    told: (draft) => ({
      ...draft,
      remote: draft.remote ?? remote,
      says: says(draft.says.verb, draft.says.pieces, way),
    }),
    unread: {
      kind: 'INTERCHAIN_ACCOUNT',
      actor: account,
      remote,
      isRefused: refusal !== null,
      says: says(['Executed', 'execute'], ' messages of an interchain account', way),
    },
  }
}

/** The owner on the other chain, whose address its port has (`27-interchain-accounts/types/port.go` of ibc-go). */
const ownerOf = ({ sourcePort }: Packet): string | null => /^icacontroller-(.+)$/.exec(sourcePort ?? '')?.[1] ?? null

/** The account itself, which the packet does not name: who paid with coins, if only one did. */
function accountIn(events: readonly ChainEvent[]): string | null {
  const spenders = eventsOfType(events, 'coin_spent').map((event) => attributeOf(event, 'spender'))
  const [first = null, ...others] = new Set(spenders)
  return others.length === 0 ? first : null
}
