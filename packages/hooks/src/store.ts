import { closeSync, openSync } from 'node:fs'
import Database from 'libsql'
import type { LiveRecord } from './liveRecord.ts'

/** An event that a receiver refused for a day: why, since when, and which. */
export interface Parked {
  readonly reason: string
  readonly since: string
  readonly record: LiveRecord
}

/** How far a hook has come. */
export interface HookState {
  /** The cursor of the last event that its receiver has. Undefined before the first. */
  readonly cursor?: string | undefined
  /** The id of that event: a state that has not changed is not sent again. */
  readonly lastId?: string | undefined
  /** Whether it was ever followed. If it has no cursor then, events are missing. */
  readonly hasBegun?: boolean | undefined
  /** The event that it is parked with. */
  readonly parked?: Parked | undefined
  /** Whether the subscription has come to its end. */
  readonly isEnded?: boolean | undefined
}

/** Keeps how far hooks have come. */
export interface HookStore {
  /** An empty state for a hook that is new. */
  load(name: string): Promise<HookState>
  save(name: string, state: HookState): Promise<void>
  /** Keeps an event that is skipped, and the state after it: both or none. */
  setAside(name: string, skipped: Parked, state: HookState): Promise<void>
  /** The events that were skipped, in the order of that. */
  listSkipped(name: string): Promise<readonly Parked[]>
}

/** How long a program waits for another one that writes, in milliseconds. */
const busyMs = 5_000

/** A state is on the disk once it is saved, also if the machine stops then. */
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS hooks (name TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS skipped (number INTEGER PRIMARY KEY, name TEXT NOT NULL, event TEXT NOT NULL) STRICT;
`

/** Opens the state of hooks in a file of SQLite, which only its owner can read. Any number of programs can read it. */
export async function openStore(file: string): Promise<HookStore & Disposable> {
  const database = openDatabase(file, busyMs)
  database.exec(schema)
  const find = database.prepare<[string]>('SELECT state FROM hooks WHERE name = ?')
  const put = database.prepare<[string, string]>(
    'INSERT INTO hooks (name, state) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET state = excluded.state',
  )
  const add = database.prepare<[string, string]>('INSERT INTO skipped (name, event) VALUES (?, ?)')
  const list = database.prepare<[string]>('SELECT event FROM skipped WHERE name = ? ORDER BY number')
  const skip = database.transaction((name: string, event: string, state: string) => {
    add.run(name, event)
    put.run(name, state)
  })
  return {
    load: async (name) => JSON.parse((find.get(name) as { state: string } | undefined)?.state ?? '{}'),
    save: async (name, state) => void put.run(name, JSON.stringify(state)),
    setAside: async (name, skipped, state) => skip.immediate(name, JSON.stringify(skipped), JSON.stringify(state)),
    listSkipped: async (name) =>
      (list.all(name) as readonly { event: string }[]).map(({ event }) => JSON.parse(event) as Parked),
    [Symbol.dispose]: () => void database.close(),
  }
}

/**
 * Takes the state of a file for this program, until the result is disposed of. The system gives it back if the program is
 * killed, since it is a lock of SQLite.
 * @throws Error if another program has it.
 */
export function takeState(file: string): Disposable {
  const database = openDatabase(`${file}.lock`, 0)
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Error(`Another program uses ${file}. Stop it first.`)
  }
  return { [Symbol.dispose]: () => void database.close() }
}

function openDatabase(file: string, timeout: number): Database.Database {
  closeSync(openSync(file, 'a', 0o600))
  return new Database(file, { timeout })
}
