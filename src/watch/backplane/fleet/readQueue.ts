import type { Queue, Worker } from 'bullmq'
import type { RedisSession } from '../../../fleet/redis/redisSession.ts'
import { decodeTask, encodeTask, type Notice, type Task } from './record.ts'

/** The reads that gateways wait for. Any of them runs each. */
export interface ReadQueue {
  /** Adds a task, unless one with this id is there. */
  add(id: string, task: Task): Promise<void>
  /** Whether a task with this id waits or is run. */
  has(id: string): Promise<boolean>
  /** Takes no more tasks, and resolves when this process runs none. */
  close(): Promise<void>
}

/** How tasks are run. */
export interface ReadQueueOptions {
  readonly name: string
  /** The most tasks that run at once, in all gateways together. */
  readonly cap: number
  /** The most tasks that run at once in this process. */
  readonly ownCap: number
  /** Runs a task. What it resolves to is told once the task has left the queue. */
  readonly run: (id: string, task: Task) => Promise<Notice | undefined>
  readonly tell: (id: string, notice: Notice) => void
}

/** Milliseconds after which a task of a process that died is run by another one: 5 to 8 seconds. */
const lockMs = 5_000
const stalledCheckMs = 3_000

/** Loads BullMQ. */
export const loadQueue = (): Promise<Pick<typeof import('bullmq'), 'Queue' | 'Worker'>> =>
  import('bullmq')

/** Opens the queue of a session, and runs its tasks in this process too. */
export async function openReadQueue(
  session: RedisSession,
  { name, cap, ownCap, run, tell }: ReadQueueOptions,
): Promise<ReadQueue> {
  const { Queue, Worker } = await loadQueue()
  const shared = { prefix: session.prefix, skipVersionCheck: true }
  const queue: Queue = new Queue(name, {
    ...shared,
    connection: session.client,
    // Nobody reads them.
    streams: { events: { maxLen: 10 } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  })
  const told = new Map<string, Notice>()
  const worker: Worker = new Worker(
    name,
    async ({ id, data }) => {
      const task = decodeTask(data)
      const notice = id !== undefined && task ? await run(id, task) : undefined
      if (id !== undefined && notice) told.set(id, notice)
    },
    {
      ...shared,
      connection: session.client,
      concurrency: ownCap,
      lockDuration: lockMs,
      stalledInterval: stalledCheckMs,
      // A read is harmless, however often a process dies of something else.
      maxStalledCount: 1_000,
      runRetryDelay: 1_000,
      autorun: false,
    },
  )
  // Whoever adds a task with the same id from now on gets a new one, and so a notice of its own.
  worker.on('completed', ({ id = '' }) => {
    const notice = told.get(id)
    told.delete(id)
    if (notice) tell(id, notice)
  })
  worker.on('failed', (job) => void told.delete(job?.id ?? ''))
  // The session sees the faults of its connections.
  worker.on('error', () => {})
  queue.on('error', () => {})
  worker.on('ioredis:close', () => session.fail('the connection was closed'))
  session.signal.addEventListener('abort', () => {
    worker.close(true).catch(() => {})
    queue.close().catch(() => {})
  })
  await queue.setGlobalConcurrency(cap)
  await worker.waitUntilReady()
  worker.run().catch(() => session.fail('the queue has stopped'))
  return {
    async add(id, task) {
      await session.run(() => queue.add('read', encodeTask(task), { jobId: id }))
    },
    close: () => worker.close(),
    has: (id) => session.run(async () => (await queue.getJobState(id)) !== 'unknown'),
  }
}
