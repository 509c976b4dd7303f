import { seriesStart } from '../../dist/fleet/sharedReads/sharedReads.js'

/**
 * A store in memory that gateways share, in the place of Redis and its queue. It keeps the contract of
 * `SharedReads` in src/fleet: a read that no gateway has under way becomes a job, which one of the gateways
 * runs. A job of a gateway that has died is found when its lock has run out, and is given to another one. Times
 * are in milliseconds.
 */
export function createSharedStore({
  clock,
  random,
  latencyMs = 2,
  /** Jobs under way at once. */
  cap = 32,
  lockMs = 5_000,
  stalledMs = 3_000,
  keepMs = 120_000,
}) {
  /** The newest outcome of each read. */
  const kept = new Map()
  const jobs = new Map()
  const queue = []
  const members = []
  let active = 0
  let operations = 0

  const idOf = ({ service, target }) => `${service} ${target}`
  const later = (run) => void clock.after(latencyMs, run)

  const give = (job) => {
    if (members.length === 0) return
    active += 1
    const member = members[Math.floor(random() * members.length)]
    job.member = member
    job.lockedUntil = Number.POSITIVE_INFINITY
    member.jobs.add(job)
    member.run(job.read, { signal: member.signal, timeoutMs: job.timeoutMs }).then(
      (outcome) => {
        if (job.member === member && member.isAlive) finish(job, outcome)
      },
      () => {},
    )
  }
  const giveNext = () => {
    while (active < cap && queue.length > 0) give(queue.shift())
  }
  const finish = (job, outcome) => {
    const { id, member } = job
    member.jobs.delete(job)
    active -= 1
    jobs.delete(id)
    const at = clock.now()
    const since = seriesStart(kept.get(id), at)
    kept.set(id, { outcome, at, since })
    clock.after(keepMs, () => {
      if (kept.get(id)?.at === at) kept.delete(id)
    })
    operations += 1
    for (const other of members) {
      if (other.interests.has(id)) later(() => other.tell(id, { outcome, at, since }))
    }
    giveNext()
  }

  const lookForStalled = () => {
    for (const job of jobs.values()) {
      if (job.lockedUntil > clock.now()) continue
      active -= 1
      queue.unshift(job)
      job.lockedUntil = Number.POSITIVE_INFINITY
    }
    giveNext()
    clock.after(stalledMs, lookForStalled)
  }
  lookForStalled()

  return {
    /** Operations on the store so far. */
    get operations() {
      return operations
    },
    /** Lets a gateway take part. `run` is its `RunRead`. */
    join(run, signal) {
      const member = { run, signal, jobs: new Set(), interests: new Map(), isAlive: true }
      const interestOf = (id) => {
        const interest = member.interests.get(id) ?? { waiters: new Set(), listeners: new Set() }
        member.interests.set(id, interest)
        return interest
      }
      const drop = (id, { waiters, listeners }) => {
        if (waiters.size === 0 && listeners.size === 0) member.interests.delete(id)
      }
      member.tell = (id, { outcome, at, since }) => {
        const interest = member.interests.get(id)
        if (!member.isAlive || !interest) return
        const now = clock.now()
        const result = { outcome, ageMs: now - at, seriesMs: now - since }
        const waiting = [...interest.waiters]
        interest.waiters.clear()
        for (const resolve of waiting) resolve({ ...result, isShared: false })
        if (waiting.length === 0) {
          for (const listener of [...interest.listeners]) listener({ ...result, isShared: true })
        }
        drop(id, interest)
      }
      members.push(member)

      const enqueue = (id, read, timeoutMs) => {
        if (jobs.has(id)) return
        const job = { id, read, timeoutMs, lockedUntil: Number.POSITIVE_INFINITY }
        jobs.set(id, job)
        operations += 1
        queue.push(job)
        giveNext()
      }
      const reads = {
        read: (read, { signal: asked, maxAgeMs, timeoutMs }) =>
          new Promise((resolve, reject) => {
            const id = idOf(read)
            const interest = interestOf(id)
            interest.waiters.add(resolve)
            asked.addEventListener('abort', () => {
              interest.waiters.delete(resolve)
              drop(id, interest)
              reject(asked.reason)
            })
            operations += 1
            later(() => {
              if (!member.isAlive || !interest.waiters.has(resolve)) return
              const newest = kept.get(id)
              const ageMs = newest ? clock.now() - newest.at : Number.POSITIVE_INFINITY
              if (newest && ageMs <= maxAgeMs) {
                interest.waiters.delete(resolve)
                drop(id, interest)
                const seriesMs = clock.now() - newest.since
                resolve({ outcome: newest.outcome, ageMs, seriesMs, isShared: true })
              } else enqueue(id, read, timeoutMs)
            })
          }),
        follow(read, listener) {
          const id = idOf(read)
          const interest = interestOf(id)
          interest.listeners.add(listener)
          return () => {
            interest.listeners.delete(listener)
            drop(id, interest)
          }
        },
        close: async () => {},
      }
      return {
        reads,
        /** It is gone: nothing it had under way ends, and what it had taken is found later. */
        leave() {
          member.isAlive = false
          members.splice(members.indexOf(member), 1)
          for (const job of member.jobs) job.lockedUntil = clock.now() + lockMs
        },
      }
    },
  }
}
