import type { Clock } from '../kit/clock/clock.ts'
import type { SharableBudget } from '../server/execution/client.ts'

/** Cost points by client. */
export type Spent = readonly (readonly [client: string, points: number])[]

/** How long the spending of clients is collected until the other workers get a report, in milliseconds. */
const tellMs = 100

/** A budget of one worker that knows what clients spend at the others. */
export interface SharedBudget extends SharableBudget {
  /** Counts points that clients have spent at other workers. */
  onSpent(spent: Spent): void
}

/**
 * Makes a budget count what clients spend at all workers. Each worker decides at once by what it knows, so
 * that no query waits for another process. A client can spend more than it has for a tenth of a second; that
 * is taken from what it gets afterwards.
 */
export function shareBudget(
  budget: SharableBudget,
  clock: Clock,
  tell: (spent: Spent) => void,
): SharedBudget {
  const collected = createCollected(clock, tell)
  const add = (client: string, points: number) => {
    // A client without a limit is of no concern to the others.
    if (points > 0 && budget.limitOf(client)) collected(client, points)
  }
  return {
    ...budget,
    charge(client, points) {
      const refusal = budget.charge(client, points)
      if (!refusal) add(client, points)
      return refusal
    },
    spend(client, points) {
      budget.spend(client, points)
      add(client, points)
    },
    onSpent(spent) {
      for (const [client, points] of spent) budget.spend(client, points)
    },
  }
}

/** Adds up points by client, and passes the sums on. */
function createCollected(clock: Clock, pass: (spent: Spent) => void) {
  let sums = new Map<string, number>()
  return (client: string, points: number) => {
    if (sums.size === 0) {
      clock.after(tellMs, () => {
        const spent = [...sums]
        sums = new Map()
        pass(spent)
      })
    }
    sums.set(client, (sums.get(client) ?? 0) + points)
  }
}
