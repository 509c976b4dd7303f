import type { TransactionSlot } from './defineBridge.ts'

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
