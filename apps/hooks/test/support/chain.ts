import type { Client, LiveEvent } from '@portolan/client'

/** A chain with so many records, each of an account. Its cursors differ from one subscription to the next. */
export function createChain(count: number, random: () => number): Pick<Client, 'query' | 'subscribe'> {
  const subscribe = (_document: unknown, variables: { readonly after?: string }) => {
    let index = Number(variables.after?.split(' ')[0] ?? 0)
    let cursor = variables.after
    const salt = Math.floor(1e9 * random())
    return {
      get cursor() {
        return cursor
      },
      async next(): Promise<IteratorResult<LiveEvent<unknown>>> {
        if (index === count) return { value: { kind: 'end' }, done: false }
        index += 1
        cursor = `${index} ${salt}`
        const node = { id: `record-${index}`, timestamp: '2026-11-21T12:00:00Z' }
        return { value: { kind: 'data', data: { activity: { cursor, node, notice: null } } }, done: false }
      },
      async return() {
        return { value: undefined, done: true }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
  const query = async () => ({ account: { activity: { liveCursor: '0 start' } } })
  return { query, subscribe } as unknown as Pick<Client, 'query' | 'subscribe'>
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
