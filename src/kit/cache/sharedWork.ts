import { createSignal, latestDue, type Signal } from '../clock/signal.ts'
import { createSingleFlight } from './singleFlight.ts'
import { typedKey } from './typedKey.ts'

/** Shares promises between the callers of one key. A key stands for one type of value. */
export interface SharedWork {
  /**
   * Starts the work, or joins the work under way for this key. Rejects with the reason of the caller's
   * signal when it aborts. The signal of the work aborts when all of its callers have left.
   */
  run<T>(key: string, signal: Signal, start: (signal: Signal) => Promise<T>): Promise<T>
}

/** Creates work that is shared, without any under way. */
export function createSharedWork(): SharedWork {
  const flights = createSingleFlight()
  return {
    run: <T>(key: string, signal: Signal, start: (signal: Signal) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const caller = { member: undefined, signal, resolve, reject }
        flights.run(typedKey<T>(key), caller, (flight) => {
          const work = createSignal(signal.due)
          flight.onCancel = work.abort
          const onJoin = (joined: { readonly signal: Signal }) => {
            work.due = latestDue([work, joined.signal])
          }
          flight.onJoin = onJoin
          start(work).then(flight.resolve, flight.reject)
        })
      }),
  }
}
