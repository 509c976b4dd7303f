import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hasRedis, startRedis } from '../../../test/support/redisServer.ts'
import { openRedisStore } from '../src/redis/redisStore.ts'
import { type HookStore, openStore } from '../src/store.ts'
import { createRandom } from './support/chain.ts'
import { createIo } from './support/clock.ts'
import { startFolder } from './support/hook.ts'
import { passStorm, type StormFigures } from './support/storm.ts'

/** `npm run storm` sends 10,000, and writes what happened. */
const events = Number(process.env.STORM_EVENTS ?? 2_000)
const isReported = process.env.STORM_EVENTS !== undefined

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

const startRandom = () => createRandom(Number(process.env.PROPERTY_SEED ?? 3))

function checkStorm(where: string, figures: StormFigures): void {
  if (isReported) writeFileSync(process.stderr.fd, `${where}: ${JSON.stringify(figures, null, 2)}\n`)
  expect(figures.lost).toBe(0)
  // The storm was one. Of rare things, there can be half as many as on average.
  expect(figures.faults / figures.messages).toBeGreaterThan(0.3)
  const least = figures.events / 200
  expect(figures.killedPrograms).toBeGreaterThan(least)
  expect(figures.killedReceivers).toBeGreaterThan(least)
  expect(figures.duplicates).toBeGreaterThan(least)
  expect(figures.forgeries).toBeGreaterThan(least)
  expect(figures.noticedForgeries).toBe(figures.forgeries)
}

test(`${events} events pass a storm: none is lost, all are in order, and duplicates have the same id`, async () => {
  using folder = startFolder()
  using store = await openStore(folder.fileOf('state'))
  const never = new Promise<never>(() => {})
  // From when a program is killed, nothing that it does reaches the disk.
  const mortal = async (isAlive: () => boolean): Promise<HookStore> => ({
    load: (name) => (isAlive() ? store.load(name) : never),
    save: (name, state) => (isAlive() ? store.save(name, state) : never),
    setAside: store.setAside,
    listSkipped: store.listSkipped,
  })
  checkStorm('file', await passStorm({ events, random: startRandom(), openStore: mortal }))
}, 600_000)

test.skipIf(!hasRedis)(
  'in Redis too, where a program that was killed may still write',
  async () => {
    await using redis = await startRedis()
    await redis.client.connect()
    using store = await openRedisStore({ url: redis.url, prefix: 'test', io: createIo().io })
    const take = async (): Promise<HookStore> => {
      // The time of the lease before it has passed.
      await redis.client.del('test:{treasury}:lease')
      const lease = await store.take('treasury')
      if (!lease) throw new Error('The hook is free.')
      return lease
    }
    const share = Math.ceil(events / 4)
    checkStorm('Redis', await passStorm({ events: share, random: startRandom(), openStore: take }))
  },
  600_000,
)
