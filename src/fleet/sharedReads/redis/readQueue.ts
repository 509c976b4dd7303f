import type { Queue, Worker } from 'bullmq'
import type { RedisSession } from '../../redis/redisSession.ts'
import { decodeTask, encodeTask, type Notice, type Task } from './messages.ts'

/** The reads that gateways wait for. Any of them runs each. */
export interface ReadQueue {
  /** Adds a task, unless one with this id is there. */
  add(id: string, task: Task): Promise<void>
  /** Whether a task with this id waits or is run. */
  has(id: string): Promise<boolean>
  /** Starts no task from now on. Resolves when this process runs none. */
  close(): Promise<void>
}

/** How tasks are run. */
export interface ReadQueueOptions {
  readonly name: string
  /** The most tasks that run at once, in all gateways together. */
  readonly cap: number
  /** The most tasks that run at once in this process. */
  readonly ownCap: number
  /** Runs a task. The notice that it resolves to is published once the task has left the queue. */
  readonly run: (id: string, task: Task) => Promise<Notice | undefined>
  readonly publish: (id: string, notice: Notice) => void
}

/** Another process runs the task of one that died after 5 to 8 seconds: the sum of these, in milliseconds. */
const lockMs = 5_000
const stalledCheckMs = 3_000

/** Loads BullMQ. */
export const loadQueue = (): Promise<Pick<typeof import('bullmq'), 'Queue' | 'Worker'>> =>
  import('bullmq')

/** Opens the queue of a session, and runs its tasks in this process too. */
export async function openReadQueue(
  session: RedisSession,
  { name, cap, ownCap, run, publish }: ReadQueueOptions,
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
  const notices = new Map<string, Notice>()
  const worker: Worker = new Worker(
    name,
    async ({ id, data }) => {
      const task = decodeTask(data)
      const notice = id !== undefined && task ? await run(id, task) : undefined
      if (id !== undefined && notice) notices.set(id, notice)
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
  // A task that is added with the same id after this event is a new one, and has a notice of its own.
  worker.on('completed', ({ id = '' }) => {
    const notice = notices.get(id)
    notices.delete(id)
    if (notice) publish(id, notice)
  })
  worker.on('failed', (job) => void notices.delete(job?.id ?? ''))
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
