import type { Steps } from '#kit/steps'

/** An event of a transaction, as indexers and nodes return it. */
export interface ChainEvent {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string }[]
}

/** The attributes of one thing that happened, by key. */
export interface EventPart {
  readonly type: string
  readonly values: ReadonlyMap<string, string>
  /** The message that emitted it, from 0. Null for fees and signatures, which come before the messages. */
  readonly messageIndex: number | null
  /** The places of the message inside those that execute others. Empty for a message of the transaction itself. */
  readonly innerPlace: string
}

/** The attributes of an event, cut where a key comes again: some modules join several things in one event. */
export function* partsOf({ attributes }: ChainEvent): Steps<Map<string, string>[]> {
  const parts: Map<string, string>[] = []
  let part: Map<string, string> | undefined
  for (const { key, value } of attributes) {
    if (part && !part.has(key)) {
      part.set(key, value)
      continue
    }
    if (part) yield
    part = new Map([[key, value]])
    parts.push(part)
  }
  return parts
}

/** The parts of all events, in order. */
export function* eventParts(events: readonly ChainEvent[]): Steps<EventPart[]> {
  const all: EventPart[] = []
  for (const event of events) {
    yield
    const messageIndex = messageIndexOf(event)
    const innerPlace = innerPlaceOf(event)
    const { type } = event
    const parts = type === 'move' ? [firstValues(event)] : yield* partsOf(event)
    let contract: string | undefined
    for (const values of parts) {
      // A contract is named once, before its other attributes.
      contract = values.get(contractKey) ?? contract
      if (contract !== undefined) values.set(contractKey, contract)
      all.push({ type, values, messageIndex, innerPlace })
    }
  }
  return all
}

const contractKey = '_contract_address'

/**
 * The first value of each key. A Move event repeats the fields of its data as attributes behind it, so that a
 * module could forge a second event by the names of its fields.
 */
function firstValues({ attributes }: ChainEvent): Map<string, string> {
  const values = new Map<string, string>()
  for (const { key, value } of attributes) if (!values.has(key)) values.set(key, value)
  return values
}

/**
 * The index of the message. The chain sets `msg_index` once for an event, even if it has several parts, and adds it after the
 * attributes of a contract.
 */
function messageIndexOf({ attributes }: ChainEvent): number | null {
  const text = attributes.findLast(({ key }) => key === 'msg_index')?.value ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** The chain adds `authz_msg_index` at each level of messages that execute others. */
const innerPlaceOf = ({ attributes }: ChainEvent): string =>
  attributes.flatMap(({ key, value }) => (key === 'authz_msg_index' ? value : [])).join(' ')

/** The value of a text of JSON. Undefined for any other text. */
export function parsed(json: string): unknown {
  // An error costs more than to read an object.
  if (!/^[\s[{"\dtfn-]/.test(json)) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** An amount of base units. Null for a text that is not digits, or longer than 256 bits can be. */
export const amountIn = (text: string | undefined): bigint | null =>
  text !== undefined && /^\d{1,78}$/.test(text) ? BigInt(text) : null
