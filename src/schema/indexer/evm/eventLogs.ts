import { z } from 'zod'
import { parseJson } from '../../../upstream/exactJson.ts'
import type { EventRecord } from '../transaction/wire.ts'
import type { LogRecord } from './wire.ts'

/** What an event has of an EVM log. */
export type EventLog = Pick<LogRecord, 'address' | 'topics' | 'data'>

const log = z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })

/**
 * The logs of contracts in the events of a Cosmos transaction, in order. MiniEVM writes each as JSON into an
 * attribute of an event of the type `evm`. Null for text of another form.
 */
export const readEventLogs = (events: readonly EventRecord[]): (EventLog | null)[] =>
  events
    .filter(({ type }) => type === 'evm')
    .flatMap(({ attributes }) => attributes)
    .filter(({ key }) => key === 'log')
    .map(({ value }) => log.safeParse(fromJson(value)).data ?? null)

/** The logs of contracts in the events of a Cosmos transaction that can be read, in order. */
export const eventLogsOf = (events: readonly EventRecord[]): EventLog[] =>
  readEventLogs(events).filter((log) => log !== null)

/** The value of a text of JSON. Null for any other text. */
export function fromJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
