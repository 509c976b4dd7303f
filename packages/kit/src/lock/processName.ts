import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Identifies a process among all others. */
export interface ProcessName {
  readonly host: string
  readonly pid: number
  /** The kernel, and the namespace in which the PID means something. Null if the system does not expose it. */
  readonly place: string | null
  /** When it began, in ticks since the kernel started: a PID is used again. Null if the system does not expose it. */
  readonly begun: string | null
}

/** The name of this process. */
export async function nameThisProcess(): Promise<ProcessName> {
  return {
    host: hostname(),
    pid: process.pid,
    place: await placeHere(),
    begun: (await readStat(process.pid))?.begun ?? null,
  }
}

/** Whether a process runs. Undefined if that cannot be seen from here: it is on another machine or in another container. */
export async function isRunning({ host, pid, place, begun }: ProcessName): Promise<boolean | undefined> {
  if (place === null || place !== (await placeHere()) || host !== hostname()) return undefined
  const stat = await readStat(pid)
  if (stat) return stat.begun === begun && !stat.isZombie
  return isKnownToKernel(pid) ? undefined : false
}

/** Containers on one machine have one kernel and several namespaces. Only Linux exposes both. */
async function placeHere(): Promise<string | null> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** Undefined if the process is gone, or hidden from this user. */
async function readStat(pid: number): Promise<{ readonly begun: string; readonly isZombie: boolean } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program comes first, in brackets, and can hold anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, begun] = [fields?.[0], fields?.[19]]
  return state !== undefined && begun !== undefined ? { begun, isZombie: /^[ZX]$/.test(state) } : undefined
}

function isKnownToKernel(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
