import type { Signal } from '../../kit/clock/signal.ts'

/** Operations that wait to start. Each client has a line of its own, and the lines take turns. */
export interface ClientLines {
  /** Operations that wait. */
  readonly waiting: number
  /** Waits at the end of the line of a client, and then starts the work. Rejects if the signal aborts before. */
  join<T>(client: string, signal: Signal, start: () => T | Promise<T>): Promise<T>
  /** Starts the first operation of the client whose turn it is. */
  startNext(): void
}

/** Opens lines without anyone in them. */
export function createClientLines(): ClientLines {
  /** The lines by client. The first one is next. No line is empty. */
  const lines = new Map<string, (() => void)[]>()
  let waiting = 0

  const remove = (client: string, begin: () => void) => {
    const line = lines.get(client)
    const at = line?.indexOf(begin) ?? -1
    if (!line || at < 0) return
    line.splice(at, 1)
    if (line.length === 0) lines.delete(client)
    waiting -= 1
  }

  return {
    get waiting() {
      return waiting
    },
    join: <T>(client: string, signal: Signal, start: () => T | Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const begin = () => {
          signal.removeEventListener('abort', leave)
          try {
            resolve(start())
          } catch (error) {
            reject(error)
          }
        }
        const leave = () => {
          signal.removeEventListener('abort', leave)
          remove(client, begin)
          reject(signal.reason)
        }
        const line = lines.get(client) ?? []
        lines.set(client, line)
        waiting += 1
        line.push(begin)
        signal.addEventListener('abort', leave)
      }),
    startNext() {
      const [next] = lines
      if (!next) return
      const [client, line] = next
      lines.delete(client)
      const begin = line.shift()
      if (line.length > 0) lines.set(client, line)
      waiting -= 1
      begin?.()
    },
  }
}
