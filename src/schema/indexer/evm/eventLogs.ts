import { type EvmLog, logIn } from '../../../balanceChanges/evmTransfers.ts'
import type { EventRecord } from '../transaction/wire.ts'

/**
 * The logs of contracts in the events of a Cosmos transaction, in order. MiniEVM writes each as JSON into an
 * attribute of an event of the type `evm`. Null for text of another form.
 */
export const readEventLogs = (events: readonly EventRecord[]): (EvmLog | null)[] =>
  events
    .filter(({ type }) => type === 'evm')
    .flatMap(({ attributes }) => attributes)
    .filter(({ key }) => key === 'log')
    .map(({ value }) => logIn(value) ?? null)

/** The logs of contracts in the events of a Cosmos transaction that can be read, in order. */
export const eventLogsOf = (events: readonly EventRecord[]): EvmLog[] =>
  readEventLogs(events).filter((log) => log !== null)
