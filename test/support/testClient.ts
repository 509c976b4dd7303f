import type { CostBudget } from '../../src/server/clients/budget.ts'
import { Client, type ClientParts } from '../../src/server/clients/client.ts'

const unlimited: CostBudget = { charge: () => undefined, spend() {}, left: () => Number.POSITIVE_INFINITY }

/** A client without a limit, whose turn it always is, unless a test gives other parts. */
export const testClient = (key: string, parts: Partial<ClientParts> = {}): Client =>
  new Client(key, { budget: unlimited, scheduler: { run: (_client, work) => work(), waiting: 0 }, ...parts })
