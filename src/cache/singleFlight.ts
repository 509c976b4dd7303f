import {
  type Cancellation,
  type CancellationSource,
  createCancellation,
} from '../clock/cancellation.ts'
import type { Signal } from '../clock/signal.ts'
import type { TypedKey } from './typedKey.ts'

/** Shares work that is under way between the callers of one key. Each caller stands for a `Member`. */
export interface SingleFlight<Member> {
  /**
   * Starts the work, or joins the work under way for this key. Work without a key is not shared. Rejects
   * with the signal's reason when this caller leaves. The work is cancelled when the last caller leaves.
   */
  run<T>(
    key: TypedKey<T> | undefined,
    signal: Signal,
    start: (cancellation: Cancellation, flight: Flight<Member>) => Promise<T>,
    member: Member,
  ): Promise<T>
}

/** Those who wait for the same work. */
export interface Flight<Member> {
  /** Those who wait now. */
  members(): Member[]
  /**
   * Calls `join` for each member now, and for each that comes. What it returns is called when that member
   * leaves before the others. Replaces the function that was set before.
   */
  follow(join: ((member: Member) => () => void) | undefined): void
}

interface Caller<Member> {
  readonly member: Member
  resolve(value: unknown): void
  reject(reason: unknown): void
  leave: (() => void) | undefined
}

interface SharedFlight<Member> extends Flight<Member> {
  readonly key: string | undefined
  readonly callers: Set<Caller<Member>>
  readonly cancellation: CancellationSource
  join: ((member: Member) => () => void) | undefined
}

/** Creates a single flight. Unlike in a cache of promises, a caller that leaves affects no other. */
export function createSingleFlight<Member = void>(): SingleFlight<Member> {
  const flights = new Map<string, SharedFlight<Member>>()

  const end = (flight: SharedFlight<Member>) => {
    const { key } = flight
    if (key !== undefined && flights.get(key) === flight) flights.delete(key)
  }

  const begin = (
    flight: SharedFlight<Member>,
    start: (cancellation: Cancellation, flight: Flight<Member>) => Promise<unknown>,
  ) => {
    if (flight.key !== undefined) flights.set(flight.key, flight)
    start(flight.cancellation, flight).then(
      (value) => {
        end(flight)
        for (const caller of flight.callers) caller.resolve(value)
      },
      (error: unknown) => {
        end(flight)
        for (const caller of flight.callers) caller.reject(error)
      },
    )
  }

  return {
    run<T>(
      key: TypedKey<T> | undefined,
      signal: Signal,
      start: (cancellation: Cancellation, flight: Flight<Member>) => Promise<T>,
      member: Member,
    ): Promise<T> {
      if (signal.aborted) return Promise.reject(signal.reason)
      const known = key === undefined ? undefined : flights.get(key)
      const flight = known ?? createFlight<Member>(key)
      return new Promise<T>((resolve, reject) => {
        const onAbort = () => {
          flight.callers.delete(caller)
          if (flight.callers.size > 0) caller.leave?.()
          else {
            end(flight)
            flight.cancellation.cancel(signal.reason)
          }
          reject(signal.reason)
        }
        const stopListening = () => signal.removeEventListener('abort', onAbort)
        const caller: Caller<Member> = {
          member,
          resolve(value) {
            stopListening()
            // Work under a typed key resolves to the type of the key.
            resolve(value as T)
          },
          reject(error) {
            stopListening()
            reject(error)
          },
          leave: undefined,
        }
        flight.callers.add(caller)
        signal.addEventListener('abort', onAbort)
        if (known) caller.leave = known.join?.(member)
        else begin(flight, start)
      })
    },
  }
}

function createFlight<Member>(key: string | undefined): SharedFlight<Member> {
  const callers = new Set<Caller<Member>>()
  const flight: SharedFlight<Member> = {
    key,
    callers,
    cancellation: createCancellation(),
    join: undefined,
    members: () => Array.from(callers, ({ member }) => member),
    follow(join) {
      flight.join = join
      for (const caller of callers) caller.leave = flight.join?.(caller.member)
    },
  }
  return flight
}
