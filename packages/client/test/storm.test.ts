import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasRedis, startRedis } from '../../../test/support/redisServer.ts'
import { storm } from './support/storm.ts'
import { startWorld } from './support/world.ts'

/** How many random runs, and how long at most. `npm run endurance` makes 500, in up to eight minutes for each. */
const runs = Number(process.env.STORM_RUNS ?? 7)
const minutes = Number(process.env.STORM_MINUTES ?? 1)
const timeout = 60_000 + minutes * 60_000

/** Says what was run. A run that fails says how to repeat it. */
const report = (where: string, outcome: object) => {
  if (process.env.STORM_RUNS === undefined) return
  const { seed } = fc.readConfigureGlobal()
  process.stdout.write(`${where}: ${JSON.stringify({ seed, ...outcome })}\n`)
}

test(
  'whatever the network does, every block arrives once and in order',
  async () => {
    await using world = await startWorld()
    const outcome = await storm(world, runs, minutes * 60_000)
    report('one gateway', outcome)
    expect(outcome).toMatchObject({ lost: 0, doubled: 0 })
    expect(outcome.runs).toBeGreaterThan(0)
  },
  timeout,
)

describe.runIf(hasRedis)('with Redis', () => {
  test(
    'two gateways, one of which is killed, lose no block and send none twice',
    async () => {
      await using redis = await startRedis()
      await using world = await startWorld({ redis: { url: redis.url } }, { gateways: 2 })
      const outcome = await storm(world, runs, minutes * 60_000)
      report('two gateways over Redis', outcome)
      expect(outcome).toMatchObject({ lost: 0, doubled: 0 })
      expect(outcome.runs).toBeGreaterThan(0)
    },
    timeout,
  )
})
