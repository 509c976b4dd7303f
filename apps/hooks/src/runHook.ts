import type { Client, LiveEvent } from '@portolan/client'
import type { Hook } from './config.ts'
import { type DeliverOptions, deliver } from './deliver.ts'
import { isFinal, sentenceOf } from './gateway/faults.ts'
import { readLive } from './liveRecord.ts'
import { afterTaken, nameEvent } from './naming.ts'
import { findStartingPoint } from './startingPoint.ts'
import type { HookState, HookStore, Parked } from './store.ts'

/** What hooks run with. */
export interface RunOptions extends DeliverOptions {
  readonly client: Pick<Client, 'query' | 'subscribe'>
  readonly store: HookStore
}

/** How a hook ended: the hooks should stop, it is parked, its subscription has ended, or the gateway refuses it. */
export type HookEnd = 'stopped' | 'parked' | 'ended' | 'refused'

/** Milliseconds until a hook is begun again whose subscription ended with an error, or whose state could not be read. */
const againMs = 60_000

/** Runs a hook that is this program's own, and again in a minute if its state cannot be read: the others go on meanwhile. */
export async function runAlone(hook: Hook, options: RunOptions): Promise<HookEnd> {
  const { io } = options
  while (!io.signal.aborted) {
    try {
      return await runHook(hook, options)
    } catch (error) {
      io.log(`${hook.name}: its state cannot be read (${(error as { code?: string }).code ?? 'unknown fault'}).`)
      await io.wait(againMs)
    }
  }
  return 'stopped'
}

/**
 * Sends the events of a hook, one at a time and in order, until the hooks should stop, the hook is parked, its subscription
 * has ended, or the gateway refuses it for a reason that no later attempt changes. Rejects if its state cannot be read. How
 * far it has come is kept after each event that its receiver has taken, so the chain is the queue: a receiver that is down
 * costs no memory.
 */
export async function runHook(hook: Hook, options: RunOptions): Promise<HookEnd> {
  const { io, store } = options
  const { name } = hook
  let { refused, ...state } = await store.load(name)
  if (refused) {
    io.log(`${name}: the gateway refused it before, since ${refused.since}. It is tried again. ${refused.reason}`)
    await store.save(name, state)
  }
  while (!io.signal.aborted && !state.parked && !state.isEnded) {
    const fault = await follow(hook, options).catch((error: unknown) => ({ error }))
    state = await store.load(name)
    if (!fault || io.signal.aborted) continue
    const reason = sentenceOf(fault.error)
    if (isFinal(fault.error)) {
      const since = new Date(io.now()).toISOString()
      await store.save(name, { ...state, refused: { reason, since } })
      io.log(`${name}: stopped, since the gateway refuses its subscription. ${reason}`)
      return 'refused'
    }
    io.log(`${name}: stopped. ${reason} It begins again in a minute.`)
    await io.wait(againMs)
  }
  if (state.parked) io.log(parkedLine(name, state.parked))
  return state.parked ? 'parked' : state.isEnded ? 'ended' : 'stopped'
}

/** What operators read of a hook that waits for them. */
export const parkedLine = (name: string, { since, reason }: Parked): string =>
  `${name}: parked since ${since} (${reason}). See portolan-hooks --help.`

/** Follows the subscription from where the hook is. */
async function follow(hook: Hook, options: RunOptions): Promise<undefined> {
  const { client, store, io } = options
  const { document, rule, start } = hook.followed
  let state = await store.load(hook.name)
  const save = async (next: HookState): Promise<undefined> => {
    state = next
    await store.save(hook.name, next)
  }
  const isCut = start !== undefined && state.hasBegun === true && state.cursor === undefined
  if (start && !state.hasBegun) {
    const log = (line: string) => io.log(`${hook.name}: ${line}`)
    await save({ hasBegun: true, cursor: await findStartingPoint(client, start, hook.variables, log) })
  }
  const after = rule.variable && state.cursor !== undefined && { [rule.variable]: state.cursor }
  const live = client.subscribe<unknown, object>(
    document,
    { ...hook.variables, ...after },
    { signal: io.signal, resume: rule },
  )
  const events = isCut ? startingWith<LiveEvent<unknown>>({ kind: 'gap', reason: 'NO_CURSOR' }, live) : live
  for await (const event of events) {
    const unnamed = readLive(hook.followed, event, live.cursor)
    if (!unnamed) return save({ ...state, isEnded: true })
    // Each connection begins with the present state, which may be the last one.
    const named = nameEvent(hook.name, unnamed, state.given)
    if (!named) continue
    const { record, given } = named
    if (given !== state.given) await save({ ...state, given })
    const { attempts } = state
    const keep = (failed: HookState['attempts']) => save({ ...state, attempts: failed })
    const delivered = await deliver(hook, record, options, { attempts, keep })
    if (delivered.kind === 'stopped') return
    if (delivered.kind === 'refused') {
      const { reason } = delivered
      const parked = { reason, since: new Date(io.now()).toISOString(), record }
      return save({ ...state, attempts: undefined, parked })
    }
    await save({ hasBegun: true, cursor: record.cursor, lastId: record.id, given: afterTaken(given, record.id) })
    if (hook.template) await io.wait(hook.template.intervalMs)
  }
}

/** An event, and then others. */
async function* startingWith<Event>(first: Event, rest: AsyncIterable<Event>): AsyncGenerator<Event> {
  yield first
  yield* rest
}
