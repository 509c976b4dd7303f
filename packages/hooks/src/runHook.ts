import type { Client, LiveEvent } from '@portolan/client'
import type { Hook } from './config.ts'
import { type DeliverOptions, deliver } from './deliver.ts'
import { toLiveRecord } from './liveRecord.ts'
import { findStartingPoint } from './startingPoint.ts'
import type { HookState, HookStore, Parked } from './store.ts'

/** What hooks run with. */
export interface RunOptions extends DeliverOptions {
  readonly client: Pick<Client, 'query' | 'subscribe'>
  readonly store: HookStore
}

/** Milliseconds until a hook is begun again whose subscription ended with an error, or whose state could not be read. */
const againMs = 60_000

/** Runs a hook that is this program's own, and again in a minute if its state cannot be read: the others go on meanwhile. */
export async function runAlone(hook: Hook, options: RunOptions): Promise<void> {
  const { io } = options
  while (!io.signal.aborted) {
    try {
      return await runHook(hook, options)
    } catch (error) {
      io.log(`${hook.name}: its state cannot be read (${(error as { code?: string }).code ?? 'unknown fault'}).`)
      await io.wait(againMs)
    }
  }
}

/**
 * Sends the events of a hook, one at a time and in order, until the hooks should stop, the hook is parked, or its
 * subscription has ended. Rejects if its state cannot be read. How far it has come is kept after each event that its receiver has taken, so the chain is the
 * queue: a receiver that is down costs no memory.
 */
export async function runHook(hook: Hook, options: RunOptions): Promise<void> {
  const { io, store } = options
  let { parked, isEnded } = await store.load(hook.name)
  while (!io.signal.aborted && !parked && !isEnded) {
    await follow(hook, options).catch(async (error: unknown) => {
      const { code } = error as { code?: string }
      io.log(`${hook.name}: stopped (${code ?? 'unknown fault'}). It begins again in a minute.`)
      await io.wait(againMs)
    })
    ;({ parked, isEnded } = await store.load(hook.name))
  }
  if (parked) io.log(parkedLine(hook.name, parked))
}

/** What operators read of a hook that waits for them. */
export const parkedLine = (name: string, { since, reason }: Parked): string =>
  `${name}: parked since ${since} (${reason}). See portolan-hooks --help.`

/** Follows the subscription from where the hook is. */
async function follow(hook: Hook, options: RunOptions): Promise<void> {
  const { client, store, io } = options
  const { rule, start } = hook.followed
  let state = await store.load(hook.name)
  const save = async (next: HookState) => {
    state = next
    await store.save(hook.name, next)
  }
  const isCut = start !== undefined && state.hasBegun === true && state.cursor === undefined
  if (start && !state.hasBegun) {
    await save({ hasBegun: true, cursor: await findStartingPoint(client, start, hook.variables) })
  }
  const after = rule.variable && state.cursor !== undefined && { [rule.variable]: state.cursor }
  const live = client.subscribe<unknown, object>(
    hook.document,
    { ...hook.variables, ...after },
    { signal: io.signal, resume: rule },
  )
  const events = isCut ? startingWith<LiveEvent<unknown>>({ kind: 'gap', reason: 'NO_CURSOR' }, live) : live
  for await (const event of events) {
    const record = toLiveRecord(hook.name, hook.followed, event, live.cursor)
    if (!record) return save({ ...state, isEnded: true })
    // Each connection begins with the present state, which may be the last one.
    const isRepeated = !rule.cursor && record.id === state.lastId
    if (!isRepeated) {
      const delivered = await deliver(hook, record, options)
      if (delivered.kind === 'stopped') return
      if (delivered.kind === 'refused') {
        const { reason } = delivered
        return save({ ...state, parked: { reason, since: new Date(io.now()).toISOString(), record } })
      }
      if (hook.template) await io.wait(hook.template.intervalMs)
    }
    await save({ hasBegun: true, cursor: record.cursor, lastId: record.id })
  }
}

/** An event, and then others. */
async function* startingWith<Event>(first: Event, rest: AsyncIterable<Event>): AsyncGenerator<Event> {
  yield first
  yield* rest
}
