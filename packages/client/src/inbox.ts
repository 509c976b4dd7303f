/** The events that one reader has not read yet. */
export interface Inbox<Item> {
  /** Whether so much waits that nothing more should be sent. */
  readonly isFull: boolean
  put(item: Item): void
  /** Nothing more comes. The reader gets the rest first, and then the error, if there is one. */
  close(error?: Error): void
  /** Drops what waits. */
  clear(): void
  /** Resolves when all was read, or the inbox is closed. */
  drained(): Promise<void>
  /** The next item. Undefined at the end. */
  take(): Promise<Item | undefined>
}

/** An inbox that is full with this many items. */
export function createInbox<Item>(limit: number): Inbox<Item> {
  const items: Item[] = []
  const readers = new Set<() => void>()
  const drains = new Set<() => void>()
  let isClosed = false
  let failure: Error | undefined

  const wake = (sleepers: Set<() => void>) => {
    for (const sleeper of sleepers) sleeper()
    sleepers.clear()
  }
  const sleep = (sleepers: Set<() => void>) => new Promise<void>((resolve) => void sleepers.add(resolve))

  return {
    get isFull() {
      return items.length >= limit
    },
    put(item) {
      items.push(item)
      wake(readers)
    },
    close(error) {
      if (isClosed) return
      isClosed = true
      failure = error
      wake(readers)
      wake(drains)
    },
    clear() {
      items.length = 0
    },
    async drained() {
      if (items.length > 0 && !isClosed) await sleep(drains)
    },
    async take() {
      for (;;) {
        const item = items.shift()
        if (item !== undefined) return item
        wake(drains)
        if (isClosed) {
          const error = failure
          failure = undefined
          if (error) throw error
          return undefined
        }
        await sleep(readers)
      }
    },
  }
}
