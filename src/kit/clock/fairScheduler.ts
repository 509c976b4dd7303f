import type { Clock } from './clock.ts'
import { Work, type WorkTurns } from './work.ts'

// All operations run on one thread, so a client with expensive documents could keep it from the others. Time is divided
// into rounds: in each one, a client may work for `shareMs`, and all together for `roundMs`. Work runs at once while
// its client has some of its share left; after that it waits for the next round, where waiting clients take turns by
// the time that they used, not by the number of pieces. Nothing can be interrupted, so work that takes longer than a
// share is paid for in later rounds (`credit` below zero), and long operations cut themselves into pieces (`work.ts`).
// Between rounds the event loop is free for everything else.

/** Lets clients take turns on the one thread, for work that can take long without a pause. */
export interface FairScheduler {
  /**
   * Runs work of a client: now, or when its turn comes. The work of one client runs in the order of the
   * calls. Gives what the work gives, as a promise if it had to wait.
   */
  run<T>(client: string, work: () => T | Promise<T>): T | Promise<T>
  /** Pieces of work that wait for a round. */
  readonly waiting: number
}

/** A scheduler that also lets clients do the work of one operation in pieces. */
export interface WorkScheduler extends FairScheduler {
  /** Begins the work of one operation of a client, in pieces. */
  begin(client: string): Work
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

/** Milliseconds of pieces of work, in one turn of their client. */
const turnMs = 5

/** The most pieces of work in one turn of their client. The work after a piece may take longer than the piece. */
const piecesPerTurn = 16

interface ClientWork {
  readonly works: (() => void)[]
  /** Milliseconds that the client may still use. Negative after work that took longer than its share. */
  credit: number
}

/** The time that clients have used in one round. */
interface Round {
  /** Milliseconds of work of each client. */
  readonly used: Map<string, number>
  usedByAll: number
  isOver: boolean
}

const usedBy = ({ used }: Round, client: string): number => used.get(client) ?? 0

/** Records which client works, and says whether several clients have worked lately. */
function createCompany(clock: Clock) {
  let newest: string | undefined
  let changedAt = Number.NEGATIVE_INFINITY
  return {
    enter(client: string, now: number) {
      if (client === newest) return
      if (newest !== undefined) changedAt = now
      newest = client
    },
    isPresent: () => clock.now() - changedAt < companyMs,
  }
}

/**
 * Creates a scheduler. All work runs at once while there is little to do. A client that has used its share of a round waits
 * for the next round. There the waiting clients get equal shares of the time, however long each piece of work takes.
 * An operation needs the event loop several times. So if one client fills a round while there are others, a pause of
 * the same length follows. If several clients wait there is no pause, since each of them would wait for it. With a `rest`,
 * each round is followed by a pause of `rest` times its length.
 */
export function createFairScheduler(clock: Clock, rest?: number): WorkScheduler {
  const queue = new Map<string, ClientWork>()
  const round: Round = { used: new Map(), usedByAll: 0, isOver: false }
  const company = createCompany(clock)
  let waiting = 0

  const measure = <T>(client: string, work: () => T): T => {
    const startedAt = clock.now()
    company.enter(client, startedAt)
    try {
      return work()
    } finally {
      const taken = clock.now() - startedAt
      round.usedByAll += taken
      round.used.set(client, usedBy(round, client) + taken)
      // A client with exactly its share waits already, so the round has to end with that.
      if (round.usedByAll >= (queue.size > 1 ? roundMs : shareMs)) endRound()
    }
  }

  const endRound = () => {
    if (round.isOver) return
    round.isOver = true
    const share = rest ?? (company.isPresent() ? 1 : 0)
    const restMs = queue.size > 1 ? 0 : Math.min(round.usedByAll * share, longestRestMs)
    clock.after(restMs, beginRound)
  }

  const beginRound = () => {
    round.used.clear()
    round.usedByAll = 0
    round.isOver = false
    for (let count = 0; waiting > 0 && !round.isOver; count += 1) {
      if (count === maxPerRound) return endRound()
      const [client, next] = nextClient(queue) ?? []
      if (client !== undefined && next) runNext(client, next)
    }
  }

  const runNext = (client: string, next: ClientWork) => {
    waiting -= 1
    const before = usedBy(round, client)
    next.works.shift()?.()
    next.credit -= usedBy(round, client) - before
    if (next.works.length === 0) queue.delete(client)
  }

  const wait = <T>(client: string, work: () => T | Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const own = queue.get(client) ?? { works: [], credit: shareMs - usedBy(round, client) }
      queue.set(client, own)
      waiting += 1
      own.works.push(() => {
        try {
          resolve(measure(client, work))
        } catch (error) {
          reject(error)
        }
      })
    })

  const mayRun = (client: string): boolean =>
    !queue.has(client) && round.usedByAll < roundMs && usedBy(round, client) < shareMs

  const run: FairScheduler['run'] = (client, work) => (mayRun(client) ? measure(client, work) : wait(client, work))
  const turns: WorkTurns = { look: createLook(clock), later: createLater(clock, run) }
  return {
    run,
    begin: (client) => new Work(turns, client),
    get waiting() {
      return waiting
    },
  }
}

/** Returns a function that says which pass of the event loop this is, as far as operations work in it. */
function createLook(clock: Clock): WorkTurns['look'] {
  let pass = 0
  let startedAt: number | undefined
  return () => {
    const now = clock.now()
    if (startedAt === undefined) {
      startedAt = now
      clock.after(0, () => {
        pass += 1
        startedAt = undefined
      })
    }
    return { pass, startedAt, now }
  }
}

/** Returns a function that collects the pieces of each client, and does some of them in each of its turns. */
function createLater(clock: Clock, run: FairScheduler['run']): WorkTurns['later'] {
  const pieces = new Map<string, Set<() => void>>()

  const takeTurn = (client: string, own: Set<() => void>) => {
    clock.after(0, () => run(client, () => workOff(client, own)))
  }
  const workOff = (client: string, own: Set<() => void>) => {
    const until = clock.now() + turnMs
    let count = 0
    for (const piece of own) {
      own.delete(piece)
      piece()
      count += 1
      if (count === piecesPerTurn || clock.now() >= until) break
    }
    if (own.size > 0) takeTurn(client, own)
    else pieces.delete(client)
  }

  return (client, piece) =>
    new Promise((resolve, reject) => {
      const known = pieces.get(client)
      const own = known ?? new Set()
      own.add(() => {
        try {
          resolve(piece())
        } catch (error) {
          reject(error)
        }
      })
      if (known) return
      pieces.set(client, own)
      takeTurn(client, own)
    })
}

/** The first client with credit. Each client before it gets a share, and goes to the end of the queue. */
function nextClient(queue: Map<string, ClientWork>): [string, ClientWork] | undefined {
  for (const [client, next] of queue) {
    if (next.credit > 0) return [client, next]
    next.credit += shareMs
    queue.delete(client)
    queue.set(client, next)
  }
  return undefined
}
