import { Repeater } from '@repeaterjs/repeater'

/**
 * The values of several iterators, one at a time. A slow reader gets the newest value of each, and misses
 * those between. One that fails is opened again, so that the others go on.
 */
export function mergeLatest<K, T>(
  keys: readonly K[],
  open: (key: K) => AsyncIterableIterator<T>,
): AsyncIterableIterator<{ readonly key: K; readonly value: T }> {
  return new Repeater(async (push, stop) => {
    const latest = new Map<K, T>()
    let wake = () => {}
    let isOver = false
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
          return
        } catch {
          // The source has retried for minutes. What it tells next is all there is to say.
        }
      }
    }
    for (const key of keys) void follow(key)

    while (!isOver) {
      const next = latest.entries().next()
      if (next.done) {
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
