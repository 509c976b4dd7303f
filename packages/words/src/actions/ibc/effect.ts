import type { ChainEvent } from '../../balanceChanges/events.ts'
import type { ActionAmount, ActorChanges, Draft } from '../action.ts'
import { attributeOf, eventsOfType } from '../events.ts'
import { coinsOfText } from '../fields.ts'
import { type Refusal, refusalInEvents } from './acknowledgement.ts'
import type { PacketTransfer } from './transferData.ts'

// Relayers race, so the same packet is handed over twice every day. ibc-go emits `recv_packet`, `timeout_packet` and
// `acknowledge_packet` before it finds that there is nothing left to do (`04-channel/keeper`), so they prove nothing.

/** The types of applications' events about a packet. */
const packetTypes = ['fungible_token_packet', 'non_fungible_token_packet', 'ics27_packet']

/** The prefix of the types and keys of events that an application emitted before it refused the packet. */
const refusedPrefix = 'ibccallbackerror-'

const hasAny = (events: readonly ChainEvent[], types: readonly string[]): boolean =>
  events.some(({ type }) => types.includes(type))

/** Whether a packet had an effect on the chain that gets it: it was acknowledged, sent on, or paid out. */
export const isDelivered = (events: readonly ChainEvent[]): boolean =>
  hasAny(events, [...packetTypes, 'write_acknowledgement', 'send_packet', 'coin_received']) ||
  events.some(({ type }) => type.startsWith(refusedPrefix))

/** Whether the end of a packet had an effect on the chain that sent it: its application was told, or coins moved. */
export const isSettled = (events: readonly ChainEvent[]): boolean =>
  hasAny(events, [...packetTypes, 'write_acknowledgement', 'coin_received']) ||
  eventsOfType(events, 'timeout').some((event) =>
    ['refund_receiver', 'refund_tokens'].some((key) => attributeOf(event, key) !== null),
  )

/** The refusal of a packet that the chain accepted from a relayer. Null if it took the packet. */
export function refusalOf(events: readonly ChainEvent[]): Refusal | null {
  const written = refusalInEvents(events)
  const packets = events.filter(({ type }) => packetTypes.includes(withoutPrefix(type)))
  const failed = packets.find((event) => valueAt(event, 'success') === 'false')
  const isUndone = events.some(({ type }) => type.startsWith(refusedPrefix))
  if (!written && !failed && !isUndone) return null
  // The application gives its words. An acknowledgement has only what is the same on all nodes, such as a code.
  const error = packets.map((event) => valueAt(event, 'error')).find((text) => text)
  return { reason: error ?? written?.reason ?? null }
}

const withoutPrefix = (text: string): string =>
  text.startsWith(refusedPrefix) ? text.slice(refusedPrefix.length) : text

const valueAt = ({ attributes }: ChainEvent, key: string): string | undefined =>
  attributes.find((attribute) => withoutPrefix(attribute.key) === key)?.value

/** The coins that came, by what brought them. */
export interface CameWith {
  /** What this chain calls them. Null if that is not known. */
  readonly denom: string | null
  readonly amount: bigint | null
  /** Whether something was to be done with them, which can have given the account other coins. */
  readonly isCalled: boolean
}

/** What an account got of the coins that came, among all that it gained by that. Null if its gains do not prove it. */
export function gotOf<T extends Pick<ActionAmount, 'denom' | 'amount'>>(
  gains: readonly T[],
  { denom, amount, isCalled }: CameWith,
): T | null {
  const same = gains.find((gain) => gain.denom !== null && gain.denom === denom)
  const gain = same ?? (gains.length === 1 && !isCalled ? gains[0] : undefined)
  if (!gain) return null
  // More than came is not of that alone, and a coin without a known name has to be all of it.
  const isProven = denom === null ? gain.amount === amount : gain !== same || amount === null || gain.amount <= amount
  return isProven ? gain : null
}

/** Makes an action whole with what its account got, after whatever the chain took from it. Without a proof `otherwise` stands. */
export const withGot =
  (told: (amounts: readonly ActionAmount[]) => Draft, came: CameWith, otherwise: readonly ActionAmount[]) =>
  ({ got }: ActorChanges): Draft => {
    const own = gotOf(got, came)
    return told(own ? [own] : otherwise)
  }

/** The only coin of this amount that the bank module moved, whoever got it. None if there are several. */
export function coinMoved({ amount }: PacketTransfer, events: readonly ChainEvent[]): readonly ActionAmount[] {
  const moved = eventsOfType(events, 'coin_received')
    .flatMap((event) => coinsOfText(attributeOf(event, 'amount')))
    .filter((coin) => coin.amount === amount)
  const [first, ...others] = moved
  return first && others.every(({ denom }) => denom === first.denom) ? [first] : []
}
