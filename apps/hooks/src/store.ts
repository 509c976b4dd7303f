import { closeSync, openSync } from 'node:fs'
import Database from 'libsql'
import { messageOf } from '#kit/errors'
import type { Lock } from '#kit/lock/takeLock'
import type { Attempts } from './deliver.ts'
import type { LiveRecord } from './liveRecord.ts'
import type { GivenIds } from './naming.ts'

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
  /** The id of that event. */
  readonly lastId?: string | undefined
  /** The ids of states and messages: a state that has not changed is not sent again. */
  readonly given?: GivenIds | undefined
  /** The failed attempts of the event that is under way. */
  readonly attempts?: Attempts | undefined
  /** Whether it was ever followed. If it has no cursor then, events are missing. */
  readonly hasBegun?: boolean | undefined
  /** The event that it is parked with. */
  readonly parked?: Parked | undefined
  /** Whether the subscription has come to its end. */
  readonly isEnded?: boolean | undefined
  /** Why the gateway refuses the subscription, and since when. A program that starts tries again. */
  readonly refused?: { readonly reason: string; readonly since: string } | undefined
}

/** Keeps how far hooks have come. */
export interface HookStore {
  /** An empty state for a hook that is new. */
  load(name: string): Promise<HookState>
  save(name: string, state: HookState): Promise<void>
  /** Keeps an event that is skipped, and the state after it: both or none. */
  setAside(name: string, skipped: Parked, state: HookState): Promise<void>
  /** The events that were skipped, in the order in which they were. */
  listSkipped(name: string): Promise<readonly Parked[]>
}

/** How long a program waits for another one that writes, in milliseconds. */
const busyMs = 5_000

/** Between two writes, the file has all of the state. */
const schema = `
  PRAGMA journal_mode = DELETE;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS hooks (name TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS skipped (number INTEGER PRIMARY KEY, name TEXT NOT NULL, event TEXT NOT NULL) STRICT;
`

/**
 * Opens the state of hooks in a file of SQLite, which only its owner can read. Any number of programs can read it.
 * @throws Error if the file cannot be opened.
 */
export async function openStore(file: string): Promise<HookStore & Disposable> {
  const database = openDatabase(file)
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
 * A store that only the owner of a lock writes. Once another process has taken the lock over, each write rejects, and
 * `lost` aborts with the reason.
 */
export function lockedStore(store: HookStore, lock: Pick<Lock, 'check'>, lost: AbortController): HookStore {
  const check = () =>
    lock.check().catch((error: unknown) => {
      lost.abort(error)
      throw error
    })
  return {
    load: store.load,
    listSkipped: store.listSkipped,
    async save(...state) {
      await check()
      await store.save(...state)
    },
    async setAside(...skipped) {
      await check()
      await store.setAside(...skipped)
    },
  }
}

/** Opens a file of SQLite with the tables of a store, or creates it. */
function openDatabase(file: string): Database.Database {
  let database: Database.Database | undefined
  try {
    createOwn(file)
    database = new Database(file, { timeout: busyMs })
    database.exec(schema)
    return database
  } catch (error) {
    database?.close()
    throw new Error(`${file} cannot be opened: ${messageOf(error)}.`)
  }
}

/** Creates a file that only its owner can read. One that is there stays closed: to close it would free the locks of SQLite. */
function createOwn(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code
