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
