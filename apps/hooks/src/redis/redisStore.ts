import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { HooksIo } from '../io.ts'
import type { HookState, HookStore, Parked } from '../store.ts'
import { connectRedis } from './connectRedis.ts'

/** How long a process has a hook after it was last heard of, in milliseconds. */
const leaseMs = 30_000
/** How often it renews that. */
const renewMs = 5_000
/** It stops this long before the end, so that its last message is out before another process begins. */
const marginMs = 5_000

/** Deletes the lease, if it is still that of the caller. */
const releaseScript = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`

/** Makes the lease last on, if it is still that of the caller. */
const renewScript = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`

/**
 * Writes the state, and an event that is skipped, if the lease is still that of the caller: another process may have come
 * further meanwhile.
 */
const saveScript = `if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] then redis.call('rpush', KEYS[3], ARGV[3]) end
redis.call('set', KEYS[2], ARGV[2])
return 1`

/** A hook that this process works on. Its state can be written until the lease is lost or released. */
export interface HookLease extends HookStore, AsyncDisposable {
  /** Aborts when another process may take the hook. */
  readonly signal: AbortSignal
}

/** How far hooks have come, for several processes. */
export interface SharedStore extends Pick<HookStore, 'load' | 'listSkipped'>, Disposable {
  /** Takes a hook for this process. Undefined if another one has it. */
  take(name: string): Promise<HookLease | undefined>
}

/** Where the state of hooks is in Redis. */
export interface RedisStoreOptions {
  readonly url: string
  /** What all keys begin with: files of hooks with equal names need different ones. */
  readonly prefix: string
  readonly io: Pick<HooksIo, 'now' | 'after'>
}

/** Opens the state of hooks in Redis. Rejects if it cannot be reached. */
export async function openRedisStore({ url, prefix, io }: RedisStoreOptions): Promise<SharedStore> {
  const redis = await connectRedis(url)
  // The braces keep the keys of a hook together where a service divides Redis behind one address.
  const keyOf = (name: string, part: string) => `${prefix}:{${name}}:${part}`
  const load = async (name: string): Promise<HookState> => JSON.parse((await redis.get(keyOf(name, 'state'))) ?? '{}')
  const listSkipped = async (name: string) =>
    (await redis.lrange(keyOf(name, 'skipped'), 0, -1)).map((event) => JSON.parse(event) as Parked)
  return {
    ...{ load, listSkipped },
    async take(name) {
      const [lease, token, sentAt] = [keyOf(name, 'lease'), randomUUID(), io.now()]
      if ((await redis.set(lease, token, 'PX', leaseMs, 'NX')) === null) return undefined
      const { signal, stop } = keepLease(redis, lease, token, sentAt, io)
      const write = async (state: HookState, skipped?: Parked) => {
        const texts = [state, ...(skipped ? [skipped] : [])].map((each) => JSON.stringify(each))
        const isSaved = await redis.eval(
          saveScript,
          3,
          lease,
          keyOf(name, 'state'),
          keyOf(name, 'skipped'),
          token,
          ...texts,
        )
        if (isSaved !== 1) throw Object.assign(new Error(`Another process has taken ${name}.`), { code: 'LEASE_LOST' })
      }
      return {
        ...{ load, listSkipped, signal },
        save: (_name, state) => write(state),
        setAside: (_name, skipped, state) => write(state, skipped),
        async [Symbol.asyncDispose]() {
          stop()
          // It ends by itself if this fails.
          await redis.eval(releaseScript, 1, lease, token).catch(() => {})
        },
      }
    },
    [Symbol.dispose]: () => redis.disconnect(),
  }
}

/** Renews a lease that was taken at a time, until it is stopped or lost. */
function keepLease(
  redis: Redis,
  lease: string,
  token: string,
  takenAt: number,
  io: RedisStoreOptions['io'],
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const lost = new AbortController()
  let endsAt = takenAt + leaseMs
  let cancel = () => {}
  let isStopped = false
  const renew = async () => {
    const sentAt = io.now()
    const isOurs = await redis.eval(renewScript, 1, lease, token, leaseMs).then(
      (renewed) => renewed === 1,
      () => undefined,
    )
    if (isStopped) return
    if (isOurs) endsAt = sentAt + leaseMs
    // While Redis does not answer, nobody else can take it either before it ends.
    if (isOurs === false || io.now() + marginMs >= endsAt) lost.abort()
    else cancel = io.after(renewMs, renew)
  }
  cancel = io.after(renewMs, renew)
  const stop = () => {
    isStopped = true
    cancel()
  }
  return { signal: lost.signal, stop }
}
