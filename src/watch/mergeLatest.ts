import { Repeater } from '@repeaterjs/repeater'

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
