import type { Clock } from '../../kit/clock/clock.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import { afterPeers } from './nextDelay.ts'

/** The pause that an upstream asks for with `Retry-After`. One answer of many can ask for it by mistake. */
export interface RateLimitHold {
  /**
   * Begins a pause if the error asks for one, or makes it longer. It lasts a minute at most. A probe that failed in
   * another way found out nothing, so the next one may be sent soon.
   */
  begin(error: unknown): void
  /** Ends the pause: the upstream has answered. Waiting requests are sent within a second. */
  end(): void
  /**
   * Resolves after the pause. One probe is let through after 5 seconds, then every 10 seconds, to find out whether the
   * upstream still asks for the pause. A later pause does not extend a wait that has begun. Rejects with the reason of
   * the signal.
   */
  turn(signal: Signal): Promise<void>
  /** Milliseconds that are left of the pause. 0 or less if there is no pause. */
  readonly leftMs: number
  /** Whether requests are sent while it lasts. */
  readonly isProbed: boolean
}

/** The longest pause, in milliseconds. */
const longestMs = 60_000

/** Milliseconds between two probes. */
const probeMs = 10_000

/** Milliseconds from the begin of a longer pause to its first probe. */
const firstProbeMs = 5_000

/** Milliseconds from a probe that failed to the next one, where the upstream did not ask to wait again. */
const probeAgainMs = 1_000

/** The requests that have waited together are sent within this many milliseconds. */
const spreadMs = 1_000

/** How long an error asks to wait, in milliseconds. 0 if it does not. */
export const retryAfterOf = (error: unknown): number =>
  error instanceof UpstreamHttpError ? Math.min(error.retryAfterMs ?? 0, longestMs) : 0

/** Without a pause. */
export function createRateLimitHold(clock: Clock, random: () => number): RateLimitHold {
  let until = Number.NEGATIVE_INFINITY
  /** When the last request was sent in the pause, or when it began. */
  let probedAt = Number.NEGATIVE_INFINITY
  let isProbing = false
  /** The waiting requests, oldest first: each resolves after that many milliseconds. */
  const waiting = new Set<(inMs: number) => void>()
  let cancelProbe = () => {}

  const planProbe = () => {
    cancelProbe()
    if (waiting.size === 0) return
    cancelProbe = clock.after(Math.max(0, probedAt + probeMs - clock.now()), () => {
      probedAt = clock.now()
      isProbing = true
      const [first] = waiting
      first?.(0)
    })
  }

  return {
    get leftMs() {
      return until - clock.now()
    },
    get isProbed() {
      return until - clock.now() > probeMs
    },
    begin(error) {
      const asked = retryAfterOf(error)
      if (asked <= 0) {
        if (isProbing) probedAt = clock.now() - probeMs + probeAgainMs
        isProbing = false
        return planProbe()
      }
      // The longer the pause, the more others a mistake holds up: the first probe comes sooner.
      if (until <= clock.now()) probedAt = clock.now() - (asked > probeMs ? probeMs - firstProbeMs : 0)
      until = Math.max(until, clock.now() + asked)
    },
    end() {
      until = clock.now()
      isProbing = false
      for (const start of [...waiting]) start(random() * spreadMs)
    },
    turn: (signal) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(start)
          planProbe()
        }
        const onAbort = () => {
          cancel()
          leave()
          reject(signal.reason)
        }
        const go = () => {
          signal.removeEventListener('abort', onAbort)
          leave()
          resolve()
        }
        const start = (inMs: number) => {
          cancel()
          leave()
          cancel = clock.after(inMs, go)
        }
        let cancel = clock.after(afterPeers(until - clock.now(), random()), go)
        signal.addEventListener('abort', onAbort)
        waiting.add(start)
        planProbe()
      }),
  }
}
