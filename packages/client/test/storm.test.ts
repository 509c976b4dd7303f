import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileProgram, killPrograms } from '../../../test/support/program.ts'
import { hasRedis, startRedis } from '../../../test/support/redisServer.ts'
import { storm } from './support/storm.ts'
import { startWorld, type World } from './support/world.ts'

const isEndurance = process.env.STORM_RUNS !== undefined

/** How many random runs, and how long at most. `npm run endurance` makes 500, in up to eight minutes for each. */
const runs = Number(process.env.STORM_RUNS ?? 7)
const minutes = Number(process.env.STORM_MINUTES ?? 1)
const timeout = 60_000 + minutes * 60_000

/** A process starts in seconds, so these runs are fewer. */
const programRuns = Math.ceil(runs / 4)

/** Makes random runs. Says how many, and what was lost. A run that fails says how to repeat it. */
async function endure(where: string, world: World, count = runs) {
  const outcome = await storm(world, count, minutes * 60_000)
  if (isEndurance) {
    const { seed } = fc.readConfigureGlobal()
    process.stdout.write(`${where}: ${JSON.stringify({ seed, ...outcome })}\n`)
  }
  expect(outcome).toMatchObject({ lost: 0, doubled: 0 })
  expect(outcome.runs).toBeGreaterThan(0)
}

test(
  'network faults lose and repeat no block',
  async () => {
    await using world = await startWorld()
    await endure('one gateway', world)
  },
  timeout,
)

describe.runIf(hasRedis)('with Redis', () => {
  test(
    'two gateways lose and repeat no block when one is killed',
    async () => {
      await using redis = await startRedis()
      await using world = await startWorld({ redis: { url: redis.url } }, { gateways: 2 })
      await endure('two gateways over Redis', world)
    },
    timeout,
  )
})

describe('over the compiled program', () => {
  beforeAll(compileProgram, 240_000)
  afterAll(killPrograms)

  test(
    'a killed process loses and repeats no block',
    async () => {
      await using world = await startWorld({}, { isProgram: true })
      await endure('a process that is killed', world, programRuns)
    },
    timeout,
  )
})
