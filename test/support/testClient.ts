import { systemClock } from '../../src/kit/clock/clock.ts'
import { createFairScheduler } from '../../src/kit/clock/fairScheduler.ts'
import type { CostBudget } from '../../src/server/clients/budget.ts'
import { Client, type ClientParts } from '../../src/server/clients/client.ts'

const unlimited: CostBudget = { charge: () => undefined, spend() {}, left: () => Number.POSITIVE_INFINITY }

/** A client without a limit, which takes turns with nobody, unless a test gives other parts. */
export const testClient = (key: string, parts: Partial<ClientParts> = {}): Client =>
  new Client(key, { budget: unlimited, scheduler: createFairScheduler(systemClock), ...parts })
