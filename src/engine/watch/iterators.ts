import { Repeater } from '@repeaterjs/repeater'

/** The values of an iterator, each changed by `map`. Ends the iterator when its reader leaves. */
export function mapIterator<T, R>(iterator: AsyncIterableIterator<T>, map: (value: T) => R): AsyncIterableIterator<R> {
  const next = async (): Promise<IteratorResult<R>> => {
    const result = await iterator.next()
    return result.done ? done : { done: false, value: map(result.value) }
  }
  return makeIterator(next, () => iterator.return?.())
}

/** The values of an iterator that `has` is true for. Ends the iterator when its reader leaves. */
export function filterIterator<T>(
  iterator: AsyncIterableIterator<T>,
  has: (value: T) => boolean,
): AsyncIterableIterator<T> {
  const next = async (): Promise<IteratorResult<T>> => {
    for (;;) {
      const result = await iterator.next()
      if (result.done || has(result.value)) return result
    }
  }
  return makeIterator(next, () => iterator.return?.())
}

export const done = { done: true, value: undefined } as const

/** An iterator of what `next` gives, that calls `end` when its reader leaves. */
export function makeIterator<T>(next: () => Promise<IteratorResult<T>>, end: () => unknown): AsyncIterableIterator<T> {
  return {
    next,
    async return() {
      await end()
      return done
    },
    async throw(error) {
      await end()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** Some values, then those of an iterator. Ends the iterator when its reader leaves. */
export function prepend<T>(values: readonly T[], iterator: AsyncIterableIterator<T>): AsyncIterableIterator<T> {
  const left = [...values]
  const next = async (): Promise<IteratorResult<T>> => {
    const value = left.shift()
    return value === undefined ? iterator.next() : { done: false, value }
  }
  return makeIterator(next, () => iterator.return?.())
}

/**
 * The values of several iterators, one at a time. A slow reader gets the newest value of each, and misses
 * those between. Completes when all of them have. A failed one does not end the others: `onFailure` returns
 * its last value, or undefined to open it again. If `onFailure` throws, all end.
 */
export function mergeLatest<K, T>(
  keys: readonly K[],
  open: (key: K) => AsyncIterableIterator<T>,
  onFailure: (error: unknown) => T | undefined,
): AsyncIterableIterator<{ readonly key: K; readonly value: T }> {
  return new Repeater(async (push, stop) => {
    const latest = new Map<K, T>()
    let wake = () => {}
    let isOver = false
    let left = keys.length
    const iterators = new Map<K, AsyncIterableIterator<T>>()
    stop.then(() => {
      isOver = true
      wake()
      for (const iterator of iterators.values()) void iterator.return?.()
    })

    const follow = async (key: K) => {
      while (!isOver) {
        const iterator = open(key)
        iterators.set(key, iterator)
        try {
          for await (const value of iterator) {
            latest.set(key, value)
            wake()
          }
          break
        } catch (error) {
          const last = onFailure(error)
          if (last === undefined) continue
          latest.set(key, last)
          break
        }
      }
      left -= 1
      wake()
    }
    for (const key of keys) follow(key).catch(stop)

    while (!isOver) {
      const next = latest.entries().next()
      if (next.done) {
        if (left === 0) return stop()
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const [key, value] = next.value
      latest.delete(key)
      await push({ key, value })
    }
  })
}

/**
 * The values of an iterator that is left, and opened again, whenever `onMoved` calls its listener. An error of `open`
 * ends it. A value that has been returned by then counts: `open` continues after it.
 */
export function resubscribe<T>(
  open: () => AsyncIterableIterator<T>,
  onMoved: (listener: () => void) => () => void,
): AsyncIterableIterator<T> {
  let iterator = open()
  let isMoved = false
  const leave = onMoved(() => {
    isMoved = true
    void iterator.return?.()
  })
  const next = async (): Promise<IteratorResult<T>> => {
    try {
      for (;;) {
        const result = await iterator.next().catch((error: unknown) => {
          if (!isMoved) throw error
          return done
        })
        if (!result.done) return result
        if (!isMoved) {
          leave()
          return done
        }
        isMoved = false
        iterator = open()
      }
    } catch (error) {
      leave()
      throw error
    }
  }
  return makeIterator(next, () => {
    leave()
    return iterator.return?.()
  })
}
