import { listedRecords } from '../listField.ts'
import { timedTransactions } from '../time/timeRange.ts'
import { Transaction } from './transaction.ts'

/** Lists of Cosmos transactions. */
export const listedTransactions = listedRecords(Transaction, 'Cosmos transactions', {
  source: timedTransactions.all.source,
  timed: timedTransactions,
})
