import { randomBytes } from 'node:crypto'
import type { Limits } from '../../engine/limits/limits.ts'
import type { NetworkOptions } from '../../engine/network/networkOptions.ts'
import type { RedisOptions } from '../../engine/redis/redisLink.ts'
import { createSigner } from '../../engine/signing/signer.ts'
import { createDispatcher } from '../../engine/upstream/exchange.ts'
import { CacheStore } from '../../kit/cache/cache.ts'
import { systemClock } from '../../kit/clock/clock.ts'
import type { Chains } from '../config/chains.ts'
import type { ServiceCommand } from '../config/commandLine.ts'
import { examine } from '../doctor/doctor.ts'
import type { ServiceReport } from '../doctor/finding.ts'
import { examineRedis } from '../doctor/redisChecks.ts'
import type { PlainResponse } from '../doctor/refusalChecks.ts'
import { reportText, works } from '../doctor/report.ts'
import type { CliIo } from './io.ts'
import { makeSandbox, servicesOf } from './network.ts'

/** Examines the services, and prints the findings. Resolves to the exit code: 1 if something will not work. */
export async function runDoctor(command: ServiceCommand, chains: Chains, io: CliIo): Promise<number> {
  const sandbox = await makeSandbox(command)
  try {
    const network = servicesOf(command, chains, sandbox)
    const { limits, redisUrl, redisPrefix: prefix } = command.settings
    const redis = redisUrl === undefined ? undefined : { url: redisUrl, prefix }
    const reports = await examineAll(network, limits, redis)
    io.out(command.json ? `${JSON.stringify(reports, null, 2)}\n` : reportText(reports, command.all))
    return works(reports) ? 0 : 1
  } finally {
    await sandbox?.close()
  }
}

/** Examines the services of a network, and its Redis. All connections are closed when it resolves. */
async function examineAll(
  network: NetworkOptions,
  limits: Limits,
  redis: RedisOptions | undefined,
): Promise<readonly ServiceReport[]> {
  const dispatcher = createDispatcher(limits)
  try {
    const services = await examine(network, {
      dispatcher,
      clock: systemClock,
      cache: new CacheStore(systemClock),
      signer: createSigner([randomBytes(32)]),
      limits,
      now: Date.now,
      peek,
    })
    return redis ? [...services, await examineRedis(redis, systemClock)] : services
  } finally {
    await dispatcher.destroy()
  }
}

/** The most characters of a body that a finding quotes. */
const quoted = 60

/** A response of a service, read without the gateway's own client. */
async function peek(url: string, headers: Readonly<Record<string, string>>): Promise<PlainResponse> {
  try {
    const options = { headers, redirect: 'manual' as const, signal: AbortSignal.timeout(5_000) }
    const response = await fetch(`${url}/status`, options)
    const type = response.headers.get('content-type') ?? ''
    const date = Date.parse(response.headers.get('date') ?? '')
    // Nothing but a page is quoted: it could hold a key.
    if (response.status !== 200 || !type.startsWith('text/html')) {
      await response.body?.cancel()
      return { date, type: '', start: '' }
    }
    const text = (await response.text()).replace(/[\s\p{C}]+/gu, ' ').trim()
    return { date, type, start: text.slice(0, quoted) }
  } catch {
    return { date: Number.NaN, type: '', start: '' }
  }
}
