import type { Findings } from './finding.ts'

/** How a service is asked several times at once. */
export interface ConcurrencyExamination {
  readonly service: string
  /** The most requests at once that are set for it. */
  readonly concurrency: number
  /** Sends one request, and resolves to its milliseconds, whatever became of it. */
  readonly ask: () => Promise<number>
  /** Requests that failed so far, including those that were repeated. */
  readonly faults: () => number
}

/** How many requests are sent at once, round by round: 15 in all. */
const rounds = [1, 2, 4, 8]

/** Requests wait for each other if they take so many times as long as one alone, and so many milliseconds. */
const crowded = { times: 3, milliseconds: 500 }

/** Examines how many requests at once a service takes. Stops at the first number that it does not. */
export async function checkConcurrency(
  findings: Findings,
  { service, concurrency, ask, faults }: ConcurrencyExamination,
): Promise<void> {
  const faultsAtFirst = faults()
  const alone = await ask()
  // What it does not serve to one request says nothing about several.
  if (faults() > faultsAtFirst) return
  let fits = 1
  let last = alone
  for (const count of rounds.filter((count) => count > 1 && count <= concurrency)) {
    const faultsBefore = faults()
    last = medianOf(await Promise.all(Array.from({ length: count }, ask)))
    const failed = faults() - faultsBefore
    const suggested = `UPSTREAM_CONCURRENCY=${service}=${fits}`
    if (failed > 0) {
      const text = `Of ${count} requests at once, ${failed} failed. ${fits} at once did not.`
      return findings.limited('concurrency', text, suggested)
    }
    if (last > Math.max(crowded.milliseconds, crowded.times * alone)) {
      const text = `One request alone took ${alone} ms, and ${count} at once ${last} ms each: more than ${fits} at once wait for each other.`
      return findings.limited('concurrency', text, suggested)
    }
    fits = count
  }
  const seen =
    fits === 1
      ? `One request took ${alone} ms.`
      : `One request alone took ${alone} ms, and ${fits} at once ${last} ms each.`
  findings.works('concurrency', `${seen} The ${concurrency} at once that are set should fit.`)
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
