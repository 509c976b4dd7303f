import type { Clock } from '../../kit/clock/clock.ts'
import { readText } from '../readResponse.ts'
import type { UpstreamRequest } from '../request.ts'
import type { Call, Decoded, Stage } from './call.ts'

/** The body of a record that never changes. */
export interface SharedRecord {
  readonly body: string
  /** Milliseconds since it was read from the upstream. */
  readonly ageMs: number
}

/**
 * A second level of the cache: bodies of records that never change, which several gateways share. It is only
 * worth asking where it answers sooner than the upstream.
 */
export interface SharedRecords {
  /** Whether it can be asked now. */
  readonly isOpen: boolean
  /** The record that a target of a source has. Undefined if it is not known, or not soon. Never rejects. */
  find(source: string, target: string): Promise<SharedRecord | undefined>
  /** Keeps a record, if there is room. Never waits. */
  keep(source: string, target: string, body: string): void
}

/** The records of other gateways, and how they are read. */
export interface PeerRecordsOptions {
  readonly service: string
  readonly source: string
  readonly clock: Pick<Clock, 'now'>
  readonly records: SharedRecords
  /** The most milliseconds since a record was read from the upstream. */
  readonly maxAgeMs: number
  readonly parse: (text: string) => unknown
}

/** Finds records that other gateways have read, and offers those of this gateway to them. */
export function peerRecords(options: PeerRecordsOptions): Stage {
  const { service, source, clock, records, maxAgeMs, parse } = options

  /** The record that another gateway has read. Undefined if none is known, or if it has another shape. */
  const find = async <T>({ request }: Call<T>): Promise<Decoded<T> | undefined> => {
    const record = await records.find(source, request.target)
    if (!record || record.ageMs >= maxAgeMs) return undefined
    try {
      const text = record.body
      const value = readText(service, request, text, parse)
      return { value, text, bytes: Buffer.byteLength(text), sentAt: clock.now() - record.ageMs }
    } catch {
      return undefined
    }
  }

  return (call, next, end) => {
    const { request, flight } = call
    if (!isRecord(request)) return next(call, end)
    const read = () =>
      next(call, (outcome) => {
        if (outcome && 'value' in outcome && outcome.value)
          records.keep(source, request.target, outcome.value.text)
        end(outcome)
      })
    if (!records.isOpen) return read()
    void find(call).then((found) => {
      if (found) end({ value: found })
      else if (flight.isCancelled) end(undefined)
      else read()
    })
  }
}

/** Whether every successful response to a request is a record that never changes. */
const isRecord = <T>({ isFinal, isText }: UpstreamRequest<T>): boolean =>
  isFinal === true && !isText
