import { systemClock } from '../../src/kit/clock/clock.ts'
import { createFairScheduler, type WorkScheduler } from '../../src/kit/clock/fairScheduler.ts'
import type { CostBudget } from '../../src/server/clients/budget.ts'
import { Client } from '../../src/server/clients/client.ts'

const unlimited: CostBudget = { charge: () => undefined, spend() {}, left: () => Number.POSITIVE_INFINITY }

/** A client without a limit, which takes turns with nobody, unless a test gives other parts. */
export const testClient = (key: string, parts: { budget?: CostBudget; scheduler?: WorkScheduler } = {}): Client =>
  new Client(key, parts.budget ?? unlimited, parts.scheduler ?? createFairScheduler(systemClock))
