import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { createUpstream } from '../../src/engine/upstream/client.ts'
import { get, post } from '../../src/engine/upstream/request.ts'
import type { UpstreamOptions } from '../../src/engine/upstream/upstreamOptions.ts'
import { CacheStore } from '../../src/kit/cache/cache.ts'
import { SignalSource } from '../../src/kit/clock/signal.ts'
import { fakeClock } from './fakeClock.ts'

/** One attempt of a client, which a test ends as an upstream would. */
export interface Attempt {
  /** The method and the target. */
  readonly line: string
  readonly options: Dispatcher.DispatchOptions
  readonly handler: Dispatcher.DispatchHandler
  /** Why the client has closed the connection. Undefined while it has not. */
  readonly abortReason: string | undefined
  /** Begins a response, whose body does not end. */
  begin(status?: number): void
  /** Ends with a response. A body that is no text is sent as JSON. */
  answer(body: unknown, status?: number, headers?: Readonly<Record<string, string>>): void
  /** Breaks the connection. */
  fail(error: Error): void
}

/** What an upstream does with its n-th attempt, counted from 1. */
export type Respond = (attempt: Attempt, count: number) => void

function createAttempt(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Attempt {
  let abortReason: string | undefined
  handler.onConnect?.((reason?: Error) => {
    abortReason = reason?.message
  })
  const begin = (status = 200, headers: Readonly<Record<string, string>> = {}) =>
    handler.onHeaders?.(status, Object.entries(headers).flat().map(Buffer.from), () => {}, '')
  return {
    ...{ line: `${options.method} ${options.path}`, options, handler, begin },
    get abortReason() {
      return abortReason
    },
    answer(body, status, headers) {
      begin(status, headers)
      handler.onData?.(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
      handler.onComplete?.([])
    },
    fail: (error) => handler.onError?.(error),
  }
}

/** A client on a clock that stands still, of an upstream that does what the test says, now or later. */
export function startClient(respond: Respond = () => {}, options: Partial<UpstreamOptions> = {}) {
  const attempts: Attempt[] = []
  const sent: string[] = []
  const dispatcher = {
    dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
      const attempt = createAttempt(request, handler)
      attempts.push(attempt)
      sent.push(attempt.line)
      respond(attempt, attempts.length)
      return true
    },
  } as unknown as Dispatcher
  const clock = fakeClock()
  const cache = new CacheStore(clock)
  const upstream = createUpstream({
    ...{ service: 'evm-1', url: 'http://indexer.test', dispatcher, clock, cache },
    ...{ backoff: () => 0, ...options },
  })
  return { upstream, send: upstream.send, attempts, sent, clock, cache }
}

/** The signal of a caller that never leaves. */
export const never = new SignalSource()

export const value = z.object({ value: z.number() })
/** A GET of what may change. */
export const thing = get('/thing', value)
/** A GET of what never changes. */
export const record = get('/record', value, { isFinal: true })
/** A POST whose response says nothing. */
export const order = post('/thing', '{}', () => ({ value: 0 }))

/** Answers each attempt with its number. */
export const counting: Respond = (attempt, count) => attempt.answer({ value: count })

/** The error of a promise that has to reject. */
export const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('it resolved')),
    (error: unknown) => error,
  )
