import { builder } from '../../../engine/graphql/builder.ts'
import { described } from '../../../engine/graphql/described.ts'

const states = {
  ON_THE_WAY: 'It has left the source chain, and has not arrived: a chain or the router says so.',
  ARRIVED: 'The destination chain gave it to the receiver.',
  PASSED_ON: 'The destination chain passed it on to another chain. See `onward`.',
  SENT_AGAIN: 'It was not received in time, and the source chain sent it again. See `onward`.',
  REFUSED: 'The destination chain did not take it. Nothing shows yet that it is back with the sender.',
  REFUNDED: 'The destination chain did not take it, and it is back with the sender. See `refund`.',
  TIMED_OUT: 'It was not received in time, and is back with the sender. See `refund`.',
  UNKNOWN: 'No record that was read shows what became of it.',
}

/** What became of a bridge transfer. */
export type BridgeTransferStateName = keyof typeof states

export const BridgeTransferState = builder.enumType('BridgeTransferState', {
  description: 'State of a bridge transfer.',
  values: described(states),
})
