import { runsEvm } from '../../chain/evmSupport.ts'
import { listedRecords } from '../listField.ts'
import { timedCalls, timedReceipts } from '../time/timeRange.ts'
import { EvmInternalTransaction } from './evmInternalTransaction.ts'
import { EvmTransaction } from './evmTransaction.ts'

/** Lists of EVM transactions. Null without an EVM. */
export const listedReceipts = listedRecords(EvmTransaction, 'EVM transactions', {
  source: timedReceipts.all.source,
  timed: timedReceipts,
  isServed: runsEvm,
})

/** Lists of internal transactions. Null too if the indexer has no traces. */
export const listedCalls = listedRecords(EvmInternalTransaction, 'internal EVM transactions', {
  source: timedCalls.all.source,
  timed: timedCalls,
  isServed: runsEvm,
})
