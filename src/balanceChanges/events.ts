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
}

/** The attributes of an event, cut where a key comes again: some modules join several things in one event. */
export function partsOf({ attributes }: ChainEvent): Map<string, string>[] {
  const parts: Map<string, string>[] = []
  for (const { key, value } of attributes) {
    const part = parts.at(-1)
    if (!part || part.has(key)) parts.push(new Map([[key, value]]))
    else part.set(key, value)
  }
  return parts
}

/** The parts of all events, in order. */
export const eventParts = (events: readonly ChainEvent[]): EventPart[] =>
  events.flatMap((event) => {
    const messageIndex = messageIndexOf(event)
    const parts = event.type === 'move' ? [firstValues(event)] : partsOf(event)
    let contract: string | undefined
    return parts.map((values) => {
      // A contract is named once, before its other attributes.
      contract = values.get(contractKey) ?? contract
      if (contract !== undefined) values.set(contractKey, contract)
      return { type: event.type, values, messageIndex }
    })
  })

const contractKey = '_contract_address'

/**
 * The first value of each key. A Move event repeats the fields of its data as attributes behind it, so that a
 * module could forge a second event by the names of its fields.
 */
const firstValues = ({ attributes }: ChainEvent): Map<string, string> =>
  new Map(attributes.toReversed().map(({ key, value }) => [key, value]))

/**
 * The index is one attribute of the whole event, whatever its parts. The chain adds it after the attributes of
 * a contract.
 */
function messageIndexOf({ attributes }: ChainEvent): number | null {
  const text = attributes.findLast(({ key }) => key === 'msg_index')?.value ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** The text fields of a JSON object. Numbers are texts too if they are exact. Undefined for other texts. */
export function textFields(json: string): ReadonlyMap<string, string> | undefined {
  const value = parsed(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Map(
    Object.entries(value).flatMap(([key, field]): [string, string][] => {
      if (typeof field === 'string') return [[key, field]]
      return Number.isSafeInteger(field) ? [[key, String(field)]] : []
    }),
  )
}

/** The value of a text of JSON. Undefined for any other text. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** An amount of base units. Null for a text that is not digits, or longer than 256 bits can be. */
export const amountIn = (text: string | undefined): bigint | null =>
  text !== undefined && /^\d{1,78}$/.test(text) ? BigInt(text) : null
