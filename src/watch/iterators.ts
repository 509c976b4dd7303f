import { Repeater } from '@repeaterjs/repeater'

/** The values of an iterator, each changed by `map`. Ends the iterator when its reader leaves. */
export function mapIterator<T, R>(
  iterator: AsyncIterableIterator<T>,
  map: (value: T) => R,
): AsyncIterableIterator<R> {
  const mapResult = (result: IteratorResult<T>): IteratorResult<R> =>
    result.done ? { done: true, value: undefined } : { done: false, value: map(result.value) }
  const end = async (): Promise<IteratorResult<R>> => {
    await iterator.return?.()
    return { done: true, value: undefined }
  }
  return {
    next: async () => mapResult(await iterator.next()),
    return: end,
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
export function prepend<T>(
  values: readonly T[],
  iterator: AsyncIterableIterator<T>,
): AsyncIterableIterator<T> {
  const left = [...values]
  const own = mapIterator(iterator, (value) => value)
  return {
    ...own,
    async next() {
      const value = left.shift()
      return value === undefined ? own.next() : { done: false, value }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/**
 * The values of several iterators, one at a time. A slow reader gets the newest value of each, and misses
 * those between. Completes when all of them have. A failed one does not end the others: `onFailure` returns
 * its last value, or undefined to open it again. An error that it throws ends them all.
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
