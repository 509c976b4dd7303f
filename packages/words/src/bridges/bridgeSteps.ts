import type { Steps } from '#kit/steps'
import type { Fields } from '../actions/fields.ts'
import type { Vm } from '../balanceChanges/balanceChanges.ts'
import { UnboundedChanges } from '../balanceChanges/bound.ts'
import { type ChainEvent, partsOf } from '../balanceChanges/events.ts'
import type { BridgeStep } from './bridgeStep.ts'
import { rollupDenom } from './denoms.ts'
import { type Cuts, type EventPlace, eventGroups, placesIn } from './eventGroups.ts'
import { outcomeOf } from './gain.ts'
import { opInitCuts, opInitStep, opInitTypes } from './opInitSteps.ts'
import { packetCuts, packetStep, packetTypes } from './packetSteps.ts'

export type { BridgeGain, BridgeRoute, BridgeStep, BridgeStepKind, OpInitRoute, PacketRoute } from './bridgeStep.ts'

/** A transaction that may have moved coins between chains. A failed one has no events of messages. */
export interface BridgedTransaction {
  /** By default, the machine that the events are of. */
  readonly vm?: Vm | undefined
  readonly messages: readonly Fields[]
  readonly events: readonly ChainEvent[]
}

const types: ReadonlySet<string> = new Set([...packetTypes, ...opInitTypes])

/** The types of events that older nodes join, if a transaction has several of them. */
const joinedTypes: ReadonlySet<string> = new Set([...types, 'write_acknowledgement'])

const cuts: Cuts = {
  startOf: (event) => packetCuts.startOf(event) ?? opInitCuts.startOf(event),
  endOf: packetCuts.endOf,
}

/** The most events of several messages that cannot be told apart. */
const maxEvents = 20_000

/**
 * What a transaction did to movements of coins between chains, in the order of its events: over IBC by ICS-20, and over
 * OPinit. Each step is proven by events, whoever sent the message.
 * @throws UnboundedChanges if one of its messages has too many events.
 */
export function* bridgeStepsOf({ vm, messages, events }: BridgedTransaction): Steps<BridgeStep[]> {
  if (!events.some(({ type }) => types.has(type))) return []
  const { all, joined } = yield* apart(events)
  const places = new Map<ChainEvent, EventPlace>()
  for (const group of yield* eventGroups(messages, all)) {
    if (!group.events.some(({ type }) => types.has(type))) continue
    if (group.events.length > maxEvents) throw new UnboundedChanges(`It has more than ${maxEvents} events.`)
    const isJoined = group.events.some((event) => joined.has(event))
    for (const [event, place] of yield* placesIn(group, cuts, isJoined)) places.set(event, place)
  }
  const steps: BridgeStep[] = []
  for (const event of all) {
    yield
    const place = types.has(event.type) ? places.get(event) : undefined
    const step = place && (packetStep(place) ?? opInitStep(place))
    if (step) steps.push({ ...step, ...(yield* outcomeOf(step, place, vm)) })
  }
  return steps
}

/** The events, with each packet, deposit and withdrawal in an event of its own, and those that were joined with others. */
function* apart(events: readonly ChainEvent[]): Steps<{ all: ChainEvent[]; joined: ReadonlySet<ChainEvent> }> {
  const all: ChainEvent[] = []
  const joined = new Set<ChainEvent>()
  for (const event of events) {
    const { type, attributes } = event
    const keys = joinedTypes.has(type) ? attributes.map(({ key }) => key).filter((key) => !isIndex(key)) : []
    if (new Set(keys).size === keys.length) {
      all.push(event)
      continue
    }
    const indexes = attributes.filter(({ key }) => isIndex(key))
    for (const part of yield* partsOf({ type, attributes: attributes.filter(({ key }) => !isIndex(key)) })) {
      const own = [...part].map(([key, value]) => ({ key, value }))
      const each = { type, attributes: [...own, ...indexes] }
      joined.add(each)
      all.push(each)
    }
  }
  return { all, joined }
}

/** Whether an attribute says of which message an event is. */
const isIndex = (key: string): boolean => key === 'msg_index' || key === 'authz_msg_index'

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
