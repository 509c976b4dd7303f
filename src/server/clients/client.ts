import type { GraphQLError } from 'graphql'
import type { WorkScheduler } from '../../kit/clock/fairScheduler.ts'
import type { Work } from '../../kit/clock/work.ts'
import type { CostBudget } from './budget.ts'

/** Whoever has a budget: an API key, or an address. It is the same on every transport. */
export class Client {
  /** Tells clients apart: see `Identify`. Whatever is shared fairly among clients is shared by it. */
  readonly key: string
  readonly #budget: CostBudget
  readonly #scheduler: WorkScheduler

  constructor(key: string, budget: CostBudget, scheduler: WorkScheduler) {
    this.key = key
    this.#budget = budget
    this.#scheduler = scheduler
  }

  /** Takes the points of an operation before it runs. Takes none and gives an error if too few are left. */
  take(points: number): GraphQLError | undefined {
    return this.#budget.charge(this.key, points)
  }

  /** Takes points for past work, also beyond the budget. */
  spend(points: number): void {
    this.#budget.spend(this.key, points)
  }

  /** The points that it may spend now. Infinity without a limit. */
  get left(): number {
    return this.#budget.left(this.key)
  }

  /** Does work that can take long without a pause: now, or in its next turn. */
  turn<T>(work: () => T | Promise<T>): T | Promise<T> {
    return this.#scheduler.run(this.key, work)
  }

  /** Begins work of an operation that it does in pieces, in several turns if it is long. */
  beginWork(): Work {
    return this.#scheduler.begin(this.key)
  }
}
