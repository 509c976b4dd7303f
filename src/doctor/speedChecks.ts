import { advise } from './advice.ts'
import type { Findings } from './finding.ts'
import type { Probe } from './probe.ts'

/** Milliseconds that the clocks of two machines may differ without consequence. */
const allowedSkew = 30_000

/** A chain stands still if it has had no new block for this many milliseconds. */
const allowedAge = 5 * 60_000

/** Pages feel slow if the median request takes at least this many milliseconds. */
const slowMedian = 1_000

/** Examines the clock of a service by the `Date` header of a response, in milliseconds since 1970. */
export function checkClock(findings: Findings, theirs: number, ours: number): void {
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
export function checkAge(findings: Findings, newest: string, now: number): void {
  const age = now - Date.parse(newest)
  if (age > allowedAge) {
    const text = `The newest block is ${Math.round(age / 60_000)} minutes old. The chain stands still, or the indexer lags.`
    findings.limited('clock', text)
  } else
    findings.works('clock', `The newest block is ${Math.max(0, Math.round(age / 1000))} s old.`)
}

/** Examines how long the requests of a probe took, against the timeout that is set, in milliseconds. */
export async function checkSpeed(
  probe: Probe,
  findings: Findings,
  timeout: { readonly service: string; readonly milliseconds: number },
): Promise<void> {
  const sorted = probe.seconds.map((value) => Math.round(value * 1000)).toSorted((a, b) => a - b)
  const slowest = sorted.at(-1)
  const median = sorted[Math.floor(sorted.length / 2)]
  if (slowest === undefined || median === undefined) return
  const figures = `Median ${median} ms, slowest ${slowest} ms, of ${sorted.length} requests.`
  const isClose = (milliseconds: number) => milliseconds * 2 > timeout.milliseconds
  if (isClose(slowest)) {
    const suggested = Math.min(120_000, Math.ceil((slowest * 4) / 1000) * 1000)
    const text = `${figures} That is close to the timeout of ${timeout.milliseconds} ms.`
    const set = `UPSTREAM_TIMEOUTS=${timeout.service}=${suggested}`
    const repeat = async () => isClose((await probe.repeatSlowest()) * 1000)
    await advise(findings, { level: 'limited', subject: 'speed', text, set }, repeat)
  } else if (median >= slowMedian) {
    findings.limited('speed', `${figures} Pages that need several requests will be slow.`)
  } else findings.works('speed', figures)
}
