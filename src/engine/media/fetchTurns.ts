import type { Clock } from '../../kit/clock/clock.ts'
import { openDeadline, withDeadline } from '../../kit/clock/deadline.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { FairQueue } from '../../kit/queue/fairQueue.ts'
import type { Limits } from '../limits/limits.ts'
import type { Requester } from '../upstream/requester.ts'
import type { ConnectOptions } from './connect.ts'
import { MediaError } from './fault.ts'
import { fetchBytes } from './fetchBytes.ts'

/** The client that reads, and its signal. */
export interface MediaCaller {
  readonly requester: Requester
  /** Aborts when the caller leaves. A fetch ends when its last caller has left. */
  readonly signal: Signal
}

export interface FetchTurn extends MediaCaller {
  readonly url: URL
  readonly maxBytes: number
}

/** Fetches when the turn of the client comes. Rejects with `MediaError`, or with the reason of the signal. */
export type FetchTurns = (turn: FetchTurn) => Promise<Buffer>

/** How many requests may wait for each that is under way. */
const waitingForEach = 32

/**
 * Creates the turns of all clients. No client can take all slots, however slow its hosts are. A request that waits too
 * long for its turn is refused as `BUSY`.
 */
export function createFetchTurns(
  clock: Clock,
  connect: ConnectOptions,
  { maxMediaRequests: slots, mediaTimeoutMs: milliseconds }: Limits,
): FetchTurns {
  const queue = new FairQueue({ slots, maxWaiting: slots * waitingForEach })
  const busy = () => new MediaError('BUSY')

  const fetch = ({ url, maxBytes, signal }: FetchTurn) =>
    withDeadline(clock, { milliseconds, signal, late: () => new MediaError('TIMED_OUT') }, (end) =>
      fetchBytes(url, connect, { maxBytes, signal: end }),
    )

  return (turn) =>
    new Promise((resolve, reject) => {
      const wait = openDeadline(clock, { milliseconds, signal: turn.signal, late: busy })
      const leave = queue.join(turn.requester, {
        start(end) {
          wait.close()
          fetch(turn).finally(end).then(resolve, reject)
        },
        refuse() {
          wait.close()
          reject(busy())
        },
      })
      wait.signal.addEventListener('abort', () => {
        leave()
        reject(wait.signal.reason)
      })
    })
}
