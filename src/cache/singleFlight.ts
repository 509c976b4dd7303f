import type { TypedKey } from './typedKey.ts'

/** Runs work once for all who ask for the same key while it is under way. */
export interface SingleFlight {
  /** Rejects with the signal's reason when this caller leaves; the work ends when the last one does. */
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

/** Shares equal work in flight; unlike a plain cache of promises, one leaving caller hurts no other. */
export function createSingleFlight(): SingleFlight {
  const flights = new Map<string, Flight>()

  const begin = (key: string, start: (signal: AbortSignal) => Promise<unknown>): Flight => {
    const controller = new AbortController()
    const result = start(controller.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key)
    })
    // Every waiter may be gone by the time it fails.
    result.catch(() => {})
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
          .then((value) => resolve(value as T), reject)
          .finally(() => signal.removeEventListener('abort', leave))
      })
    },
  }
}
