import { advise } from './advice.ts'
import type { Findings } from './finding.ts'

/** How a service is asked several times at once. */
export interface ConcurrencyExamination {
  readonly service: string
  /** The most requests at once that are set for it. */
  readonly concurrency: number
  /** Sends one request, and resolves to its milliseconds, whatever became of it. */
  readonly ask: () => Promise<number>
  /** Requests that failed so far, including repeated ones. */
  readonly faults: () => number
}

/** How many requests are sent at once, round by round: 15 in all, and at most 18 to repeat the last round twice. */
const rounds = [1, 2, 4, 8]

/** Requests wait for each other if they take so many times as long as one alone, and so many milliseconds. */
const crowded = { times: 3, milliseconds: 500 }

/** The times of so many requests at once, and of one alone. */
interface Round {
  readonly alone: number
  /** Milliseconds of the median request. */
  readonly each: number
  readonly failed: number
}

/** Examines how many requests at once a service takes. Stops at the first number that it does not. */
export async function checkConcurrency(
  findings: Findings,
  { service, concurrency, ask, faults }: ConcurrencyExamination,
): Promise<void> {
  const faultsAtFirst = faults()
  let alone = await ask()
  // A service that fails for one request says nothing about several.
  if (faults() > faultsAtFirst) return
  const send = async (count: number): Promise<Round> => {
    const before = faults()
    const each = medianOf(await Promise.all(Array.from({ length: count }, ask)))
    return { alone, each, failed: faults() - before }
  }
  let fits = 1
  let last = alone
  for (const count of rounds.filter((count) => count > 1 && count <= concurrency)) {
    const round = await send(count)
    last = round.each
    if (fitsAll(round)) {
      fits = count
      continue
    }
    const set = `UPSTREAM_CONCURRENCY=${service}=${fits}`
    const text =
      round.failed > 0
        ? `Of ${count} requests at once, ${round.failed} failed. ${fits} at once did not.`
        : `Latency ${alone} ms alone, ${last} ms with ${count} in flight. More than ${fits} wait for each other.`
    return advise(findings, { level: 'limited', subject: 'concurrency', text, set }, async () => {
      alone = await ask()
      return !fitsAll(await send(count))
    })
  }
  const seen =
    fits === 1
      ? `Latency ${alone} ms.`
      : `Latency ${alone} ms alone, ${last} ms with ${fits} in flight.`
  findings.works('concurrency', `${seen} Your limit of ${concurrency} should be fine.`)
}

const fitsAll = ({ alone, each, failed }: Round): boolean =>
  failed === 0 && each <= Math.max(crowded.milliseconds, crowded.times * alone)

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
