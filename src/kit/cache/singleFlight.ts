import { latestDue, type Signal, SignalSource } from '../clock/signal.ts'
import { type TypedKey, typedKey } from './typedKey.ts'

// Callers that want the same thing at the same time share one flight: the first starts the work, the others join it,
// and all get its result. Nothing is remembered after that; caches do so. A flight belongs to no caller: one that
// leaves is rejected at once and the others wait on, and only when the last one has left is the work cancelled.
// `SingleFlight` is for work that must know its callers, such as a request that waits in the queue of one of them.
// `SharedWork` is the plain form, for promises.

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

interface OpenCaller<Member, T> extends Caller<Member, T> {
  readonly onAbort: () => void
}

/** Work under way, and the callers that wait for it. One of `resolve` and `reject` ends it. */
export class Flight<Member, T> {
  readonly callers = new Set<OpenCaller<Member, T>>()
  /** Whether all callers have left, so that nobody needs the result. */
  isCancelled = false
  /** Called with the reason of the last caller when it leaves. The step under way sets and removes it. */
  onCancel: ((reason: unknown) => void) | undefined
  /** Called with each caller that comes after the first. The step under way sets and removes it. */
  onJoin: ((caller: Caller<Member, T>) => void) | undefined
  readonly #key: string | undefined
  readonly #flights: Map<string, object>

  /** Adds itself to the flights under its key. Without a key it is not shared. */
  constructor(key: string | undefined, flights: Map<string, object>) {
    this.#key = key
    this.#flights = flights
    if (key !== undefined) flights.set(key, this)
  }

  resolve(value: T): void {
    for (const caller of this.#end()) caller.resolve(value)
  }

  reject(error: unknown): void {
    for (const caller of this.#end()) caller.reject(error)
  }

  /** Rejects one of several callers. The others wait on. */
  dismiss(dismissed: Caller<Member, T>, error: unknown): void {
    for (const caller of this.callers) {
      if (caller !== dismissed) continue
      caller.signal.removeEventListener('abort', caller.onAbort)
      this.callers.delete(caller)
      caller.reject(error)
    }
  }

  join({ member, signal, resolve, reject }: Caller<Member, T>): OpenCaller<Member, T> {
    const onAbort = () => this.#leave(caller)
    const caller = { member, signal, resolve, reject, onLeave: undefined, onAbort }
    this.callers.add(caller)
    signal.addEventListener('abort', onAbort)
    return caller
  }

  #leave(caller: OpenCaller<Member, T>): void {
    const { reason } = caller.signal
    this.callers.delete(caller)
    this.isCancelled = this.callers.size === 0
    if (this.isCancelled) this.#close()
    caller.onLeave?.()
    if (this.isCancelled) this.onCancel?.(reason)
    caller.reject(reason)
  }

  /** Returns those who wait, and forgets them: tables that the map has outgrown may keep the flight for long. */
  #end(): readonly OpenCaller<Member, T>[] {
    this.#close()
    const callers = [...this.callers]
    this.callers.clear()
    for (const { signal, onAbort } of callers) signal.removeEventListener('abort', onAbort)
    return callers
  }

  #close(): void {
    if (this.#key !== undefined && this.#flights.get(this.#key) === this) this.#flights.delete(this.#key)
  }
}

/**
 * Shares work that is under way between the callers of one key. Each caller stands for a `Member`. Unlike in a cache of
 * promises, a caller that leaves affects no other.
 */
export class SingleFlight<Member = undefined> {
  readonly #flights = new Map<string, object>()

  /**
   * Starts the work, or joins the work under way for this key, and returns whether it joined. Work without
   * a key is not shared. A caller is rejected with the reason of its signal when it leaves.
   */
  run<T>(key: TypedKey<T> | undefined, caller: Caller<Member, T>, start: (flight: Flight<Member, T>) => void): boolean {
    if (caller.signal.aborted) {
      caller.reject(caller.signal.reason)
      return false
    }
    const known = this.#find(key)
    const flight = known ?? new Flight<Member, T>(key, this.#flights)
    const joined = flight.join(caller)
    if (known) known.onJoin?.(joined)
    else start(flight)
    return known !== undefined
  }

  /** Work under a typed key resolves to the type of the key, which a map of all flights cannot say. */
  #find<T>(key: TypedKey<T> | undefined): Flight<Member, T> | undefined {
    return key === undefined ? undefined : (this.#flights.get(key) as Flight<Member, T> | undefined)
  }
}

/** Shares promises between the callers of one key. A key stands for one type of value. */
export class SharedWork {
  readonly #flights = new SingleFlight()

  /**
   * Starts the work, or joins the work under way for this key. Rejects with the reason of the caller's
   * signal when it aborts. The signal of the work aborts when all of its callers have left.
   */
  run<T>(key: string, signal: Signal, start: (signal: Signal) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const caller = { member: undefined, signal, resolve, reject }
      this.#flights.run(typedKey<T>(key), caller, (flight) => {
        const work = new SignalSource(signal.due)
        const onCancel = (reason: unknown) => work.abort(reason)
        const onJoin = (joined: { readonly signal: Signal }) => {
          work.due = latestDue([work, joined.signal])
        }
        flight.onCancel = onCancel
        flight.onJoin = onJoin
        start(work).then(
          (value) => flight.resolve(value),
          (error) => flight.reject(error),
        )
      })
    })
  }
}
