import {
  type Cancellation,
  type CancellationSource,
  createCancellation,
} from '../clock/cancellation.ts'
import type { Signal } from '../clock/signal.ts'
import type { TypedKey } from './typedKey.ts'

/** Shares work that is under way between the callers of one key. */
export interface SingleFlight {
  /**
   * Starts the work, or joins the work under way for this key. Work without a key is not shared. Rejects
   * with the signal's reason when this caller leaves. The work is cancelled when the last caller leaves.
   */
  run<T>(
    key: TypedKey<T> | undefined,
    signal: Signal,
    start: (cancellation: Cancellation) => Promise<T>,
  ): Promise<T>
}

interface Caller {
  resolve(value: unknown): void
  reject(reason: unknown): void
}

interface Flight {
  readonly key: string | undefined
  readonly callers: Set<Caller>
  readonly cancellation: CancellationSource
}

/** Creates a single flight. Unlike in a cache of promises, a caller that leaves affects no other. */
export function createSingleFlight(): SingleFlight {
  const flights = new Map<string, Flight>()

  const end = (flight: Flight) => {
    const { key } = flight
    if (key !== undefined && flights.get(key) === flight) flights.delete(key)
  }

  const begin = (
    key: string | undefined,
    start: (cancellation: Cancellation) => Promise<unknown>,
  ): Flight => {
    const flight: Flight = { key, callers: new Set(), cancellation: createCancellation() }
    if (key !== undefined) flights.set(key, flight)
    start(flight.cancellation).then(
      (value) => {
        end(flight)
        for (const caller of flight.callers) caller.resolve(value)
      },
      (error: unknown) => {
        end(flight)
        for (const caller of flight.callers) caller.reject(error)
      },
    )
    return flight
  }

  return {
    run<T>(
      key: TypedKey<T> | undefined,
      signal: Signal,
      start: (cancellation: Cancellation) => Promise<T>,
    ) {
      if (signal.aborted) return Promise.reject(signal.reason)
      const flight = (key !== undefined && flights.get(key)) || begin(key, start)
      return new Promise<T>((resolve, reject) => {
        const onAbort = () => {
          flight.callers.delete(caller)
          if (flight.callers.size === 0) {
            end(flight)
            flight.cancellation.cancel(signal.reason)
          }
          reject(signal.reason)
        }
        const stopListening = () => signal.removeEventListener('abort', onAbort)
        const caller: Caller = {
          resolve(value) {
            stopListening()
            // Work under a typed key resolves to the type of the key.
            resolve(value as T)
          },
          reject(error) {
            stopListening()
            reject(error)
          },
        }
        flight.callers.add(caller)
        signal.addEventListener('abort', onAbort)
      })
    },
  }
}
