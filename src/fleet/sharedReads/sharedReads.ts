import type { Signal } from '../../kit/clock/signal.ts'
import type { ReadFault } from './readFault.ts'

/**
 * Reads that the gateways of a fleet, or the processes of one gateway, send for each other. Bodies are shared as
 * text, and each process decodes the bodies that it uses. An implementation gets a `RunRead`, which sends a
 * request through the client of its own process. Each implementation keeps these rules:
 *
 * - Equal reads under way are one request, in all processes together.
 * - At most as many requests are under way as the cap allows, over all processes.
 * - The newest outcome of each read is kept for some minutes.
 * - No caller waits for ever: if a process dies, or sharing fails, `read` sends the request itself.
 */
export interface SharedReads {
  /**
   * The newest outcome, if it is at most `maxAgeMs` old, or else the outcome of a new request. Rejects only with
   * the reason of the signal.
   */
  read(read: ReadRequest, options: ReadOptions): Promise<ReadResult>
  /**
   * Calls the listener with each outcome that was read for another process, unless a `read` of this process
   * waits for it. The function it returns ends that. Calls can be lost, so a follower reads too.
   */
  follow(read: ReadRequest, listener: (result: ReadResult) => void): () => void
  /** Ends sharing. Reads that wait are sent by this process, until their signals abort. */
  close(): Promise<void>
}

/**
 * A GET that each process can send, or a POST that can be repeated without harm. All of it is text, and two equal
 * reads are the same.
 */
export interface ReadRequest {
  /** The service that is asked: a chain id, or `router`. */
  readonly service: string
  /** Where the service was when it was asked: a process that reads from elsewhere does not know it. */
  readonly source: string
  /** Path and query. */
  readonly target: string
  /** The route of the path, as in `UpstreamRequest`. */
  readonly route: string
  /** JSON text that is sent by POST. Undefined for a GET. */
  readonly body?: string | undefined
}

/** The key of a read among those of one source. */
const readKey = ({ target, body }: Pick<ReadRequest, 'target' | 'body'>): string =>
  body === undefined ? target : `${target} ${body}`

/** The key of a read among those of all sources. */
export const readKeyAt = (read: Pick<ReadRequest, 'source' | 'target' | 'body'>): string =>
  `${read.source} ${readKey(read)}`

/** How a read is answered. */
export interface ReadOptions {
  readonly signal: Signal
  /** How old the outcome may be, in milliseconds. Infinity for the newest there is. */
  readonly maxAgeMs: number
  /** Milliseconds for the request, once it is sent. */
  readonly timeoutMs: number
}

/** The result of a request: the body of the response, null for a 404, or a coded error. It is plain JSON. */
export type Outcome = { readonly body: string | null } | { readonly fault: ReadFault }

/** An outcome, and where it is from. */
export interface ReadResult {
  readonly outcome: Outcome
  /** Milliseconds since it was read, by the clock of the engine. 0 for a new one. */
  readonly ageMs: number
  /** Whether the request was sent because another process asked for it. */
  readonly isShared: boolean
  /** Milliseconds since the first read of its series. Undefined where the engine did not read it. */
  readonly seriesMs?: number | undefined
}

/** The longest time from one read of a series to the next, in milliseconds. A poll waits a minute at most. */
const seriesGapMs = 2 * 60_000

/** When the series of a read at `at` began, from the read before it. Both are times of the engine's clock. */
export const seriesStart = (
  before: { readonly at: number; readonly since: number } | undefined,
  at: number,
): number => (before && at - before.at <= seriesGapMs ? before.since : at)

/**
 * Sends a read through the client of this process. Never rejects, except with the reason of the signal.
 * Undefined if this process does not know the service: another one may.
 */
export type RunRead = (
  read: ReadRequest,
  options: Pick<ReadOptions, 'signal' | 'timeoutMs'>,
) => Promise<Outcome | undefined>
