import type { Operation } from './document.ts'
import type { Http } from './query.ts'
import { endOfSilence, firstMs, partsOf, refusal, sendFor } from './streamRequest.ts'
import type { Ending, Result, Sink, Subscribe } from './transport.ts'

/** How a stream is shared. */
export interface SharedStreamOptions {
  readonly http: Http
  /** Milliseconds of silence after which the stream is lost. */
  readonly silenceMs: number
  /** Runs a subscription over a stream of its own. */
  readonly alone: Subscribe
  /** Called when the stream is open. */
  readonly onOpened: () => void
  /** Called if the gateway shares no streams. */
  readonly onRefused: () => void
}

interface Entry {
  readonly operation: Operation
  readonly sink: Sink
  isOpened: boolean
  /** Ends it, if it has a stream of its own. */
  leave?: () => void
}

/** Milliseconds that a stream without subscriptions stays open, as between two mounts of a component. */
const lingerMs = 500

/**
 * All subscriptions of a client over one event stream, in the single connection mode of
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md. Those that it cannot carry, as behind a proxy that
 * sends the requests of a client to several gateways, get streams of their own.
 */
export function openSharedStream(options: SharedStreamOptions) {
  const { http, silenceMs, alone } = options
  const stream = new AbortController()
  const entries = new Map<string, Entry>()
  const { signal } = stream
  let token: string | undefined
  let count = 0
  let linger: ReturnType<typeof setTimeout> | undefined

  const finish = (id: string, ending: Ending) => {
    const { sink } = entries.get(id) ?? {}
    entries.delete(id)
    rest()
    sink?.end(ending)
  }
  const over = (ending: Ending) => {
    stream.abort()
    for (const id of [...entries.keys()]) finish(id, ending)
  }
  const lose = () => over({ kind: 'lost' })
  const onHeld = async () => over(await endOfSilence(http))
  const rest = () => {
    clearTimeout(linger)
    if (entries.size === 0 && !signal.aborted) linger = setTimeout(lose, lingerMs)
  }
  const send = (method: string, options: Partial<Parameters<typeof sendFor>[1]> = {}) =>
    sendFor(http, { method, token, signal, lose, ...options })
  const separate = (entry: Entry) => {
    entry.leave = alone(entry.operation, entry.sink)
  }
  const stop = (id: string) => void send('DELETE', { id }).catch(() => {})
  const open = (entry: Entry | undefined) => {
    if (!entry || entry.isOpened) return
    entry.isOpened = true
    entry.sink.opened()
  }

  const read = async (parts: ReturnType<typeof partsOf>) => {
    for await (const { event, data } of parts) {
      if (signal.aborted) return
      if (!event) continue
      const { id, payload } = JSON.parse(data) as { id: string; payload: Result }
      // Its first event can come before the answer to its request.
      open(entries.get(id))
      if (event === 'complete') finish(id, { kind: 'complete' })
      else entries.get(id)?.sink.next(payload)
    }
    lose()
  }
  /** Resolves to whether the stream is open. */
  const connect = async () => {
    const reserved = await send('PUT')
    const { status } = reserved
    if ([401, 403, 429].includes(status) || status >= 500) over(await refusal(reserved))
    if (signal.aborted) return false
    if (status === 201) {
      token = await reserved.text()
      const response = await send('GET', { ms: firstMs, lose: onHeld })
      if (response.status === 200) {
        const parts = partsOf(response, silenceMs, onHeld)
        // It is open when something passes. The gateway begins with a comment.
        const { done } = await parts.next()
        if (done) {
          lose()
          return false
        }
        read(parts).catch(lose)
        options.onOpened()
        return true
      }
    } else options.onRefused()
    stream.abort()
    for (const entry of entries.values()) separate(entry)
    return false
  }
  const ready = connect().catch(() => {
    lose()
    return false
  })

  const start = async (id: string, entry: Entry) => {
    if (!(await ready) || !entries.has(id)) return
    const body = { ...entry.operation, extensions: { operationId: id } }
    const response = await send('POST', { body })
    if (!entries.has(id)) return stop(id)
    if (response.status === 202) return open(entry)
    if (response.status !== 404) return finish(id, await refusal(response))
    entries.delete(id)
    separate(entry)
  }

  return {
    isOver: () => signal.aborted,
    add(operation: Operation, sink: Sink) {
      const id = String(++count)
      const entry: Entry = { operation, sink, isOpened: false }
      entries.set(id, entry)
      rest()
      start(id, entry).catch(() => {
        // The gateway may have it nevertheless.
        stop(id)
        finish(id, { kind: 'lost' })
      })
      return () => {
        entry.leave?.()
        if (!entries.delete(id)) return
        if (entry.isOpened && !signal.aborted) stop(id)
        rest()
      }
    },
  }
}
