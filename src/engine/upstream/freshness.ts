/** For how long an answer stays the same, by what was read for it. */
export class Freshness {
  #readsUnderWay = 0
  #shortest = Number.POSITIVE_INFINITY

  /**
   * The answer stays the same until this time of the clock, by the reads so far. Infinity before the first read.
   * 0 while a read is under way, and once one may change at any time, was a 404 or has failed.
   */
  get until(): number {
    return this.#readsUnderWay === 0 ? this.#shortest : 0
  }

  /** A value that was just read is true until this time of the clock. */
  limit(until: number): void {
    if (until < this.#shortest) this.#shortest = until
  }

  /** Reads from a source that says until when the value is true. By default it may change at any time. */
  read<T>(from: (onFresh: (until: number) => void) => T): T {
    let until = 0
    const onFresh = (time: number) => {
      until = time
    }
    this.#readsUnderWay += 1
    let value: T
    try {
      value = from(onFresh)
    } catch (error) {
      this.#endRead(0)
      throw error
    }
    if (value instanceof Promise) {
      value.then(
        () => this.#endRead(until),
        () => this.#endRead(0),
      )
    } else {
      this.#endRead(until)
    }
    return value
  }

  #endRead(until: number): void {
    this.#readsUnderWay -= 1
    this.limit(until)
  }
}
