import { loadRedis } from '../../engine/redis/loadRedis.ts'
import { RedisLink, type RedisOptions } from '../../engine/redis/redisLink.ts'
import { type RedisSession, slowAfterMs } from '../../engine/redis/redisSession.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import { createFindings, type Findings, type ServiceReport } from './finding.ts'

/** The oldest version of Redis that has all commands. */
const oldest = [6, 2] as const

/** Connects to Redis as the gateway does, and says what it found. It writes one key that expires soon. */
export async function examineRedis(redis: RedisOptions, clock: Clock): Promise<ServiceReport> {
  const findings = createFindings()
  const missing = await loadRedis().then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (missing) {
    findings.fails('redis', missing)
    return { service: 'redis', requests: 0, findings: findings.all }
  }
  let reason = 'closed'
  const link = new RedisLink(redis, clock, () => 0, {
    onDown(now) {
      reason = now
    },
  })
  await link.open()
  try {
    if (link.session) await checkSession(findings, link.session, clock)
    else findings.fails('redis', `${explain(reason)} ${withoutRedis}`)
  } catch {
    findings.fails('redis', `It accepts connections, but does not answer INFO. ${withoutRedis}`)
  }
  await link.close()
  return { service: 'redis', requests: link.commands, findings: findings.all }
}

const withoutRedis = 'Each gateway would poll and count by itself.'

async function checkSession(findings: Findings, session: RedisSession, clock: Clock) {
  const startedAt = clock.now()
  const info = await session.run((client) => client.info())
  const takenMs = clock.now() - startedAt
  const entryOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const version = entryOf('redis_version')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  findings.works('redis', 'It can be reached, takes writes, and answers in time.')
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
    findings.fails('redis', `Its version is ${version}. The gateway needs ${oldest.join('.')}.`)
  } else {
    findings.works('redis', `Its version is ${version}.`)
  }
  const policy = entryOf('maxmemory_policy')
  if (entryOf('maxmemory') !== '0' && policy !== 'noeviction') {
    findings.limited(
      'redis',
      `Where its memory is full, it drops keys (${policy}), also the leases of requests that gateways wait for. Set its maxmemory-policy to noeviction.`,
    )
  }
  if (takenMs > slowAfterMs / 2) {
    const text = `It took ${Math.round(takenMs)} ms to answer. Above ${slowAfterMs} ms, the gateway does without it.`
    findings.limited('redis', text)
  }
}

/** The meaning of the reason of a link without a session. */
function explain(reason: string): string {
  if (reason === 'ECONNREFUSED') return 'Nothing listens at the address of REDIS_URL.'
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(reason)) return 'The host name of REDIS_URL is not known.'
  if (/^(NOAUTH|WRONGPASS)$/.test(reason)) return 'It refuses the user or the password of REDIS_URL.'
  if (reason === 'NOPERM') return 'The user of REDIS_URL may not use all commands.'
  if (reason === 'READONLY') return 'It is a replica, and takes no writes. Name the primary in REDIS_URL.'
  if (reason === 'OOM') return 'Its memory is full. Give it more, or let it hold less.'
  if (/^(LOADING|MASTERDOWN)$/.test(reason)) return 'It is starting, and is not ready yet.'
  if (/CERT|SIGNED|SSL|TLS/.test(reason)) {
    return `Its certificate is not accepted (${reason}). Name the file of its authority in NODE_EXTRA_CA_CERTS.`
  }
  if (reason === 'it is too slow') {
    return `It needs more than ${slowAfterMs} ms to answer, so that the gateway does without it.`
  }
  return `It cannot be used: ${reason}.`
}
