import type { TypedKey } from './typedKey.ts'

/** Shares work that is under way between the callers of one key. */
export interface SingleFlight {
  /**
   * Starts the work, or joins the work under way for this key. Rejects with the signal's reason when
   * this caller leaves. The work's own signal aborts when the last caller leaves.
   */
  run<T>(
    key: TypedKey<T>,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

interface Flight {
  readonly result: Promise<unknown>
  readonly controller: AbortController
  refCount: number
}

/** Creates a single flight. Unlike in a cache of promises, a caller that leaves affects no other. */
export function createSingleFlight(): SingleFlight {
  const flights = new Map<string, Flight>()

  const begin = (key: string, start: (signal: AbortSignal) => Promise<unknown>): Flight => {
    const controller = new AbortController()
    const result = start(controller.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key)
    })
    const flight: Flight = { result, controller, refCount: 0 }
    flights.set(key, flight)
    return flight
  }

  return {
    run<T>(key: TypedKey<T>, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>) {
      if (signal.aborted) return Promise.reject(signal.reason)
      const flight = flights.get(key) ?? begin(key, start)
      flight.refCount += 1
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          flight.refCount -= 1
          if (flight.refCount === 0) {
            if (flights.get(key) === flight) flights.delete(key)
            flight.controller.abort(signal.reason)
          }
          reject(signal.reason)
        }
        signal.addEventListener('abort', leave, { once: true })
        flight.result
          // Work under a typed key resolves to the type of the key.
          .then((value) => resolve(value as T), reject)
          .finally(() => signal.removeEventListener('abort', leave))
      })
    },
  }
}
