import { randomBytes } from 'node:crypto'
import { createMemoryCacheStore } from './cache/cache.ts'
import { systemClock } from './clock/clock.ts'
import type { Limits } from './config/limits/limits.ts'
import type { NetworkOptions } from './config/openNetwork.ts'
import { examine } from './doctor/doctor.ts'
import type { ServiceReport } from './doctor/finding.ts'
import { type ExaminedRedis, examineRedis } from './doctor/redisChecks.ts'
import { createSigner } from './signing/signer.ts'
import { createDispatcher } from './upstream/httpAgent.ts'

/** Examines the services of a network, and its Redis. All connections are closed when it resolves. */
export async function runDoctor(
  network: NetworkOptions,
  limits: Limits,
  redis?: ExaminedRedis,
): Promise<readonly ServiceReport[]> {
  const dispatcher = createDispatcher(limits)
  try {
    const services = await examine(network, {
      dispatcher,
      clock: systemClock,
      cache: createMemoryCacheStore(systemClock),
      signer: createSigner([randomBytes(32)]),
      limits,
      now: Date.now,
      dateOf,
    })
    return redis ? [...services, await examineRedis(redis, systemClock)] : services
  } finally {
    await dispatcher.destroy()
  }
}

async function dateOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  try {
    const options = { headers, redirect: 'manual' as const, signal: AbortSignal.timeout(5_000) }
    const response = await fetch(`${url}/status`, options)
    await response.body?.cancel()
    return Date.parse(response.headers.get('date') ?? '')
  } catch {
    return Number.NaN
  }
}
