import type { Caller, Flight } from '../../../kit/cache/singleFlight.ts'
import type { TypedKey } from '../../../kit/cache/typedKey.ts'
import type { UpstreamRequest } from '../request.ts'
import type { Requester } from '../requester.ts'

/** The result of a request, as its callers receive it and as it is cached. */
export interface Result<T> {
  /** Null for a 404 that says so: see `strangeAbsence`. */
  readonly value: T | null
  /** Time of the clock until which it stays the same. 0 if it may change at any time. */
  readonly freshUntil: number
}

export interface CallerRequest<T> extends Caller<Requester, Result<T>> {
  readonly request: UpstreamRequest<T>
  /** Callers with equal keys share a GET. */
  readonly key: TypedKey<Result<T>>
  readonly cacheKey: TypedKey<Result<T>>
}

/** One request to the upstream, which callers share. */
export interface Call<T> {
  readonly request: UpstreamRequest<T>
  readonly cacheKey: TypedKey<Result<T>>
  /** The first caller. Its id and its trace go with the request. */
  readonly requester: Requester
  /** The callers that wait. A stage that waits sets `onCancel`. */
  readonly flight: Flight<Requester, Result<T>>
  /** Attempts before this one. */
  retries: number
}

/** A response that was read. */
export interface Decoded<T> {
  readonly value: T
  /** Bytes of its text. */
  readonly bytes: number
  /** Time of the clock when the request was sent. */
  readonly sentAt: number
}

/**
 * The end of a call: a value, an error, or undefined if all callers have left. A refusal is an error of the gateway,
 * which has sent nothing.
 */
export type CallOutcome<T> = { readonly value: T } | { readonly error: unknown; readonly isRefusal?: true } | undefined

/** Receives the outcome of a call, once. */
export type End<T> = (outcome: CallOutcome<T>) => void

/** Receives the response of a call, which is null for a 404, or its error. */
export type EndCall<T> = End<Decoded<T> | null>

/** Runs the rest of the stages. */
export type Next = <T>(call: Call<T>, end: EndCall<T>) => void

/** One step on the way of a call. It ends the call, or runs the rest of the stages, perhaps more than once. */
export type Stage = <T>(call: Call<T>, next: Next, end: EndCall<T>) => void

/** Joins stages. Each one has the stages after it as `next`, and the last one has `last`. */
export const inOrder = (stages: readonly Stage[], last: Next): Next =>
  stages.reduceRight<Next>((next, stage) => (call, end) => stage(call, next, end), last)
