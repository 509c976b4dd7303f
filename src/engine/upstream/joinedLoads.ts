import DataLoader from 'dataloader'
import { asError } from '#kit/errors'
import { latestDue, type Signal, SignalSource } from '../../kit/clock/signal.ts'
import { GatewayError, isRetryable } from './error.ts'

/** The most records that one request loads: its URL stays short, and its response within the bound. */
const maxTogether = 16

/** How records are loaded by key. Both receive the signal that ends the load. */
interface Loads<T> {
  /** Loads several records with one request. It leaves out the records that it cannot load. */
  together(keys: readonly string[], ending: Signal): Promise<ReadonlyMap<string, T>>
  alone(key: string, ending: Signal): Promise<T>
}

/** Loads a record, until the signal ends the load. */
export type JoinedLoads<T> = (key: string, ending: Signal) => Promise<T>

/**
 * Joins the loads that begin in one tick. A key that `together` leaves out is loaded alone. So are all of them if the
 * upstream refuses the joined request or fails to serve it. Each load has a signal of its own: the joined request
 * ends when all of them have aborted.
 */
export function createJoinedLoads<T>(loads: Loads<T>): JoinedLoads<T> {
  const loadTogether = async (wanted: readonly Wanted[]) => {
    if (wanted.length < 2) return new Map<string, T>()
    const ending = whenAllAborted(wanted.map((each) => each.ending))
    const keys = wanted.map(({ key }) => key)
    return loads.together(keys, ending).catch((error: unknown) => {
      if (isOfRequest(error)) return new Map<string, T>()
      throw error
    })
  }
  const loader = new DataLoader<Wanted, T>(
    async (wanted) => {
      const found = await loadTogether(wanted)
      const outcomes = await Promise.allSettled(
        wanted.map(async ({ key, ending }) => found.get(key) ?? loads.alone(key, ending)),
      )
      return outcomes.map((each) => (each.status === 'fulfilled' ? each.value : asError(each.reason)))
    },
    { cache: false, maxBatchSize: maxTogether },
  )
  return (key, ending) => loader.load({ key, ending })
}

interface Wanted {
  readonly key: string
  readonly ending: Signal
}

/** Whether a request for less can succeed: the upstream is reached, and refuses this one or fails to serve it. */
const isOfRequest = (error: unknown): boolean =>
  error instanceof GatewayError && !isRetryable(error) && error.code !== 'UPSTREAM_TIMEOUT'

/** A signal that aborts when the last of these does. */
function whenAllAborted(signals: readonly Signal[]): Signal {
  const all = new SignalSource(latestDue(signals))
  const check = () => {
    if (signals.every(({ aborted }) => aborted)) all.abort(signals[0]?.reason)
  }
  for (const signal of signals) signal.addEventListener('abort', check)
  check()
  return all
}
