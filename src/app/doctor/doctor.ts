import type { Limits } from '../../engine/limits/limits.ts'
import type { NetworkOptions, ServiceOptions } from '../../engine/network/networkOptions.ts'
import { openNetwork } from '../../engine/network/openNetwork.ts'
import type { Signer } from '../../engine/signing/signer.ts'
import type { Upstream } from '../../engine/upstream/client.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { type ServiceName, serviceNames } from '../../engine/upstream/services.ts'
import type { Observation, UpstreamOptions } from '../../engine/upstream/upstreamOptions.ts'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { createFindings, type Findings, type ServiceReport } from './finding.ts'
import { examineIndexer } from './indexerChecks.ts'
import { examinePrices } from './priceChecks.ts'
import { createProbe, type Probe, type ServiceExamination } from './probe.ts'
import { checkPage, checkRefusals, type PlainResponse } from './refusalChecks.ts'
import { examineRouter } from './routerChecks.ts'

/** Milliseconds that the clocks of two machines may differ without consequence. */
const allowedSkew = 30_000

/** A chain stands still if it has had no new block for this many milliseconds. */
const allowedAge = 5 * 60_000

/** Examines the clock of a service by the `Date` header of a response, in milliseconds since 1970. */
function checkClock(findings: Findings, theirs: number, ours: number): void {
  if (Number.isNaN(theirs)) return
  const skew = theirs - ours
  if (Math.abs(skew) <= allowedSkew) {
    findings.works('clock', 'Its clock agrees with the clock of this machine.')
    return
  }
  const side = skew > 0 ? 'ahead of' : 'behind'
  const text = `Its clock is ${Math.round(Math.abs(skew) / 1000)} s ${side} the clock of this machine. Check both.`
  findings.limited('clock', text)
}

/** Examines the age of the newest block, whose time is in RFC 3339. */
function checkAge(findings: Findings, newest: string, now: number): void {
  const age = now - Date.parse(newest)
  if (age > allowedAge) {
    const text = `The newest block is ${Math.round(age / 60_000)} minutes old. The chain stands still, or the indexer lags.`
    findings.limited('clock', text)
  } else findings.works('clock', `The newest block is ${Math.max(0, Math.round(age / 1000))} s old.`)
}

/** The checks of each service that a network has one of. */
const serviceChecks: Readonly<Record<ServiceName, (of: ServiceExamination) => Promise<void>>> = {
  router: examineRouter,
  prices: examinePrices,
}

export interface DoctorOptions extends Pick<UpstreamOptions, 'dispatcher' | 'clock' | 'backoff'> {
  readonly cache: CacheStore
  readonly signer: Signer
  readonly limits: Limits
  /** The time of day, in milliseconds since 1970. */
  readonly now: () => number
  /** A response from this URL, read without the gateway's own client. */
  readonly peek: (url: string, headers: Readonly<Record<string, string>>) => Promise<PlainResponse>
}

/**
 * Asks each service of a network what the gateway will ask of it: about 25 requests to an indexer, ten to a router and one
 * to a service of prices, one after the other. All of them only read.
 */
export async function examine(options: NetworkOptions, shared: DoctorOptions): Promise<readonly ServiceReport[]> {
  const { limits, cache, signer } = shared
  const observations: Observation[] = []
  const network = openNetwork(options, limits, {
    ...shared,
    events: { onAttempt: (observation) => void observations.push(observation) },
  })
  const examineOne = async (
    upstream: Upstream,
    service: ServiceOptions,
    run: (probe: Probe, findings: Findings) => Promise<void>,
  ): Promise<ServiceReport> => {
    const probe = createProbe(upstream, observations)
    const findings = createFindings()
    await run(probe, findings)
    if (probe.requests > 0) {
      const response = await shared.peek(service.url, service.headers ?? {})
      checkPage(findings, response, upstream.service)
      checkRefusals(findings, observations, upstream.service)
      checkClock(findings, response.date, shared.now())
    }
    if (probe.isSpent) {
      const text = 'Not everything was asked: too many requests failed. See the findings above.'
      findings.fails('unfinished', text)
    }
    return { service: upstream.service, requests: probe.requests, findings: findings.all }
  }
  const ofChain = (chain: ServedChain, service: ServiceOptions) =>
    examineOne(chain.indexer, service, async (probe, findings) => {
      const newest = await examineIndexer({ chain, probe, findings, limits })
      if (newest) checkAge(findings, newest.timestamp, shared.now())
    })
  const chains = options.chains.flatMap((service) => {
    const chain = network.chains.get(service.chainId)
    return chain ? [ofChain(chain, service)] : []
  })
  const chainIds = [...network.chains.keys()]
  const others = serviceNames.flatMap((name) => {
    const [upstream, service] = [network[name], options[name]]
    if (!upstream || !service) return []
    const examined = { upstream, cache, signer, chainIds, now: shared.now() }
    return [examineOne(upstream, service, (probe, findings) => serviceChecks[name]({ ...examined, probe, findings }))]
  })
  return Promise.all([...chains, ...others])
}
