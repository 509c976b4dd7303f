import type { Steps } from '#kit/steps'
import { attributeOf, eventsOfType } from '../actions/events.ts'
import { coinsOfText } from '../actions/fields.ts'
import { gotOf } from '../actions/ibc/effect.ts'
import { bytesOf, isSameAddress } from '../addresses/bytes.ts'
import { balanceChanges, type Vm } from '../balanceChanges/balanceChanges.ts'
import { UnboundedChanges } from '../balanceChanges/bound.ts'
import type { ChainEvent } from '../balanceChanges/events.ts'
import type { BridgeGain, BridgeStep } from './bridgeStep.ts'
import type { EventPlace } from './eventGroups.ts'

/** What an account has of a movement of coins after its step. */
type Outcome = Pick<BridgeStep, 'gain' | 'isKept'>

/** What a step gave its account, by the balance changes of the step itself. */
export function* outcomeOf(
  step: Omit<BridgeStep, keyof Outcome>,
  place: EventPlace,
  vm: Vm | undefined,
): Steps<Outcome> {
  const { kind, returnsTo, exchangedDenom } = step
  const isArrival = kind === 'RECEIVED'
  const isRefund = (kind === 'RETURNED' || kind === 'TIMED_OUT') && returnsTo === null
  const account = isArrival ? step.receiver : step.sender
  if (!(isArrival || isRefund) || account === null || bytesOf(account) === null) return { gain: null, isKept: false }
  const denom = exchangedDenom ?? (isArrival ? step.destinationDenom : step.sourceDenom)
  const gains = place.sure ? yield* gainsOf(place.sure, account, vm) : []
  const { amount, hasNextHop } = step
  const gain = gotOf(gains, { denom, amount, isCalled: hasNextHop || exchangedDenom !== null })
  const spent = eventsOfType(place.sure ?? place.group.events, 'coin_spent').filter((event) =>
    isSameAddress(attributeOf(event, 'spender'), account),
  )
  // Of what it spent without an amount, all can be gone.
  const hasLeft = gain
    ? spent.some((event) => coinsOfText(attributeOf(event, 'amount')).length === 0)
    : spent.length > 0
  return { gain, isKept: isArrival && !hasNextHop && !hasLeft }
}

/** The coins that the account gained by events of one message. None if there is too much to read. */
function* gainsOf(events: readonly ChainEvent[], account: string, vm: Vm | undefined): Steps<BridgeGain[]> {
  try {
    const changes = yield* balanceChanges({ vm, code: 0, events: events.map(ofMessage) }, { account, known: null })
    return changes
      .filter(({ kind, amount }) => (kind === 'COIN' || kind === 'TOKEN') && amount > 0n)
      .map(({ denom, amount }) => ({ denom, amount }))
  } catch (error) {
    if (error instanceof UnboundedChanges) return []
    throw error
  }
}

/** What comes outside of all messages is a fee, so that an event of an older node needs the mark of one. */
const ofMessage = ({ type, attributes }: ChainEvent): ChainEvent => ({
  type,
  attributes: [...attributes, { key: 'msg_index', value: '0' }],
})
