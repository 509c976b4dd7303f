import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Clock } from '../kit/clock/clock.ts'
import { createJoinedMetrics, type ProcessMetrics } from '../telemetry/metrics/joinedMetrics.ts'
import { connectionMessage, linkToWorker, type ToWorker } from './link.ts'
import type { SharedHub } from './sharedHub.ts'
import type { PortWorker, SharedPort } from './sharedPort.ts'

/** The program of the workers, and how many of them run it. */
export interface WorkersOptions<Plan> {
  readonly count: number
  /** The file that each worker runs. */
  readonly file: string
  /** Returns the plan for a worker that starts now. */
  readonly plan: () => Plan
  readonly clock: Clock
  readonly log: {
    info(details: object, message: string): void
    error(details: object, message: string): void
  }
  /** Milliseconds that a worker has to stop. Then it is killed. */
  readonly stopMs: number
  /** Sends the workers their connections. */
  readonly port: Pick<SharedPort, 'join'>
  /** The state that the workers share. */
  readonly hub: SharedHub
  /** The metrics of this process, the primary. */
  readonly ownMetrics: () => Promise<ProcessMetrics>
}

/** Processes that serve the same on one port. */
export interface Workers<Chains> {
  /** The URL that all of them serve. */
  readonly url: string
  /** Workers that serve now. */
  readonly serving: number
  /** How many workers have ended without being asked, by cause. */
  readonly exits: ReadonlyMap<string, number>
  updateChains(chains: Chains): void
  /** The metrics of all workers and of this process, in the text format of Prometheus. */
  metricsText(): Promise<string>
  /** Stops all workers at once. Resolves when all have ended. */
  close(): Promise<void>
}

/** One worker as the primary sees it. */
interface Member<Chains> {
  readonly worker: ChildProcess
  readonly link: ToWorker<Chains>
  readonly startedAt: number
  /** Whether it has asked for its plan, and so listens to this process. */
  isListening: boolean
  isServing: boolean
  /** Its metrics when it last reported them. */
  metrics: ProcessMetrics
}

/** A worker that cannot be reached has ended. Its exit is handled elsewhere. */
const ignore = () => {}

/** The metrics of a worker that was never asked. */
const none: ProcessMetrics = []

/** Milliseconds that a worker has to report its metrics. After that, its last ones are used. */
const metricsMs = 2_000

/**
 * Starts the workers, and replaces those that end. Resolves when all of them serve. Rejects if one of them
 * cannot: what keeps it from serving would keep its replacement from it too.
 */
export async function startWorkers<Plan, Chains>(
  options: WorkersOptions<Plan>,
): Promise<Workers<Chains>> {
  const { count, file, plan, clock, log, stopMs, ownMetrics, hub, port } = options
  const members = new Set<Member<Chains>>()
  const joined = createJoinedMetrics()
  const restarts = createRestarts()
  const exits = new Map<string, number>()
  let isClosing = false
  let onEmpty = () => {}

  const metricsOf = async (member: Member<Chains>): Promise<ProcessMetrics> => {
    let cancel = () => {}
    const late = new Promise<ProcessMetrics>((resolve) => {
      cancel = clock.after(metricsMs, () => resolve(member.metrics))
    })
    const asked = member.link.metrics().catch(() => member.metrics)
    member.metrics = await Promise.race([asked, late]).finally(cancel)
    return member.metrics
  }
  const metricsText = async () => {
    const running = [...members].filter(({ isServing }) => isServing).map(metricsOf)
    return joined.text(await Promise.all([ownMetrics(), ...running]))
  }

  const serving = () => [...members].filter(({ isServing }) => isServing).length

  const open = () => {
    // Maps and big integers need this format.
    const worker = fork(file, [], { serialization: 'advanced' })
    worker.on('error', ignore)
    let atPort: PortWorker | undefined
    const give = (connection: Socket) =>
      void worker.send(connectionMessage, connection, { keepOpen: true }, ignore)
    let onServing = (_url: string) => {}
    let onFailure = (_error: Error) => {}
    const served = new Promise<string>((resolve, reject) => {
      onServing = resolve
      onFailure = reject
    })
    const { leave, ...shared } = hub.join({
      run: (read, timeoutMs) => link.run(read, timeoutMs),
      onPeerRead: (read, result) => void link.onPeerRead.asEvent(read, result).catch(ignore),
      onSpent: (spent) => void link.onSpent.asEvent(spent).catch(ignore),
    })
    const link = linkToWorker<Plan, Chains>(worker, {
      ...shared,
      plan() {
        member.isListening = true
        return plan()
      },
      serves(url) {
        member.isServing = true
        atPort = port.join(give)
        onServing(url)
      },
      received: () => atPort?.received(),
      fails: (reason) => onFailure(new Error(reason)),
      metricsText,
    })
    const startedAt = clock.now()
    const member = { worker, link, startedAt, isListening: false, isServing: false, metrics: none }
    members.add(member)
    // The process has ended, and all of its messages are read.
    worker.once('close', () => atPort?.leave())
    const exited = new Promise<string>((resolve) => {
      worker.once('exit', (code: number, signal: string | null) => {
        const cause = signal ?? `exit code ${code}`
        members.delete(member)
        joined.keep(member.metrics)
        leave()
        const error = new Error(`a worker ended with ${cause}`)
        link.$close(error)
        onFailure(error)
        if (members.size === 0) onEmpty()
        resolve(cause)
      })
    })
    return { member, served, exited }
  }

  const keepRunning = async ({ member, served, exited }: ReturnType<typeof open>) => {
    const { pid } = member.worker
    const fault = await served.then(
      () => undefined,
      (error: unknown) => error,
    )
    const cause = await exited
    if (isClosing) return
    exits.set(cause, (exits.get(cause) ?? 0) + 1)
    const delay = restarts.next(clock.now() - member.startedAt)
    const details = { pid, cause, ...(fault !== undefined && { err: fault }), restartInMs: delay }
    log.error(details, 'a worker ended and is replaced')
    clock.after(delay, replace)
  }
  const replace = () => {
    if (isClosing) return
    const opened = open()
    const { pid } = opened.member.worker
    opened.served.then(
      () => log.info({ pid }, 'a worker has taken the place of another'),
      () => {},
    )
    void keepRunning(opened)
  }

  const close = async () => {
    isClosing = true
    if (members.size === 0) return
    const empty = new Promise<void>((resolve) => {
      onEmpty = resolve
    })
    for (const { worker, link, isListening } of members) {
      if (isListening) link.stop.asEvent().catch(ignore)
      else worker.kill('SIGKILL')
    }
    const cancel = clock.after(stopMs, () => {
      for (const { worker } of members) worker.kill('SIGKILL')
    })
    await empty
    cancel()
  }

  const opened = Array.from({ length: count }, open)
  try {
    const [url = ''] = await Promise.all(opened.map(({ served }) => served))
    for (const one of opened) void keepRunning(one)
    return {
      url,
      get serving() {
        return serving()
      },
      exits,
      updateChains(chains) {
        for (const { link } of members) link.updateChains.asEvent(chains).catch(ignore)
      },
      metricsText,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A worker that ends within so many milliseconds of its start ended early. */
const earlyMs = 10_000

/** Milliseconds of the first wait, and of the longest. */
const firstWait = 500
const longestWait = 30_000

/** How long to wait before a worker that has ended is replaced. */
export interface Restarts {
  /**
   * Milliseconds until a replacement starts, after a worker that has run for so many milliseconds. None for
   * the first that ends early; then each wait is twice the one before, up to 30 seconds.
   */
  next(ranMs: number): number
}

/** Counts the workers that ended soon after their start. One that has run for ten seconds ends the count. */
export function createRestarts(): Restarts {
  let early = 0
  return {
    next(ranMs) {
      early = ranMs < earlyMs ? early + 1 : 0
      return early <= 1 ? 0 : Math.min(longestWait, firstWait * 2 ** (early - 2))
    },
  }
}
