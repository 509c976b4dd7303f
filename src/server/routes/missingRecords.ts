import type { IncomingMessage } from 'node:http'
import { withDeadline } from '../../kit/clock/deadline.ts'
import { SignalSource } from '../../kit/clock/signal.ts'
import type { TransportServices } from '../http/transportServices.ts'
import type { OperationResult } from '../operation/operation.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { RecordQueries } from '../static/site.ts'

/** Milliseconds that a page waits to know it. A browser shows nothing before. */
const waitMs = 100

/**
 * Returns a function that resolves to whether a path names a record that does not exist: one that the first query answers
 * with null, or whose parts it refuses, and of which no further query knows anything. False if that cannot be found out
 * in time, or the client may not query.
 */
export function createMissingRecords(
  records: readonly RecordQueries[],
  pipeline: Pick<Pipeline, 'run'>,
  { identify, clock }: Pick<TransportServices, 'identify' | 'clock'>,
): (path: string, request: IncomingMessage) => Promise<boolean> {
  return async (path, request) => {
    const record = recordAt(path, records)
    const client = identify.ofRequest(request)
    if (!record || 'status' in client) return false
    if (!record.variables) return true
    // The look-up is not ended after this time: the page asks for the same record.
    const sender = { client, signal: new SignalSource() }
    const { queries, variables } = record
    const look = async () => {
      for (const [index, query] of queries.entries()) {
        const result = await pipeline.run({ query, variables }, sender)
        if (!isMissing(result, index === 0 ? refusals : laterRefusals)) return false
      }
      return true
    }
    return withDeadline(clock, { milliseconds: waitMs }, look).catch(() => false)
  }
}

/** The gateway refuses parts that no record can have. */
const refusals: readonly unknown[] = ['BAD_USER_INPUT']
/** A service refuses a denom that it does not know, but also all that its proxy forbids: alone that says nothing. */
const laterRefusals: readonly unknown[] = [...refusals, 'UPSTREAM_REJECTED']

/** The queries for the record that a path names, without variables if no text has such an encoding. */
function recordAt(path: string, records: readonly RecordQueries[]) {
  for (const { pattern, queries } of records) {
    const groups = pattern.exec(path)?.groups
    if (groups) return { queries, variables: decodeGroups(groups) }
  }
  return undefined
}

function decodeGroups(groups: Readonly<Record<string, string | undefined>>) {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, text]) => [name, text === undefined ? null : decodeURIComponent(text)]),
    )
  } catch {
    return undefined
  }
}

/** Whether a result says that there is no such record. What could not be read may exist. */
function isMissing(result: OperationResult, refusals: readonly unknown[]): boolean {
  if (!('data' in result || 'errors' in result)) return false
  const { data, errors = [] } = result
  return errors.length > 0 ? errors.every(({ extensions }) => refusals.includes(extensions.code)) : hasNothing(data)
}

const hasNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && (isEmpty(value) || Object.values(value).some(hasNothing)))

const isEmpty = (value: object): boolean => Array.isArray(value) && value.length === 0
