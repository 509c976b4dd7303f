import type { Clock } from './clock.ts'

/** Lets clients take turns on the one thread, for work that can take long without a pause. */
export interface Turns {
  /**
   * Runs work of a client: now, or when its turn comes. The work of one client runs in the order of the
   * calls. Gives what the work gives, as a promise if it had to wait.
   */
  run<T>(client: string, work: () => T | Promise<T>): T | Promise<T>
  /** Pieces of work that wait. */
  readonly waiting: number
}

/** Milliseconds of work of one client in one round. Its next work waits for the next round. */
const shareMs = 5

/** Milliseconds of work of all clients in one round. */
const roundMs = 20

/** The most waiting pieces of work in one round: some continue after the call that started them. */
const maxPerRound = 64

/** The longest rest between two rounds, in milliseconds. */
const longestRestMs = 100

/** How long after the work of another client a client is not alone, in milliseconds. */
const companyMs = 1_000

/** How turns are taken. */
export interface TurnsOptions {
  /**
   * How many times as long as a round its rest is. By default as long, while several clients have work, and
   * no rest for a client that is alone.
   */
  readonly rest?: number
}

/** What one client waits for. */
interface Line {
  readonly works: (() => void)[]
  /** Milliseconds that the client may still use. Negative after work that took longer than its share. */
  credit: number
}

/**
 * Creates turns. While there is little to do, all work runs at once. A client that has used its share of a
 * round waits for the next one, in which those that wait get equal shares of the time, however long each
 * piece of work takes. An operation needs the event loop several times, so while there are other clients, a
 * round that one client fills is followed by as much time for other things. Many clients that wait get no
 * rest: all of them wait for it.
 */
export function createTurns(clock: Clock, { rest }: TurnsOptions = {}): Turns {
  /** The clients that wait, the one whose turn it is first. */
  const lines = new Map<string, Line>()
  /** Milliseconds of work of each client in this round. */
  const used = new Map<string, number>()
  let usedByAll = 0
  let waiting = 0
  let isRoundOver = false
  let newest: string | undefined
  let changedAt = Number.NEGATIVE_INFINITY

  const measure = <T>(client: string, work: () => T): T => {
    const startedAt = clock.now()
    if (client !== newest) {
      if (newest !== undefined) changedAt = startedAt
      newest = client
    }
    try {
      return work()
    } finally {
      const taken = clock.now() - startedAt
      usedByAll += taken
      used.set(client, (used.get(client) ?? 0) + taken)
      // A client with exactly its share waits already, so the round has to end with that.
      if (usedByAll >= (lines.size > 1 ? roundMs : shareMs)) endRound()
    }
  }

  const endRound = () => {
    if (isRoundOver) return
    isRoundOver = true
    const share = rest ?? (clock.now() - changedAt < companyMs ? 1 : 0)
    const restMs = lines.size > 1 ? 0 : Math.min(usedByAll * share, longestRestMs)
    clock.after(restMs, beginRound)
  }

  const beginRound = () => {
    used.clear()
    usedByAll = 0
    isRoundOver = false
    for (let count = 0; waiting > 0 && !isRoundOver; count += 1) {
      if (count === maxPerRound) return endRound()
      runNext()
    }
  }

  /** Runs the next piece of work of the first client that has credit. Each client passed over gets a share. */
  const runNext = () => {
    for (const [client, line] of lines) {
      if (line.credit <= 0) {
        line.credit += shareMs
        lines.delete(client)
        lines.set(client, line)
        continue
      }
      waiting -= 1
      const before = used.get(client) ?? 0
      line.works.shift()?.()
      line.credit -= (used.get(client) ?? 0) - before
      if (line.works.length === 0) lines.delete(client)
      return
    }
  }

  const wait = <T>(client: string, work: () => T | Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const line = lines.get(client) ?? { works: [], credit: shareMs - (used.get(client) ?? 0) }
      lines.set(client, line)
      waiting += 1
      line.works.push(() => {
        try {
          resolve(measure(client, work))
        } catch (error) {
          reject(error)
        }
      })
    })

  const mayRun = (client: string): boolean =>
    !lines.has(client) && usedByAll < roundMs && (used.get(client) ?? 0) < shareMs

  return {
    run: (client, work) => (mayRun(client) ? measure(client, work) : wait(client, work)),
    get waiting() {
      return waiting
    },
  }
}
