import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LiveRecord } from './liveRecord.ts'
import { writeAtomically } from './writeAtomically.ts'

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
  /** Keeps an event that is skipped. Resolves to where it is, in words. */
  setAside(name: string, parked: Parked): Promise<string>
}

/** A folder with a file for each hook. A file is replaced as a whole, so none is ever half written. */
export async function openStore(folder: string): Promise<HookStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fileOf = (name: string) => join(folder, `${name}.json`)
  return {
    async load(name) {
      const text = await readFile(fileOf(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '{}'
        throw error
      })
      return JSON.parse(text) as HookState
    },
    save: (name, state) => writeAtomically(fileOf(name), `${JSON.stringify(state, null, 2)}\n`),
    async setAside(name, parked) {
      const file = join(folder, `${name}.skipped.ndjson`)
      await appendFile(file, `${JSON.stringify(parked)}\n`, { mode: 0o600 })
      return file
    },
  }
}
