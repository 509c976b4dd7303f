import { describe, expect, test } from 'vitest'
import { runCli } from '../../../../src/app/cli/cli.ts'
import { examineRedis } from '../../../../src/app/doctor/redisChecks.ts'
import { systemClock } from '../../../../src/kit/clock/clock.ts'
import { freePort, hasRedis, startRedis } from '../../../support/redisServer.ts'
import { startSlowProxy } from '../../../support/slowProxy.ts'

/** What the doctor says of a Redis: the level and the text of each finding. */
async function findingsOf(url: string) {
  const { service, findings } = await examineRedis({ url, prefix: 'portolan' }, systemClock)
  expect(service).toBe('redis')
  return findings.map(({ level, text }) => `${level}: ${text}`)
}

describe.runIf(hasRedis)('the doctor and Redis', () => {
  test('shows the version of a working Redis, and leaves only keys that expire', async () => {
    await using redis = await startRedis()
    const [first, version, ...others] = await findingsOf(redis.url)
    expect(first).toBe('works: It can be reached, takes writes, and answers in time.')
    expect(version).toMatch(/^works: Its version is \d+\.\d+\.\d+\.$/)
    expect(others.filter((text) => !text.includes('ms to answer'))).toEqual([])
    for (const key of await redis.client.keys('*')) {
      expect(await redis.client.pttl(key)).toBeGreaterThan(0)
    }
  })

  test('suggests noeviction if Redis may evict keys', async () => {
    await using redis = await startRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru')
    expect((await findingsOf(redis.url)).join()).toMatch(/limited: .*\(allkeys-lru\).*noeviction/)
  })

  test('explains why Redis cannot be used', async () => {
    await using redis = await startRedis()
    const alone = 'Each gateway would poll and count by itself.'
    const nowhere = `redis://127.0.0.1:${await freePort()}`
    expect(await findingsOf(nowhere)).toEqual([`fails: Nothing listens at the address of REDIS_URL. ${alone}`])
    expect(await findingsOf('redis://redis.invalid')).toEqual([
      `fails: The host name of REDIS_URL is not known. ${alone}`,
    ])

    await redis.client.config('SET', 'maxmemory', '1')
    expect(await findingsOf(redis.url)).toEqual([
      `fails: Its memory is full. Give it more, or let it hold less. ${alone}`,
    ])
    await redis.client.config('SET', 'maxmemory', '0')

    await redis.client.replicaof('127.0.0.1', 1)
    expect(await findingsOf(redis.url)).toEqual([
      `fails: It is a replica, and takes no writes. Name the primary in REDIS_URL. ${alone}`,
    ])
    await redis.client.replicaof('NO', 'ONE')

    await redis.client.config('SET', 'requirepass', 's3cret')
    const { port } = redis
    for (const url of [redis.url, `redis://:wrong@127.0.0.1:${port}`]) {
      expect(await findingsOf(url)).toEqual([`fails: It refuses the user or the password of REDIS_URL. ${alone}`])
    }
    expect((await findingsOf(`redis://:s3cret@127.0.0.1:${port}`))[0]).toMatch(/^works/)
  })

  test('shows that a slow Redis is not used', async () => {
    await using redis = await startRedis()
    await using proxy = await startSlowProxy(redis.port)
    proxy.delayMs = 200
    const [finding, ...others] = await findingsOf(`redis://127.0.0.1:${proxy.port}`)
    expect(finding).toMatch(/^fails: It needs more than 100 ms to answer/)
    expect(others).toEqual([])
  })

  test('includes Redis in its report and exit code', async () => {
    await using redis = await startRedis()
    const run = async (url: string) => {
      let text = ''
      const code = await runCli(['doctor', '--sandbox', '--all'], {
        ...{ env: { REDIS_URL: url }, outIsTerminal: true, log: { write() {} } },
        ...{ err: () => {}, stopped: async () => {} },
        out: (part) => {
          text += part
        },
      })
      return { code, text }
    }
    const sound = await run(redis.url)
    expect(sound.text).toMatch(/^Redis: (\d+) of \1 checks passed, \d+ requests\n {2}works {4}It can be reached/m)
    expect(sound.code).toBe(0)
    const broken = await run('redis://127.0.0.1:1')
    expect(broken.text).toMatch(/^Redis: 0 of 1 checks passed, \d+ requests\n {2}FAILS {4}Nothing listens/m)
    expect(broken.code).toBe(1)
  })
})
