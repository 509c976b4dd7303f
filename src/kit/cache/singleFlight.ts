import { createSignal, latestDue, type Signal } from '../clock/signal.ts'
import { type TypedKey, typedKey } from './typedKey.ts'

/** Shares work that is under way between the callers of one key. Each caller stands for a `Member`. */
export interface SingleFlight<Member> {
  /**
   * Starts the work, or joins the work under way for this key, and returns whether it joined. Work without
   * a key is not shared. A caller is rejected with the reason of its signal when it leaves.
   */
  run<T>(
    key: TypedKey<T> | undefined,
    caller: Caller<Member, T>,
    start: (flight: Flight<Member, T>) => void,
  ): boolean
}

/** A caller of work. */
export interface Caller<Member, T> {
  readonly member: Member
  /** Aborts when the caller leaves. */
  readonly signal: Signal
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
  /** Called when this caller leaves. The work sets and removes it. */
  onLeave?: (() => void) | undefined
}

/** Work under way, and the callers that wait for it. One of `resolve` and `reject` ends it. */
export interface Flight<Member, T> {
  readonly callers: ReadonlySet<Caller<Member, T>>
  /** Whether all callers have left, so that nobody needs the result. */
  isCancelled: boolean
  /** Called with the reason of the last caller when it leaves. The step under way sets and removes it. */
  onCancel: ((reason: unknown) => void) | undefined
  /** Called with each caller that comes after the first. The step under way sets and removes it. */
  onJoin: ((caller: Caller<Member, T>) => void) | undefined
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
  /** Rejects one of several callers. The others wait on. */
  readonly dismiss: (caller: Caller<Member, T>, error: unknown) => void
}

/** Creates a single flight. Unlike in a cache of promises, a caller that leaves affects no other. */
export function createSingleFlight<Member = undefined>(): SingleFlight<Member> {
  const flights = new Map<string, object>()

  // Work under a typed key resolves to the type of the key, which a map of all flights cannot say.
  const find = <T>(key: TypedKey<T> | undefined) =>
    key === undefined ? undefined : (flights.get(key) as OpenFlight<Member, T> | undefined)

  const close = <T>(flight: OpenFlight<Member, T>) => {
    const { key } = flight
    if (key !== undefined && flights.get(key) === flight) flights.delete(key)
  }

  const open = <T>(key: TypedKey<T> | undefined): OpenFlight<Member, T> => {
    const callers = new Set<OpenCaller<Member, T>>()
    const end = (settle: (caller: OpenCaller<Member, T>) => void) => {
      close(flight)
      for (const caller of callers) {
        caller.signal.removeEventListener('abort', caller.onAbort)
        settle(caller)
      }
      // V8 may keep the flight until a full collection: tables that the map has outgrown refer to it.
      callers.clear()
    }
    const flight: OpenFlight<Member, T> = {
      key,
      callers,
      isCancelled: false,
      onCancel: undefined,
      onJoin: undefined,
      resolve: (value) => end((caller) => caller.resolve(value)),
      reject: (error) => end((caller) => caller.reject(error)),
      dismiss(dismissed, error) {
        for (const caller of callers) {
          if (caller !== dismissed) continue
          caller.signal.removeEventListener('abort', caller.onAbort)
          callers.delete(caller)
          caller.reject(error)
        }
      },
    }
    if (key !== undefined) flights.set(key, flight)
    return flight
  }

  const leave = <T>(flight: OpenFlight<Member, T>, caller: OpenCaller<Member, T>) => {
    const { reason } = caller.signal
    flight.callers.delete(caller)
    flight.isCancelled = flight.callers.size === 0
    if (flight.isCancelled) close(flight)
    caller.onLeave?.()
    if (flight.isCancelled) flight.onCancel?.(reason)
    caller.reject(reason)
  }

  return {
    run(key, { member, signal, resolve, reject }, start) {
      if (signal.aborted) {
        reject(signal.reason)
        return false
      }
      const known = find(key)
      const flight = known ?? open(key)
      const onAbort = () => leave(flight, caller)
      const caller = { member, signal, resolve, reject, onLeave: undefined, onAbort }
      flight.callers.add(caller)
      signal.addEventListener('abort', onAbort)
      if (known) known.onJoin?.(caller)
      else start(flight)
      return known !== undefined
    },
  }
}

interface OpenCaller<Member, T> extends Caller<Member, T> {
  readonly onAbort: () => void
}

interface OpenFlight<Member, T> extends Flight<Member, T> {
  readonly key: string | undefined
  readonly callers: Set<OpenCaller<Member, T>>
}

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
