import type { Observation } from '../../engine/upstream/upstreamOptions.ts'
import type { Findings } from './finding.ts'

/** The parts of a response that show whether another server or a login is at an address. */
export interface PlainResponse {
  /** Its `Date` header, in milliseconds since 1970. NaN if it has none, or there was no response. */
  readonly date: number
  /** Its `Content-Type`, or an empty text. */
  readonly type: string
  /** The first characters of its body. */
  readonly start: string
}

const serviceKey = (service: string): string => `UPSTREAM_HEADERS={"${service}":{"authorization":"Bearer <key>"}}`

/** Finds out whether a service answers with a page for people. */
export function checkPage(findings: Findings, { type, start }: PlainResponse, service: string): void {
  if (!/^text\/html\b/i.test(type)) return
  const text = `It sent a page of HTML that begins with "${start}". It wants a login, or another server is at this URL.`
  findings.fails('refused', text, serviceKey(service))
}

/** Finds out whether a service has refused requests of the examination. */
export function checkRefusals(findings: Findings, observations: readonly Observation[], service: string): void {
  const own = observations.filter((each) => each.service === service)
  const count = (status: string) => own.filter(({ outcome }) => outcome === status).length
  for (const status of ['401', '403']) {
    if (count(status) === 0) continue
    const text = `It refused ${count(status)} of ${own.length} requests with status ${status}: a key is missing or wrong.`
    findings.fails('refused', text, serviceKey(service))
  }
  if (count('429') === 0) return
  const text = `It refused ${count('429')} of ${own.length} requests with status 429: it allows fewer.`
  findings.fails('refused', text, `UPSTREAM_CONCURRENCY=${service}=4`)
}
