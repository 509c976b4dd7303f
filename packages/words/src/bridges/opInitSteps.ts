import { attributeOf, eventsOfType } from '../actions/events.ts'
import { fieldText, wholeOf } from '../actions/fields.ts'
import type { ChainEvent } from '../balanceChanges/events.ts'
import type { BridgeStepKind, OpInitRoute } from './bridgeStep.ts'
import type { Cuts, EventPlace } from './eventGroups.ts'
import type { StepBefore } from './packetSteps.ts'

/** The names of the attributes of an event, which differ between the two chains (`types/event.go` of both modules). */
interface EventForm {
  readonly kind: BridgeStepKind
  readonly direction: OpInitRoute['direction']
  readonly sequence: string
  readonly sender: string
  readonly receiver: string
  readonly hubDenom: string
  readonly rollupDenom: string
}

const onHub = { sender: 'from', receiver: 'to', hubDenom: 'l1_denom', rollupDenom: 'l2_denom' }

const forms: ReadonlyMap<string, EventForm> = new Map([
  ['initiate_token_deposit', { kind: 'SENT', direction: 'DEPOSIT', sequence: 'l1_sequence', ...onHub }],
  [
    'finalize_token_deposit',
    {
      kind: 'RECEIVED',
      direction: 'DEPOSIT',
      sequence: 'l1_sequence',
      sender: 'sender',
      receiver: 'recipient',
      hubDenom: 'base_denom',
      rollupDenom: 'denom',
    },
  ],
  [
    'initiate_token_withdrawal',
    {
      kind: 'SENT',
      direction: 'WITHDRAWAL',
      sequence: 'l2_sequence',
      sender: 'from',
      receiver: 'to',
      hubDenom: 'base_denom',
      rollupDenom: 'denom',
    },
  ],
  ['finalize_token_withdrawal', { kind: 'RECEIVED', direction: 'WITHDRAWAL', sequence: 'l2_sequence', ...onHub }],
])

/** What a rollup writes before the reason when it took the coins, and only the messages that came with them failed. */
const hookFailed = 'hook failed; '

/** The types of the events of OPinit that move coins. */
export const opInitTypes: readonly string[] = [...forms.keys()]

/** A deposit or withdrawal ends with one event, behind all that it caused. */
export const opInitCuts: Pick<Cuts, 'startOf'> = {
  startOf: ({ type }) => (forms.get(type)?.kind === 'RECEIVED' ? type : null),
}

/** The step of an event of OPinit. Null for any other event, and if it may be part of a refused deposit. */
export function opInitStep({ event, group: { events, path }, message }: EventPlace): StepBefore | null {
  const form = forms.get(event.type)
  const sequence = form && attributeOf(event, form.sequence)
  if (!form || !sequence) return null
  // A refused deposit comes back as a withdrawal, which belongs to it.
  if (
    event.type === 'initiate_token_withdrawal' &&
    events.some((each) => isRefusedDeposit(each) && comesBackAs(each, event))
  ) {
    return null
  }
  const isRefused = isRefusedDeposit(event)
  const [hubDenom, rollupDenom] = [attributeOf(event, form.hubDenom), attributeOf(event, form.rollupDenom)]
  const isDeposit = form.direction === 'DEPOSIT'
  const kind = isRefused ? 'REFUSED' : form.kind
  return {
    kind,
    path,
    messageIndex: path[0] ?? null,
    route: { bridge: 'OPINIT', direction: form.direction, bridgeId: attributeOf(event, 'bridge_id') || null, sequence },
    sender: attributeOf(event, form.sender) || null,
    caller: kind === 'SENT' ? fieldText(message, 'sender') : null,
    receiver: attributeOf(event, form.receiver) || null,
    amount: wholeOf(attributeOf(event, 'amount')),
    sourceDenom: isDeposit ? hubDenom : rollupDenom,
    destinationDenom: isDeposit ? rollupDenom : hubDenom,
    exchangedDenom: null,
    hasNextHop: Boolean(attributeOf(event, 'data')),
    isForward: false,
    onward: null,
    returnsTo: null,
    timeout: null,
    reason: attributeOf(event, 'reason') || null,
    returnSequence: isRefused ? returnSequenceIn(events, event) : null,
  }
}

/** The number of the withdrawal that brings a refused deposit back. Null if there are several like it, and none says which. */
function returnSequenceIn(events: readonly ChainEvent[], refused: ChainEvent): string | null {
  const deposits = eventsOfType(events, refused.type).filter(isRefusedDeposit)
  const alike = deposits.filter((each) =>
    fieldsOfReturn.every(([key]) => attributeOf(each, key) === attributeOf(refused, key)),
  )
  const back = eventsOfType(events, 'initiate_token_withdrawal').filter((each) => comesBackAs(refused, each))
  // The chain refuses one after the other.
  const own = alike.length === back.length ? back[alike.indexOf(refused)] : undefined
  return own ? attributeOf(own, 'l2_sequence') : null
}

/** What a refused deposit and the withdrawal that brings it back have in common, by their keys for it. */
const fieldsOfReturn = [
  ['recipient', 'from'],
  ['sender', 'to'],
  ['denom', 'denom'],
  ['amount', 'amount'],
] as const

const comesBackAs = (refused: ChainEvent, withdrawal: ChainEvent): boolean =>
  fieldsOfReturn.every(([key, other]) => attributeOf(refused, key) === attributeOf(withdrawal, other))

/** Whether a rollup could not credit a deposit. One whose messages failed has arrived. */
const isRefusedDeposit = (event: ChainEvent): boolean =>
  event.type === 'finalize_token_deposit' &&
  attributeOf(event, 'success') === 'false' &&
  attributeOf(event, 'reason')?.startsWith(hookFailed) !== true
