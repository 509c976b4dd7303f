import { createHash } from 'node:crypto'
import { access, readdir, readFile, stat } from 'node:fs/promises'
import { atFile, ignoreMissing } from '#kit/files'
import { writeAtomically } from '#kit/writeAtomically'
import { type Mark, nothing } from './formats/output.ts'
import type { Identity } from './subjects/subject.ts'
import type { Ledger } from './table.ts'
import { toSortable } from './time.ts'

/** What an export is made of, by the options that choose and shape its rows. Another export needs another file. */
export type Purpose = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** The last records of a chain that are in the file: their time, and the ids of those of that time. */
interface LastOfChain {
  readonly time: string
  readonly ids: readonly string[]
}

type LastOfChains = Readonly<Record<string, LastOfChain>>

/**
 * How far an export has come. It is beside the file, and written before each change of the file: it says what the file
 * will be, and has what may be missing in it.
 */
export interface State extends Mark {
  readonly purpose: Purpose
  /** The cursor after the last record. Undefined before the first page. */
  readonly cursor?: string | undefined
  readonly rows: number
  readonly last: LastOfChains
  /** Records that were in the file when the list was read from its beginning again, which come a second time. */
  readonly known: LastOfChains
  readonly ledger: Ledger
}

/** The form of the state's file. A release that changes it counts on. */
const version = 2

const newState = (purpose: Purpose): State => ({
  ...{ purpose, ...nothing, rows: 0, last: {}, known: {}, ledger: { lists: {}, notes: {} } },
})

const pathOf = (out: string): string => `${out}.state.json`

/**
 * The state of an earlier run. A new one where no file is, or an empty one, that this export could continue.
 * @throws Error if the file is that of another export or of somebody else, or if its state is damaged.
 */
export async function loadState(out: string, purpose: Purpose): Promise<State> {
  const path = pathOf(out)
  const text = await atFile(path, () => readFile(path, 'utf8').catch(ignoreMissing))
  const state = text === undefined ? 'is not there, so this command did not write it.' : parse(text)
  const difference = typeof state === 'string' ? undefined : differenceOf(state.purpose, purpose)
  if (typeof state !== 'string' && difference === undefined) return state
  if (await isEmpty(out)) return newState(purpose)
  const problem = typeof state === 'string' ? `${path} ${state}` : `it was begun with other options: ${difference}.`
  throw new Error(`${out} cannot be continued: ${problem} Use another name for --out.`)
}

/** Whether a run has written anything. */
export const hasState = (out: string): Promise<boolean> =>
  access(pathOf(out)).then(
    () => true,
    () => false,
  )

/** Saves how far an export has come. */
export const saveState = (out: string, state: State): Promise<void> =>
  writeAtomically(pathOf(out), `${JSON.stringify({ version, sha256: hashOf(state), state }, null, 2)}\n`)

const hashOf = (state: unknown): string => createHash('sha256').update(JSON.stringify(state)).digest('hex')

/** The state, or what is wrong with it. Its hash shows that it is whole, so its values need no look. */
function parse(text: string): State | string {
  try {
    const saved = JSON.parse(text) as { version?: unknown; sha256?: unknown; state?: unknown; purpose?: unknown }
    if (saved.purpose !== undefined || (typeof saved.version === 'number' && saved.version !== version))
      return 'was written by another release of this command.'
    if (saved.state && saved.sha256 === hashOf(saved.state)) return saved.state as State
  } catch {
    // It is no JSON.
  }
  return 'is damaged: it is not as this command left it.'
}

/** The first option that differs, with both values. */
function differenceOf(before: Purpose, now: Purpose): string | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const told = (value: Purpose[string]) => (value === undefined || String(value) === '' ? 'nothing' : String(value))
  const name = names.find((each) => JSON.stringify(before[each]) !== JSON.stringify(now[each]))
  return name && `${name} was ${told(before[name])}, and is now ${told(now[name])}`
}

/** Whether there is nothing that could be lost: no file, an empty one, or an empty folder. */
async function isEmpty(out: string): Promise<boolean> {
  const found = await atFile(out, () => stat(out).catch(ignoreMissing))
  if (!found) return true
  return found.isDirectory() ? (await readdir(out)).length === 0 : found.size === 0
}

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
