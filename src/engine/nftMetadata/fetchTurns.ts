import type { Clock } from '../../kit/clock/clock.ts'
import { openDeadline, withDeadline } from '../../kit/clock/deadline.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { FairQueue } from '../../kit/queue/fairQueue.ts'
import type { Requester } from '../upstream/requester.ts'
import type { ConnectOptions } from './connect.ts'
import { MetadataError } from './fault.ts'
import { fetchBytes } from './fetchBytes.ts'

/** The client that reads, and its signal. */
export interface MetadataCaller {
  readonly requester: Requester
  /** Aborts when the caller leaves. A fetch ends when its last caller has left. */
  readonly signal: Signal
}

export interface FetchTurn extends MetadataCaller {
  readonly url: URL
  readonly maxBytes: number
}

/** Fetches when the turn of the client comes. Rejects with `MetadataError`, or with the reason of the signal. */
export type FetchTurns = (turn: FetchTurn) => Promise<Buffer>

/** Requests that are under way at once. */
const slots = 16

/** Requests that may wait for their turn. */
const maxWaiting = slots * 32

/** Milliseconds for a whole request, with all redirects. It may wait as long for its turn. */
export const fetchMs = 5_000

/**
 * Creates the turns of all clients. No client can take all slots, however slow its hosts are. A request that waits too
 * long for its turn is refused as `BUSY`.
 */
export function createFetchTurns(clock: Clock, connect: ConnectOptions): FetchTurns {
  const queue = new FairQueue({ slots, maxWaiting })
  const busy = () => new MetadataError('BUSY')

  const fetch = ({ url, maxBytes, signal }: FetchTurn) =>
    withDeadline(clock, { milliseconds: fetchMs, signal, late: () => new MetadataError('TIMED_OUT') }, (end) =>
      fetchBytes(url, connect, { maxBytes, signal: end }),
    )

  return (turn) =>
    new Promise((resolve, reject) => {
      const wait = openDeadline(clock, { milliseconds: fetchMs, signal: turn.signal, late: busy })
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
