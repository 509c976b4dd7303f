import type { Client } from '@portolan/client'
import type { Hook } from '../config.ts'
import type { HooksIo } from '../io.ts'
import { sentenceOf } from './faults.ts'

/** Milliseconds in which events after a cursor come, if there are any. */
const eventMs = 10_000

/**
 * Asks the gateway whether a hook can continue after a cursor. One that nothing has come after yet is good too.
 * @throws Error that says why not.
 */
export async function checkCursor(
  { name, followed, variables }: Pick<Hook, 'name' | 'followed' | 'variables'>,
  cursor: string,
  client: Pick<Client, 'subscribe'>,
  io: Pick<HooksIo, 'after' | 'signal'>,
): Promise<void> {
  const { document, rule, subscription } = followed
  if (!rule.variable)
    throw new Error(`${name} follows ${subscription}, whose states have no cursors: it has no replay.`)
  const left = new AbortController()
  const leave = () => left.abort()
  const cancel = io.after(eventMs, leave)
  io.signal.addEventListener('abort', leave)
  const live = client.subscribe<unknown, object>(
    document,
    { ...variables, [rule.variable]: cursor },
    { signal: left.signal, resume: rule },
  )
  let isOpen = false
  live.onStatus((status) => {
    if (status !== 'ended') isOpen = status === 'live' || status === 'behind'
  })
  try {
    const { value: event } = await live.next()
    if (event?.kind === 'gap') throw event.error ?? new Error(`The gateway cannot continue there (${event.reason}).`)
    if (io.signal.aborted) throw new Error('It was stopped before the gateway had answered.')
    if (!event && !isOpen) throw new Error('The gateway does not answer.')
  } catch (error) {
    const reason = error instanceof Error && !('code' in error) ? error.message : sentenceOf(error)
    throw new Error(`${name} cannot continue after this cursor, and stays where it is. ${reason}`)
  } finally {
    cancel()
    io.signal.removeEventListener('abort', leave)
    await live.return()
  }
}
