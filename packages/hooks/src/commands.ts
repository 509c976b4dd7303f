import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HookStore } from './store.ts'

/** What the commands on parked hooks work on. */
export interface CommandOptions {
  readonly store: HookStore
  readonly folder: string
}

/** Sends the events after a cursor again. The receiver gets them with the same ids. */
export async function replay(name: string, cursor: string, { store }: CommandOptions): Promise<string> {
  await store.save(name, { hasBegun: true, cursor })
  return `${name} continues after this cursor.`
}

/** Sends the event again that a hook was parked with. */
export async function resume(name: string, { store }: CommandOptions): Promise<string> {
  const { parked, ...state } = await store.load(name)
  if (!parked) return `${name} is not parked.`
  await store.save(name, state)
  return `${name} continues with ${parked.record.id}.`
}

/** Moves the event that a hook was parked with into a file, and continues after it. */
export async function skip(name: string, { store, folder }: CommandOptions): Promise<string> {
  const { parked } = await store.load(name)
  if (!parked) return `${name} is not parked.`
  const file = join(folder, `${name}.skipped.ndjson`)
  await appendFile(file, `${JSON.stringify(parked)}\n`, { mode: 0o600 })
  await store.save(name, { hasBegun: true, cursor: parked.record.cursor, lastId: parked.record.id })
  return `${name} continues after ${parked.record.id}, which is in ${file}.`
}

/** How far a hook is, in a line. */
export async function statusOf(name: string, { store }: CommandOptions): Promise<string> {
  const { parked, isEnded, cursor, lastId } = await store.load(name)
  if (parked) return `${name}: parked since ${parked.since} with ${parked.record.id}: ${parked.reason}`
  if (isEnded) return `${name}: ended`
  return lastId === undefined
    ? `${name}: nothing sent yet`
    : `${name}: sent ${lastId}${cursor ? `, cursor ${cursor}` : ''}`
}
