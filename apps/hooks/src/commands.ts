import { afterTaken } from './naming.ts'
import type { HookStore } from './store.ts'

/** Sends the events after a cursor again. The receiver gets records with the same ids. Says how to undo it. */
export async function replay(name: string, cursor: string, store: HookStore): Promise<string> {
  const { cursor: before, parked } = await store.load(name)
  await store.save(name, { hasBegun: true, cursor })
  return [
    `${name} continues after this cursor.`,
    before === undefined ? 'It had none before.' : `Before, it was at ${before}`,
    ...(parked ? [`It is no longer parked with ${parked.record.id}.`] : []),
  ].join('\n')
}

/** Sends the event at once that a hook was parked with, or that waits for its next attempt. */
export async function resume(name: string, store: HookStore): Promise<string> {
  const { parked, attempts, ...state } = await store.load(name)
  const id = parked?.record.id ?? attempts?.id
  if (id === undefined) return `${name} is not parked, and no event waits.`
  await store.save(name, state)
  return `${name} continues with ${id}.`
}

/** Sets the event aside that a hook was parked with, and continues after it. */
export async function skip(name: string, store: HookStore): Promise<string> {
  const { parked, given } = await store.load(name)
  if (!parked) return `${name} is not parked.`
  const { cursor, id } = parked.record
  await store.setAside(name, parked, { hasBegun: true, cursor, lastId: id, given: afterTaken(given, id) })
  return `${name} continues after ${id}.`
}

/** How far a hook is, in a line. */
export async function statusOf(name: string, store: Pick<HookStore, 'load'>): Promise<string> {
  const { parked, attempts, refused, isEnded, cursor, lastId } = await store.load(name)
  if (parked) return `${name}: parked since ${parked.since} with ${parked.record.id}: ${parked.reason}`
  if (refused) return `${name}: stopped since ${refused.since}, the gateway refuses it: ${refused.reason}`
  if (isEnded) return `${name}: ended`
  if (attempts)
    return `${name}: sends ${attempts.id} again at ${new Date(attempts.nextAt).toISOString()}, attempt ${attempts.count} failed: ${attempts.reason}`
  return lastId === undefined
    ? `${name}: nothing sent yet`
    : `${name}: sent ${lastId}${cursor ? `, cursor ${cursor}` : ''}`
}

/** The events of a hook that were skipped, as lines of JSON. */
export const listSkipped = async (name: string, store: Pick<HookStore, 'listSkipped'>): Promise<string> =>
  (await store.listSkipped(name)).map((skipped) => `${JSON.stringify(skipped)}\n`).join('')
