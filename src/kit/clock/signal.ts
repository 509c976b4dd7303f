/**
 * Aborts work whose result is not needed. Every `AbortSignal` is a signal. The signals of this file cost a small part
 * of an `AbortSignal`: every operation and every request needs several.
 */
export interface Signal {
  readonly aborted: boolean
  /** Why. Undefined until then. */
  readonly reason: unknown
  /** Time of the clock when it aborts at the latest, if that is known. */
  readonly due?: number | undefined
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** A signal, which its owner aborts, at the time `due` if it has one. Its listeners must not throw. */
export class SignalSource implements Signal {
  aborted = false
  reason: unknown
  due: number | undefined
  // Most signals have one listener, which takes a set less.
  #first: (() => void) | undefined
  #others: Set<() => void> | undefined

  constructor(due?: number) {
    this.due = due
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.aborted || listener === this.#first) return
    if (!this.#first && !this.#others?.size) {
      this.#first = listener
      return
    }
    this.#others ??= new Set()
    this.#others.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (listener === this.#first) this.#first = undefined
    else this.#others?.delete(listener)
  }

  /** Only the first call has an effect. The reason is an `AbortError` by default. */
  abort(reason: unknown = new DOMException('The operation was aborted.', 'AbortError')): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.#first?.()
    for (const listener of this.#others ?? []) listener()
  }
}

/** The time when the last of these signals aborts at the latest. Infinity if one has no such time. */
export const latestDue = (signals: readonly Signal[]): number =>
  Math.max(...signals.map(({ due = Number.POSITIVE_INFINITY }) => due))

/** Resolves as the work does. Rejects with the reason of the signal if it aborts first. */
export function orAborted<T>(work: Promise<T>, signal: Signal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    const end = () => signal.removeEventListener('abort', onAbort)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    work.finally(end).then(resolve, reject)
  })
}
