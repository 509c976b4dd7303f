import { type Signal, SignalSource } from '../../kit/clock/signal.ts'
import type { ClientKey } from '../clients/identify.ts'
import { withoutHttp } from '../execution/formatError.ts'
import { isAsyncIterable } from '../operation/mapEvents.ts'
import type { OperationResult } from '../operation/operation.ts'
import { resultText } from '../operation/result.ts'
import type { UnreadAnswers } from '../operation/unreadAnswers.ts'

/** An event stream with the results of several operations of one client. */
export interface SharedStream {
  readonly key: ClientKey
  readonly size: number
  has(id: string): boolean
  /** Opens an operation. The signal aborts when it is stopped, or the stream closed. */
  begin(id: string): Signal
  /** Sends the results of an operation that has begun, and then that it is complete. */
  send(id: string, result: OperationResult): Promise<void>
  /** Ends an operation. Nothing more of it is sent. */
  stop(id: string): void
  /** Sends a comment, if its reader has read all before. */
  ping(): void
  /** The parts of the stream, each made when it is read. */
  readonly parts: AsyncIterable<Uint8Array>
  /** Ends all operations. */
  close(): void
}

/** A part of a stream that its reader has not read yet. */
interface Part {
  readonly text: string
  /** Aborts if the part is not to be sent any more. */
  readonly signal: Signal | undefined
  readonly taken: () => void
}

/** Opens a stream. Each operation waits until its last event was read, so that few events wait. */
export function createSharedStream(key: ClientKey, unread: UnreadAnswers): SharedStream {
  const operations = new Map<string, SignalSource>()
  const queue: Part[] = []
  let wake: (() => void) | undefined
  let isClosed = false

  const push = (text: string, signal?: Signal): Promise<void> =>
    new Promise((resolve) => {
      const release = unread.hold(key, text.length)
      const taken = () => {
        release()
        resolve()
      }
      if (isClosed) return taken()
      queue.push({ text, signal, taken })
      wake?.()
    })
  async function* parts() {
    // Some browsers report a response only when a part of it has arrived.
    yield Buffer.from(comment)
    while (!isClosed) {
      const part = queue.shift()
      if (!part) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      if (!part.signal?.aborted) yield Buffer.from(part.text)
      part.taken()
    }
  }
  const stop = (id: string) => {
    const signal = operations.get(id)
    operations.delete(id)
    signal?.abort()
  }

  return {
    key,
    parts: { [Symbol.asyncIterator]: parts },
    get size() {
      return operations.size
    },
    has: (id) => operations.has(id),
    begin(id) {
      const signal = new SignalSource()
      operations.set(id, signal)
      if (isClosed) stop(id)
      return signal
    },
    async send(id, result) {
      const signal = operations.get(id)
      if (!signal) return
      const name = JSON.stringify(id)
      const next = (one: Parameters<typeof eventText>[0]) =>
        push(`event: next\ndata: {"id":${name},"payload":${eventText(one)}}\n\n`, signal)
      try {
        if (!isAsyncIterable(result)) await next(result)
        else for await (const one of result) await next(one)
      } catch (error) {
        await next({ errors: [error] } as Parameters<typeof eventText>[0])
      }
      if (signal.aborted) return
      operations.delete(id)
      await push(`event: complete\ndata: {"id":${name}}\n\n`)
    },
    stop,
    ping() {
      if (queue.length === 0) push(comment)
    },
    close() {
      isClosed = true
      for (const id of [...operations.keys()]) stop(id)
      for (const { taken } of queue.splice(0)) taken()
      wake?.()
    },
  }
}

const comment = ':\n\n'

/** The JSON of a result. Its errors lose their HTTP status and headers, which only responses have. */
function eventText(result: Exclude<OperationResult, AsyncIterable<unknown>>): string {
  const { errors } = result
  return resultText(errors ? { ...result, errors: errors.map(withoutHttp) } : result)
}
