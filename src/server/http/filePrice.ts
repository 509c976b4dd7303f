import type { CostBudget } from '../execution/client.ts'
import type { HttpError } from './requestGuards.ts'

/** A file costs one point for so many bytes, as an answer does. */
const bytesOfPoint = 16 * 1024

/** Charges a client for a file of so many bytes. Returns the error for a client that may not spend as much. */
export function chargeFile(
  budget: Pick<CostBudget, 'charge'> | undefined,
  client: string,
  bytes: number,
): HttpError | undefined {
  return chargePoints(budget, client, Math.ceil((bytes + 1) / bytesOfPoint))
}

/** Charges a client so many points. Returns the error for a client that may not spend as much. */
export function chargePoints(
  budget: Pick<CostBudget, 'charge'> | undefined,
  client: string,
  points: number,
): HttpError | undefined {
  const refusal = budget?.charge(client, points)
  if (!refusal) return undefined
  const { message, extensions } = refusal
  const headers = { 'retry-after': String(extensions.retryAfter) }
  return { status: 429, code: 'RATE_LIMITED', message, headers }
}
