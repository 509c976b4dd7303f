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
  const end = async (): Promise<IteratorResult<T>> => {
    leave()
    await iterator.return?.()
    return { done: true, value: undefined }
  }
  return {
    async next() {
      try {
        for (;;) {
          const result = await iterator.next().catch((error: unknown) => {
            if (!isMoved) throw error
            return { done: true } as const
          })
          if (!result.done) return result
          if (!isMoved) return end()
          isMoved = false
          iterator = open()
        }
      } catch (error) {
        leave()
        throw error
      }
    },
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
