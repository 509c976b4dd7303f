/** Limits the connections that each client holds open, so that one client cannot take them all. */
export interface ConnectionQuota {
  /** Reserves a slot for a client. Returns a function that frees it, or undefined if the client has none left. */
  acquire(client: string): (() => void) | undefined
  /** Clients that hold a slot. */
  readonly clients: number
}

/** At most `slots` concurrent connections per client. */
export function createConnectionQuota(slots: number): ConnectionQuota {
  const open = new Map<string, number>()

  const free = (client: string) => {
    const left = (open.get(client) ?? 0) - 1
    if (left > 0) open.set(client, left)
    else open.delete(client)
  }

  return {
    acquire(client) {
      const count = open.get(client) ?? 0
      if (count >= slots) return undefined
      open.set(client, count + 1)
      return () => free(client)
    },
    get clients() {
      return open.size
    },
  }
}
