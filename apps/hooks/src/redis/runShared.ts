import type { Hook } from '../config.ts'
import type { HooksIo } from '../io.ts'
import { type HookEnd, parkedLine, type RunOptions, runHook } from '../runHook.ts'
import { reasonOf } from './connectRedis.ts'
import type { HookLease, SharedStore } from './redisStore.ts'

/** Milliseconds until a hook that another process has, or that is parked, is looked at again. */
const againMs = 10_000

/** What hooks run with that several processes share. */
export interface SharedOptions extends Omit<RunOptions, 'store'> {
  readonly store: SharedStore
}

/**
 * Sends the events of a hook whenever no other process does, until the hooks should stop, its subscription has ended, or
 * the gateway refuses it.
 * While it is parked, nobody has it, so that a command can resume it.
 */
export async function runShared(hook: Hook, options: SharedOptions): Promise<HookEnd> {
  const { store, io } = options
  const { name } = hook
  let isFirst = true
  while (!io.signal.aborted) {
    try {
      const { parked, isEnded } = await store.load(name)
      if (isEnded) return 'ended'
      if (parked && isFirst) io.log(parkedLine(name, parked))
      isFirst = false
      if (!parked) {
        await using lease = await store.take(name)
        const end = lease && (await runHook(hook, { ...options, store: lease, io: whileLeased(io, lease) }))
        if (end === 'refused') return end
        // It was parked or has ended: that is looked at without a wait.
        if (lease && !lease.signal.aborted) continue
      }
    } catch (error) {
      io.log(`${name}: its state cannot be read or written (${reasonOf(error)}).`)
    }
    await io.wait(againMs)
  }
  return 'stopped'
}

/** The surroundings of a hook that also ends when its lease is lost. */
const whileLeased = (io: HooksIo, { signal }: HookLease): HooksIo => ({
  ...io,
  signal: AbortSignal.any([io.signal, signal]),
  wait: (milliseconds) => io.wait(milliseconds, signal),
})
