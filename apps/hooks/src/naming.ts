import { randomBytes } from 'node:crypto'
import { digestOf, type LiveRecord, type Unnamed } from './liveRecord.ts'

/** An id that was given to what the graph has no name for, and what that said. */
interface GivenId {
  readonly id: string
  readonly digest: string
  /** Whether its receiver has it. */
  readonly isTaken?: boolean
}

/**
 * The last id that was given for each thing that has states, and for messages such as notices. It is kept before the first
 * attempt, so that a later one has the same id. An id is random: one that was lost with its store never comes again.
 */
export type GivenIds = Readonly<Record<string, GivenId>>

/**
 * Gives an event its id, and says which ids are given then. Undefined for a state that its receiver has already. `owner` is
 * who gets it: two hooks name the same record differently.
 */
export function nameEvent(
  owner: string,
  { contents, identified }: Unnamed,
  given: GivenIds = {},
): { readonly record: LiveRecord; readonly given: GivenIds } | undefined {
  if (identified.by === 'record') {
    const [subscription] = contents.type.split('.')
    return { record: { id: `evt_${digestOf(owner, subscription, 'record', identified.key)}`, ...contents }, given }
  }
  const { by, subject, digest } = identified
  const last = given[subject]
  const isSame = last?.digest === digest
  if (isSame && last.isTaken && by === 'state') return undefined
  if (isSame && !last.isTaken) return { record: { id: last.id, ...contents }, given }
  const id = `evt_${randomBytes(24).toString('base64url')}`
  return { record: { id, ...contents }, given: { ...given, [subject]: { id, digest } } }
}

/** The ids that are given once an event was taken. A message that says the same later is another one. */
export const afterTaken = (given: GivenIds | undefined, id: string): GivenIds =>
  Object.fromEntries(
    Object.entries(given ?? {})
      .filter(([subject]) => subject !== 'message')
      .map(([subject, each]) => [subject, each.id === id ? { ...each, isTaken: true } : each]),
  )
