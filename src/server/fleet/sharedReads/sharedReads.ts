import { z } from 'zod'
import { readFault } from '../../../engine/upstream/readFault.ts'
import type { PollOptions } from '../../../engine/watch/peers.ts'
import type { Signal } from '../../../kit/clock/signal.ts'

/**
 * Reads that the gateways of a fleet send for each other. Bodies are shared as text, and each process decodes the bodies
 * that it uses. Equal reads under way are one request, and at most as many are under way as the cap of the fleet allows.
 */
export interface SharedReads {
  /**
   * The newest outcome, if it is at most `maxAgeMs` old, or else the outcome of a request that is under way, or of a new
   * one. If a process dies, or sharing fails, this process sends the request itself. Rejects only with the reason of the signal.
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

/** A GET that each process can send, or a POST that can be repeated without harm. Two equal reads are the same. */
export interface ReadRequest {
  /** The service that is asked: a chain id, or the name of another service such as `router`. */
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

/** The most polls under way at once, to the router and to each indexer. */
export interface PollCaps {
  readonly router: number
  readonly indexers: number
}

/** How a read is answered. */
export interface ReadOptions extends Required<Pick<PollOptions, 'maxAgeMs' | 'timeoutMs'>> {
  readonly signal: Signal
}

/** The form of an outcome, for those who read it from elsewhere. */
export const outcomeForm = z.union([z.object({ body: z.string().nullable() }), z.object({ fault: readFault })])

/** The result of a request: the body of the response, null for a 404, or a coded error. It is plain JSON. */
export type ReadOutcome = z.output<typeof outcomeForm>

/** An outcome, and where it is from. */
export interface ReadResult {
  readonly outcome: ReadOutcome
  /** Milliseconds since it was read, by the clock of Redis. 0 for a new one. */
  readonly ageMs: number
  /** Whether another process has sent the request. */
  readonly isShared: boolean
  /** Milliseconds since the first read of its series. Undefined where this process read alone. */
  readonly seriesMs?: number | undefined
}

/** Sends a read through the client of this process. Rejects only with the reason of the signal. */
export type RunRead = (read: ReadRequest, options: Pick<ReadOptions, 'signal' | 'timeoutMs'>) => Promise<ReadOutcome>
