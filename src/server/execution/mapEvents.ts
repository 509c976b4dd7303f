/**
 * Runs each event of a subscription's source, one at a time. Ends its source when the reader leaves,
 * when the signal aborts, and when an event fails; calls `onEnd` once, however it ends. An async
 * generator would not do: its `return` waits for the event under way.
 */
export function mapEvents<T, R>(
  source: AsyncIterable<T>,
  options: {
    run: (event: T) => R | Promise<R>
    signal: AbortSignal
    onEnd: () => void
  },
): AsyncIterableIterator<R, void> {
  const { run, signal, onEnd } = options
  const iterator = source[Symbol.asyncIterator]()
  let isOver = false

  const end = async () => {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', leave)
    onEnd()
    await iterator.return?.()
  }
  // A source that fails to end has nobody left to tell.
  const leave = () => void end().catch(() => {})
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()

  return {
    async next() {
      try {
        const step = isOver ? done : await iterator.next()
        if (!step.done) return { value: await run(step.value), done: false }
        await end()
        return done
      } catch (error) {
        leave()
        throw error
      }
    },
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

const done = { value: undefined, done: true } as const
