import type { Steps } from '#kit/steps'
import { type EvmLog, logIn } from '#words/balanceChanges/evmTransfers'
import type { EventRecord } from '../transaction/wire.ts'

/**
 * The logs of contracts in the events of a Cosmos transaction, in order. MiniEVM writes each as JSON into an
 * attribute of an event of the type `evm`. Null for text of another form.
 */
export function* readEventLogs(events: readonly EventRecord[]): Steps<(EvmLog | null)[]> {
  const logs: (EvmLog | null)[] = []
  for (const { type, attributes } of events) {
    if (type !== 'evm') continue
    for (const { key, value } of attributes) {
      if (key !== 'log') continue
      yield
      logs.push(logIn(value) ?? null)
    }
  }
  return logs
}
