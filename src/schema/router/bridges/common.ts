import type { FeeDefinition, TransactionSlot } from './defineBridge.ts'

// Fees that operations of several bridges have.

/** The fee of the bridge itself. */
export const bridgeFee: FeeDefinition = {
  kind: 'BRIDGE',
  amount: 'fee_amount',
  usdAmount: 'usd_fee_amount',
  asset: 'fee_asset',
}

/** The fee of a relayer. Its quote expires. */
export const relayFee: FeeDefinition = {
  kind: 'RELAY',
  amount: 'smart_relay_fee_quote.fee_amount',
  denom: 'smart_relay_fee_quote.fee_denom',
}

/** The fee of the messaging protocol that a bridge uses. */
export const messagingFee: FeeDefinition = {
  kind: 'MESSAGING',
  amount: 'messaging_fee_amount',
  usdAmount: 'messaging_fee_amount_usd',
  asset: 'messaging_fee_asset',
}

// Transactions that hops of several bridges have.

export const send: TransactionSlot = {
  kind: 'SEND',
  description: 'Sends the asset from the source chain.',
}

export const receive: TransactionSlot = {
  kind: 'RECEIVE',
  description: 'Delivers the asset on the destination chain.',
}

export const failure: TransactionSlot = {
  kind: 'ERROR',
  description: 'Failed on the destination chain.',
}
