import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../support/certificate.ts'
import { startCountingUpstream } from '../../../support/countingUpstream.ts'
import { hashOf, startMember } from '../../../support/fleetWorld.ts'
import { compileProgram, killPrograms, serveProgram } from '../../../support/program.ts'
import { freePort, hasRedis, startRedis } from '../../../support/redisServer.ts'

beforeAll(compileProgram, 240_000)
afterEach(killPrograms)

const within = { timeout: 20_000 }

describe.runIf(hasRedis)('the connection to Redis', () => {
  test('uses TLS with rediss, verifies the certificate, and reads REDIS_URL_FILE', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portolan-'))
    const fileOf = (name: string, text: string) => {
      const file = join(folder, name)
      writeFileSync(file, text)
      return file
    }
    const { cert, key } = makeCertificate({ address: [127, 0, 0, 1], years: [2020, 2999] })
    const port = String(await freePort())
    const certificate = fileOf('cert.pem', cert)
    const keyFile = fileOf('key.pem', key)
    await using redis = await startRedis(
      ...['--tls-port', port, '--tls-cert-file', certificate, '--tls-key-file', keyFile],
      ...['--tls-auth-clients', 'no', '--requirepass', 's3cret'],
    )
    expect(redis.pid).toBeGreaterThan(0)
    await using upstream = await startCountingUpstream()
    const start = (env: Record<string, string>) =>
      serveProgram([], {
        INDEXERS: `fleet-1=${upstream.url}`,
        REDIS_URL_FILE: fileOf('url', `rediss://:s3cret@127.0.0.1:${port}\n`),
        ...env,
      })
    const fleetOf = async ({ url }: { readonly url: string }) =>
      (await (await fetch(new URL('/ready', url))).json()).fleet
    const trusting = await start({ NODE_EXTRA_CA_CERTS: certificate })
    expect(await fleetOf(trusting)).toMatchObject({ status: 'up' })
    const other = await start({})
    const reason = expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY|CERT/)
    expect(await fleetOf(other)).toMatchObject({ status: 'down', reason })
    expect(trusting.errors() + other.errors()).not.toContain('s3cret')
    rmSync(folder, { recursive: true })
  })

  test('shares the cap of polls among all gateways of the fleet', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    upstream.latencyMs = 100
    const { url } = redis
    // Half of the requests to the router may be polls.
    const sixPolls = { router: { url: upstream.url, maxRequests: 12 } }
    await using first = await startMember(upstream, url, {}, sixPolls)
    await using second = await startMember(upstream, url, {}, sixPolls)
    await using third = await startMember(upstream, url, {}, sixPolls)
    const query = `subscription ($hash: String!) {
      transfer(chainId: "fleet-1", hash: $hash, track: false) { state }
    }`
    const hashes = Array.from({ length: 60 }, (_, number) => hashOf(number))
    const members = [first, second, third]
    const watches = await Promise.all(hashes.map((hash, index) => members[index % 3]?.watch(query, { hash })))
    await expect.poll(() => watches.every((watch) => watch && watch.events.length > 0), within).toBe(true)
    expect(upstream.mostInFlight.router).toBeGreaterThan(3)
    expect(upstream.mostInFlight.router).toBeLessThanOrEqual(6)
  })

  test('is used again when a replica becomes the primary', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url)
    await using second = await startMember(upstream, redis.url)
    const members = [first, second]
    const query = `subscription ($hash: String!) {
      transfer(chainId: "fleet-1", hash: $hash, track: false) { state }
    }`
    const watches = await Promise.all(
      members.flatMap((member) => [1, 2, 3].map((number) => member.watch(query, { hash: hashOf(number) }))),
    )
    await expect.poll(() => watches.every(({ events }) => events.length > 0), within).toBe(true)
    await redis.client.replicaof('127.0.0.1', await freePort())
    for (const member of members) {
      await member.logged('fleet: Redis cannot be used')
      expect(member.log.findLast(({ reason }) => reason)).toMatchObject({ reason: 'READONLY' })
    }
    upstream.complete((hash) => hash === hashOf(1))
    const ended = () => watches.filter(({ events }) => events.length === 2).length
    await expect.poll(ended, within).toBe(2)
    await redis.client.replicaof('NO', 'ONE')
    for (const { log } of members) {
      const ups = () => log.filter(({ msg }) => msg === 'fleet: Redis is used').length
      await expect.poll(ups, within).toBe(2)
    }
    upstream.complete(() => true)
    const ends = await Promise.all(watches.map(({ done }) => done))
    expect(new Set(ends)).toEqual(new Set(['completed']))
    for (const { events } of watches) {
      const states = events.map(({ data }) => data.transfer.state)
      expect(states).toEqual(['PENDING', 'COMPLETED_SUCCESS'])
    }
  })
})
