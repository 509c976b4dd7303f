export interface RegistryReloadOptions<T> {
  /** Reads the chains. Adds a sentence to `problems` for each fault. */
  readonly read: (problems: string[]) => Promise<T>
  /** Serves what was read. Throws if it cannot be served. */
  readonly apply: (chains: T) => void
  readonly log: {
    info(details: object, message: string): void
    warn(details: object, message: string): void
  }
  /** Calls `run` after that many milliseconds. The function it returns cancels the call. */
  readonly after: (milliseconds: number, run: () => void) => () => void
  /** Milliseconds between two reads. 0 for none. */
  readonly interval: number
}

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
 * Keeps the chains as the registry has them. A registry that cannot be read changes nothing: the chains
 * last read are still served, and it is read again soon.
 */
export function createRegistryReload<T>(options: RegistryReloadOptions<T>): RegistryReload {
  const { read, apply, log, after, interval } = options
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
      const chains = await read(problems)
      if (problems.length === 0) apply(chains)
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
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
