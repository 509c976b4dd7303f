import type { Steps } from '#kit/steps'
import { eventsByIndex } from '../actions/events.ts'
import type { Fields } from '../actions/fields.ts'
import { type ChainEvent, partsOf } from '../balanceChanges/events.ts'
import type { BridgeStep } from './bridgeStep.ts'
import { rollupDenom } from './denoms.ts'
import { opInitStep, opInitTypes } from './opInitSteps.ts'
import { packetStep, packetTypes } from './packetSteps.ts'

export type { BridgeRoute, BridgeStep, BridgeStepKind, OpInitRoute, PacketRoute } from './bridgeStep.ts'

/** A transaction that may have moved coins between chains. A failed one has no events of messages. */
export interface BridgedTransaction {
  readonly messages: readonly Fields[]
  readonly events: readonly ChainEvent[]
}

const types: ReadonlySet<string> = new Set([...packetTypes, ...opInitTypes])

/** The types of events that older nodes join, if a transaction has several of them. */
const joinedTypes: ReadonlySet<string> = new Set([...types, 'write_acknowledgement'])

/**
 * What a transaction did to movements of coins between chains, in the order of its events: over IBC by ICS-20, and over
 * OPinit. Each step is proven by events, whoever sent the message.
 * @throws UnboundedChanges if one of its messages has too many events.
 */
export function* bridgeStepsOf({ messages, events }: BridgedTransaction): Steps<BridgeStep[]> {
  if (!events.some(({ type }) => types.has(type))) return []
  const all = yield* apart(events)
  const own = all.filter(({ type }) => types.has(type))
  const eventsOf = yield* eventsByIndex(all, 'msg_index')
  const steps: BridgeStep[] = []
  for (const event of own) {
    yield
    const text = event.attributes.findLast(({ key }) => key === 'msg_index')?.value
    // Before version 0.50 of the SDK, no event says which message it is of.
    const index = text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null
    const only = messages.length === 1 ? messages[0] : undefined
    const place = {
      event,
      events: index === null ? all : eventsOf(index),
      message: (index === null ? only : messages[index]) ?? {},
      messageIndex: index,
    }
    const step = packetStep(place) ?? opInitStep(place)
    if (step) steps.push(step)
  }
  return steps
}

/** The events, with each packet, deposit and withdrawal in an event of its own. */
function* apart(events: readonly ChainEvent[]): Steps<ChainEvent[]> {
  const all: ChainEvent[] = []
  for (const event of events) {
    const { type, attributes } = event
    const keys = joinedTypes.has(type) ? attributes.map(({ key }) => key).filter((key) => key !== 'msg_index') : []
    if (new Set(keys).size === keys.length) {
      all.push(event)
      continue
    }
    const index = attributes.findLast(({ key }) => key === 'msg_index')
    for (const part of yield* partsOf({ type, attributes: attributes.filter(({ key }) => key !== 'msg_index') })) {
      const own = [...part].map(([key, value]) => ({ key, value }))
      all.push({ type, attributes: index ? [...own, index] : own })
    }
  }
  return all
}

/** Whether a step happens on the chain that sends the coins. The others happen on the chain that gets them. */
export const isOnSource = ({ kind }: Pick<BridgeStep, 'kind'>): boolean =>
  kind !== 'RECEIVED' && kind !== 'PASSED_ON' && kind !== 'REFUSED'

/** Whether the coin of a step of OPinit is one that this bridge made of a coin of the hub: its denom is a hash of both. */
export function isOverBridge({ sourceDenom, destinationDenom, route }: BridgeStep, bridgeId: string): boolean {
  if (route.bridge !== 'OPINIT') return false
  const isDeposit = route.direction === 'DEPOSIT'
  const [hub, rollup] = isDeposit ? [sourceDenom, destinationDenom] : [destinationDenom, sourceDenom]
  return hub !== null && rollup === rollupDenom(BigInt(bridgeId), hub)
}
