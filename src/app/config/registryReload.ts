import { messageOf } from '#kit/errors'
import type { Log } from '../../engine/telemetry/log.ts'
import type { Clock } from '../../kit/clock/clock.ts'

/** Reads a chain registry again and again, and all settings when it is asked to. */
export interface RegistryReload {
  /** Reads all settings now, and resolves when what they say is served. It never rejects. */
  reload(): Promise<void>
  /** Ends the reads by interval. */
  stop(): void
}

/** Milliseconds from a failed read to the next one. */
const retryDelay = 30_000

/**
 * What reads the registry, or all settings with it, and serves what they say, if it adds no sentence to `problems` for a fault.
 * It throws if that cannot be served.
 */
export interface Reads {
  serveLatest(problems: string[]): Promise<void>
  serveAll(problems: string[]): Promise<void>
}

/**
 * Keeps the chains as the registry has them. A registry that cannot be read changes nothing: the chains last read are still
 * served, and it is read again soon, otherwise after an interval of milliseconds, if that is not 0. One read waits for the
 * other: files can have changed since one began.
 */
export function createRegistryReload(
  { serveLatest, serveAll }: Reads,
  log: Pick<Log, 'info' | 'warn'>,
  { after }: Pick<Clock, 'after'>,
  interval: () => number,
): RegistryReload {
  let cancel = () => {}
  let last: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  let isStopped = false

  const plan = (milliseconds: number) => {
    cancel()
    if (!isStopped && milliseconds > 0) cancel = after(milliseconds, () => void inTurn(readRegistry))
  }
  const problemsOf = async (serve: Reads['serveLatest']) => {
    const problems: string[] = []
    try {
      await serve(problems)
    } catch (error) {
      problems.push(messageOf(error))
    }
    return problems
  }
  const readRegistry = async () => {
    const problems = await problemsOf(serveLatest)
    const isRead = problems.length === 0
    if (isRead) log.info({}, 'chain registry read')
    else log.warn({ problems }, 'the chain registry cannot be used, the chains stay as they are')
    plan(isRead ? interval() : Math.min(interval(), retryDelay))
  }
  const readAll = async () => {
    waiting = undefined
    const problems = await problemsOf(serveAll)
    if (problems.length > 0) log.warn({ problems }, 'the settings cannot be used, and stay as they are')
    plan(problems.length === 0 ? interval() : Math.min(interval(), retryDelay))
  }
  const inTurn = (read: () => Promise<void>) => {
    last = last.then(read)
    return last
  }
  plan(interval())
  return {
    reload() {
      waiting ??= inTurn(readAll)
      return waiting
    },
    stop() {
      isStopped = true
      cancel()
    },
  }
}
