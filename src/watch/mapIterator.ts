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
