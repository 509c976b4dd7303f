import type { Client } from './client.ts'
import type { Document } from './document.ts'
import type { PortolanError } from './portolanError.ts'
import { pause } from './wait.ts'

/** An answer, and why a part of it is missing. */
export interface Answer<Data> {
  readonly data: Data
  readonly error?: PortolanError | undefined
}

/** Reads a page of a list, with the error of what is missing in it. */
export async function readPage<Page>(
  client: Client,
  page: Document<Page, never>,
  variables: unknown,
  signal: AbortSignal | undefined,
): Promise<Answer<Page>> {
  let error: PortolanError | undefined
  const onPartial = (fault: PortolanError) => {
    error = fault
  }
  const data = (await (client as Untyped).query(page, variables, { signal, onPartial })) as Page
  return { data, error }
}

/** The query of a client, whose arguments depend on whether variables may be left out. */
interface Untyped {
  query(...args: unknown[]): Promise<unknown>
}

/** The chains that the lists of an answer lack: as its errors name them, and as its data does where a document selects that. */
export function missingIn({ data, error }: Answer<unknown>): ReadonlySet<string> {
  const found = new Set(error?.unavailableChains.map(({ chainId }) => chainId))
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, part] of Object.entries(value)) {
      if (name !== 'unavailableChains') walk(part)
      // Whatever a document selects of a chain names it.
      else if (Array.isArray(part)) for (const chain of part) found.add(chain.chainId ?? JSON.stringify(chain))
    }
  }
  walk(data)
  return found
}

/** Milliseconds until an answer that lacks something is asked for again: four seconds, doubled up to a minute. */
export const waitOf = (attempt: number): number => Math.min(60_000, 4_000 * 2 ** attempt)

/**
 * Asks again for an answer that lacks chains, until it has more of them. Resolves to undefined once the signal aborts, and at
 * once for an answer that lacks none.
 */
export async function whenWholer<Data>(
  before: Answer<Data>,
  ask: () => Promise<Answer<Data>>,
  signal: AbortSignal,
): Promise<Answer<Data> | undefined> {
  const missing = missingIn(before)
  if (missing.size === 0) return undefined
  for (let attempt = 0; !signal.aborted; attempt++) {
    await pause(Math.max(waitOf(attempt), 1000 * (before.error?.retryAfter ?? 0)), signal, new Set())
    const after = signal.aborted ? undefined : await ask().catch(() => undefined)
    const rest = after && missingIn(after)
    // Rows that are shown do not leave for those of another chain.
    if (rest && rest.size < missing.size && [...rest].every((chain) => missing.has(chain))) return after
  }
  return undefined
}
