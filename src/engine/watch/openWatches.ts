/** Whom a watch tells that there is more to know. */
export interface WatchListener {
  readonly wake: () => void
  /** The watch was closed: nothing follows, and the listener is not told why. */
  readonly abort: () => void
}

/** All listeners of a watch. */
export class WatchListeners extends Set<WatchListener> {
  wakeAll(): void {
    for (const listener of [...this]) listener.wake()
  }

  abortAll(): void {
    for (const listener of [...this]) listener.abort()
  }
}

/** A watch of any type. */
export interface AnyWatch {
  /** The client that it reads with, compared by identity. */
  readonly upstream: object
  readonly listenerCount: number
  /** Ends its requests, and aborts its listeners. */
  close(): void
}

/** The open watches of one kind, by their keys. */
export class OpenWatches<Any extends AnyWatch> {
  readonly #byKey = new Map<string, Any>()
  /** Those, and those of upstreams that were replaced. */
  readonly #all = new Set<Any>()

  /**
   * The watch of a key, opened if there is none that reads from the upstream. `open` gets what ends it in here. A key
   * has one type of record, which a map of all watches cannot say.
   */
  get<W extends Any>(key: string, upstream: object, open: (onStop: () => void) => W): W {
    const known = this.#byKey.get(key)
    if (known?.upstream === upstream) return known as W
    const opened = open(() => {
      if (this.#byKey.get(key) === opened) this.#byKey.delete(key)
      this.#all.delete(opened)
    })
    this.#byKey.set(key, opened)
    this.#all.add(opened)
    return opened
  }

  close(): void {
    for (const watch of [...this.#all]) watch.close()
  }

  get size(): number {
    return this.#all.size
  }

  get listeners(): number {
    return [...this.#all].reduce((sum, { listenerCount }) => sum + listenerCount, 0)
  }
}
