import { messageOf } from '#kit/errors'
import type { Log } from '../../engine/telemetry/log.ts'
import type { Clock } from '../../kit/clock/clock.ts'

/** Reads a chain registry again and again. */
export interface RegistryReload {
  /** Reads it now, and resolves when what it says is served. It never rejects. */
  reload(): Promise<void>
  /** Ends the reads by interval. */
  stop(): void
}

/** Milliseconds from a failed read to the next one. */
const retryDelay = 30_000

/**
 * Keeps the chains as the registry has them. `serveLatest` reads them and serves them, if it adds no sentence to `problems`
 * for a fault. It throws if they cannot be served. A registry that cannot be read changes nothing: the chains last read
 * are still served, and it is read again soon, otherwise after an interval of milliseconds, if that is not 0.
 */
export function createRegistryReload(
  serveLatest: (problems: string[]) => Promise<void>,
  log: Pick<Log, 'info' | 'warn'>,
  { after }: Pick<Clock, 'after'>,
  interval: number,
): RegistryReload {
  let cancel = () => {}
  let current: Promise<void> | undefined
  let isStopped = false

  const plan = (milliseconds: number) => {
    cancel()
    if (!isStopped && interval > 0) cancel = after(milliseconds, () => void reload())
  }
  const attempt = async () => {
    const problems: string[] = []
    try {
      await serveLatest(problems)
    } catch (error) {
      problems.push(messageOf(error))
    }
    const isRead = problems.length === 0
    if (isRead) log.info({}, 'chain registry read')
    else log.warn({ problems }, 'the chain registry cannot be used, the chains stay as they are')
    plan(isRead ? interval : Math.min(interval, retryDelay))
  }
  const reload = () => {
    current ??= attempt().finally(() => {
      current = undefined
    })
    return current
  }
  plan(interval)
  return {
    reload,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
