import { processIo } from '#kit/cli'
import { systemTimer, wait } from '#kit/clock'
import type { HooksCliIo } from './cli.ts'

/** The surroundings of the commands in this process. */
export function systemIo(): HooksCliIo {
  const { err, ...io } = processIo()
  return {
    ...{ ...io, ...systemTimer, now: Date.now, random: Math.random },
    wait: (milliseconds, signal) => wait(milliseconds, ...(signal ? [io.signal, signal] : [io.signal])),
    log: (line) => err(`${line}\n`),
  }
}
