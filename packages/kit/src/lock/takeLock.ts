import { randomUUID } from 'node:crypto'
import { rm, utimes } from 'node:fs/promises'
import { addClaim, type Claim, readLog } from './claims.ts'
import { isRunning, nameThisProcess } from './processName.ts'

/** A file that only this process writes. */
export interface Lock extends AsyncDisposable {
  /** @throws Error if another process has taken the file over, because this one gave no sign of life. */
  check(): Promise<void>
}

/** What a process needs that waits for a lock. */
export interface LockIo {
  /** Resolves after this many milliseconds, or when the process should stop. */
  wait(milliseconds: number): Promise<void>
  /** Writes to the error stream. */
  err(text: string): void
  /** Aborts when the process should stop. */
  readonly signal: AbortSignal
}

/** How often the owner touches the lock file, in milliseconds, and how many times it may miss. */
const pace = { beatMs: 2_000, beats: 10 }

/**
 * Takes a file for this process, until the result is disposed of. The lock is a log of claims beside the file. It also
 * holds between machines and containers that share a volume, whose PIDs and clocks mean nothing to each other: there
 * an owner lives as long as the time of the lock file changes. One that can be seen to be gone is followed at once.
 * @throws Error if another process has it.
 */
export async function takeLock(file: string, io: LockIo, { beatMs, beats } = pace): Promise<Lock> {
  const path = `${file}.lock`
  const name = await nameThisProcess()

  /** Whether the lock file changes while it is watched. Only looks are counted, since this machine may sleep too. */
  const isTouched = async ({ host }: Claim, stamp: string) => {
    io.err(`A process on ${host} may be writing ${file}. Watching its lock for ${(beatMs * beats) / 1_000} s.\n`)
    for (let look = 0; look < beats && !io.signal.aborted; look++) {
      await io.wait(beatMs)
      if ((await readLog(path)).stamp !== stamp) return true
    }
    return io.signal.aborted
  }

  const claim = async (): Promise<Claim> => {
    for (;;) {
      const { owner, stamp } = await readLog(path)
      if (owner) {
        const isAlive = (await isRunning(owner)) ?? (await isTouched(owner, stamp))
        const isStill = (await readLog(path)).owner?.token === owner.token
        if (isAlive && isStill)
          throw new Error(`Process ${owner.pid} on ${owner.host} is writing ${file}. Stop it first.`)
        if (!isStill) continue
      }
      const mine: Claim = { token: randomUUID(), after: owner?.token ?? null, ...name }
      await addClaim(path, mine)
      if ((await readLog(path)).owner?.token === mine.token) return mine
    }
  }

  const { token } = await claim()
  const isMine = async () => (await readLog(path)).owner?.token === token
  const beat = async () => {
    if (await isMine()) await utimes(path, new Date(), new Date())
  }
  // A beat that fails is missed: the next check finds out whether the lock is still held.
  const timer = setInterval(() => void beat().catch(() => {}), beatMs).unref()
  return {
    async check() {
      if (await isMine()) return
      throw new Error(
        `${path} was removed or taken over while this process was paused, so it writes no more into ${file}.`,
      )
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // A lock that stays names a process that is gone. What ended the run matters more.
      await isMine()
        .then((isStill) => (isStill ? rm(path, { force: true }) : undefined))
        .catch(() => {})
    },
  }
}
