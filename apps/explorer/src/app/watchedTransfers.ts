import { useEffect, useState } from 'preact/hooks'

/** A transfer that this reader watches, by the transaction that began it. */
export interface WatchedTransfer {
  readonly chainId: string
  readonly hash: string
}

const key = 'portolan:transfers'

/** As many as a gateway follows for one client by default, with room for other pages. */
export const maxWatched = 50

/** Reads what a browser has kept. What is not a list of transfers is left out. */
export function readWatchedTransfers(kept: string | null): readonly WatchedTransfer[] {
  let value: unknown
  try {
    value = JSON.parse(kept ?? '[]')
  } catch {
    return []
  }
  if (!Array.isArray(value)) return []
  return value
    .flatMap((one) => {
      const { chainId, hash } = one ?? {}
      return typeof chainId === 'string' && typeof hash === 'string' ? [{ chainId, hash }] : []
    })
    .slice(0, maxWatched)
}

/** Undefined in a browser that keeps nothing. */
function read(): readonly WatchedTransfer[] | undefined {
  try {
    return readWatchedTransfers(localStorage.getItem(key))
  } catch {
    return undefined
  }
}

/** The transfers that this reader watches, newest first, and functions that add and remove one. */
export function useWatchedTransfers() {
  const [all, setAll] = useState(() => read() ?? [])
  useEffect(() => {
    // Another tab has changed them.
    const update = (event: StorageEvent) => event.key === key && setAll(read() ?? [])
    addEventListener('storage', update)
    return () => removeEventListener('storage', update)
  }, [])
  const save = (next: readonly WatchedTransfer[]) => {
    setAll(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // The browser keeps nothing: they are watched until the page is closed.
    }
  }
  const rest = (one: WatchedTransfer) => (read() ?? all).filter((other) => !isSame(one, other))
  const isSame = (a: WatchedTransfer, b: WatchedTransfer) => a.chainId === b.chainId && a.hash === b.hash
  return {
    all,
    isFull: all.length >= maxWatched,
    has: (one: WatchedTransfer) => all.some((other) => isSame(one, other)),
    // What other tabs have added stays.
    add: (one: WatchedTransfer) => save([one, ...rest(one)].slice(0, maxWatched)),
    remove: (one: WatchedTransfer) => save(rest(one)),
  }
}
