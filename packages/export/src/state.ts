import { readFile } from 'node:fs/promises'
import type { Identity } from './subjects/subject.ts'
import type { Ledger } from './table.ts'
import { toSortable } from './time.ts'
import { writeAtomically } from './writeAtomically.ts'

/** What an export is made of. Another export needs another file. */
export interface Purpose {
  readonly version: 1
  readonly subject: string
  readonly format: string
  /** The options that choose and shape rows. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

/** The last records of a chain that are in the file: their time, and the ids of those of that time. */
interface LastOfChain {
  readonly time: string
  readonly ids: readonly string[]
}

type LastOfChains = Readonly<Record<string, LastOfChain>>

/** How far an export has come. It is beside the file, and written after each part of it that is safely on the disk. */
export interface State {
  readonly purpose: Purpose
  /** The cursor after the last record. Undefined before the first page. */
  readonly cursor?: string | undefined
  /** Bytes of the file, or parts of the folder. */
  readonly extent: number
  readonly rows: number
  readonly last: LastOfChains
  /** Records that were in the file when the list was read from its beginning again, which come a second time. */
  readonly known: LastOfChains
  readonly ledger: Ledger
}

/** The state of an export that has not begun. */
export const newState = (purpose: Purpose): State => ({
  ...{ purpose, extent: 0, rows: 0, last: {}, known: {}, ledger: { lists: {}, notes: {} } },
})

const pathOf = (out: string): string => `${out}.state.json`

/**
 * The state of an earlier run. Undefined if there was none.
 * @throws Error if the file is that of another export.
 */
export async function loadState(out: string, purpose: Purpose): Promise<State | undefined> {
  const text = await readFile(pathOf(out), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const state = JSON.parse(text) as State
  if (JSON.stringify(state.purpose) === JSON.stringify(purpose)) return state
  throw new Error(
    `${out} was begun with other options: ${JSON.stringify(state.purpose)}. Use them again, or another file.`,
  )
}

/** Saves how far an export has come. */
export const saveState = (out: string, state: State): Promise<void> =>
  writeAtomically(pathOf(out), `${JSON.stringify(state, null, 2)}\n`)

/** The last records, after one more. */
export function addLast(last: LastOfChains, { chainId, id, time }: Identity): LastOfChains {
  const before = last[chainId]
  const at = toSortable(time)
  if (before && before.time > at) return last
  const ids = before?.time === at ? [...before.ids, id] : [id]
  return { ...last, [chainId]: { time: at, ids } }
}

/** Whether a record is among those that are known, since those of a chain come in order. */
export function isKnown(known: LastOfChains, { chainId, id, time }: Identity): boolean {
  const last = known[chainId]
  if (!last) return false
  const at = toSortable(time)
  return at < last.time || (at === last.time && last.ids.includes(id))
}
