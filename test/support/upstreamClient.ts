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
  /** Why the client has closed the connection. Undefined while it has not. */
  readonly abortReason: string | undefined
  /** Begins a response, whose body does not end. */
  begin(status?: number): void
  /** Sends a piece of the body. */
  send(chunk: Buffer): void
  /** Ends the response. */
  end(): void
  /** Ends with a response. A body that is no text is sent as JSON. */
  answer(body: unknown, status?: number, headers?: Readonly<Record<string, string>>): void
  /** Breaks the connection. */
  fail(error: Error): void
}

/** What an upstream does with its n-th attempt, counted from 1. */
export type Respond = (attempt: Attempt, count: number) => void

/** A controller of undici, of which only `abort` does something. */
export const controllerOf = (abort: (reason: Error) => void): Dispatcher.DispatchController => ({
  ...{ abort, aborted: false, paused: false, reason: null, rawHeaders: null, rawTrailers: null },
  pause() {},
  resume() {},
})

/** Headers as undici gives them. */
const inLowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function createAttempt(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Attempt {
  let abortReason: string | undefined
  const controller = controllerOf((reason) => {
    abortReason = reason.message
  })
  handler.onRequestStart?.(controller, undefined)
  const begin = (status = 200, headers: Readonly<Record<string, string>> = {}) =>
    handler.onResponseStart?.(controller, status, inLowerCase(headers), '')
  const send = (chunk: Buffer) => handler.onResponseData?.(controller, chunk)
  const end = () => handler.onResponseEnd?.(controller, {})
  return {
    ...{ line: `${options.method} ${options.path}`, options, begin, send, end },
    get abortReason() {
      return abortReason
    },
    answer(body, status, headers) {
      begin(status, headers)
      send(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
      end()
    },
    fail: (error) => handler.onResponseError?.(controller, error),
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
