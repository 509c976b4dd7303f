import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { Client } from '@portolan/client'
import { ignoreMissing } from '#kit/files'
import { writeAtomically } from '#kit/writeAtomically'
import type { FollowedDocument } from './followed.ts'
import { readLive } from './liveRecord.ts'
import { afterTaken, type GivenIds, nameEvent } from './naming.ts'
import { findStartingPoint } from './startingPoint.ts'

/** What a stream is made of. */
export interface StreamOptions {
  readonly client: Pick<Client, 'query' | 'subscribe'>
  readonly variables: Readonly<Record<string, unknown>>
  readonly followed: FollowedDocument
  /** A file with the cursor of the last line, from which it continues. For states it has the ids of the last ones. */
  readonly afterFile: string | undefined
  readonly output: Writable
  /** Takes what operators should know. */
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/** How far a stream has come. */
interface Position {
  readonly cursor?: string | undefined
  readonly given?: GivenIds | undefined
}

/**
 * Writes a line for each event until the subscription ends, the signal aborts, or nobody reads the output any longer. It
 * waits for slow readers. The cursor is kept after its line has been passed on, so a line can come twice. What a reader had
 * not stored when it died, only the reader knows.
 */
export async function stream(options: StreamOptions): Promise<void> {
  const { client, followed, output } = options
  const { rule } = followed
  const { cursor, given: before } = await readPosition(options)
  let given = before ?? {}
  const after = rule.variable && cursor !== undefined && { [rule.variable]: cursor }
  const left = new AbortController()
  const leave = () => left.abort()
  options.signal.addEventListener('abort', leave)
  if (options.signal.aborted) leave()
  let failure: NodeJS.ErrnoException | undefined
  const fail = (error: NodeJS.ErrnoException) => {
    failure = error
    leave()
  }
  output.on('error', fail)
  try {
    const live = client.subscribe<unknown, object>(
      followed.document,
      { ...options.variables, ...after },
      { signal: left.signal, resume: rule },
    )
    for await (const event of live) {
      const unnamed = readLive(followed, event, live.cursor)
      if (!unnamed) break
      const named = nameEvent('', unnamed, given)
      if (!named) continue
      const { record } = named
      if (named.given !== given) await writePosition(options, { given: named.given })
      const isFree = output.write(`${JSON.stringify(record)}\n`)
      if (!isFree) await once(output, 'drain', { signal: left.signal }).catch(() => {})
      if (left.signal.aborted) break
      given = afterTaken(named.given, record.id)
      await writePosition(options, { cursor: record.cursor, given })
    }
  } finally {
    options.signal.removeEventListener('abort', leave)
  }
  // A reader such as `head` has what it wanted.
  if (failure && failure.code !== 'EPIPE') throw failure
}

/** The position of a file. If there is none, it gets that from which the subscription begins now. */
async function readPosition(options: StreamOptions): Promise<Position> {
  const { afterFile: file, client, followed, variables } = options
  if (file === undefined) return {}
  const text = (await readFile(file, 'utf8').catch(ignoreMissing)) ?? ''
  if (text.trim() !== '') return followed.rule.cursor ? { cursor: text.trim() } : { given: readGiven(text, file) }
  const cursor = followed.start && (await findStartingPoint(client, followed.start, variables, options.log))
  await writePosition(options, { cursor })
  return { cursor }
}

/** The ids of a file for states. */
function readGiven(text: string, file: string): GivenIds {
  try {
    const given: unknown = JSON.parse(text)
    if (typeof given === 'object' && given !== null) return given as GivenIds
  } catch {}
  throw new Error(`${file} is not the --after-file of a stream of states: remove it, or name another one.`)
}

/** The mode of a file that only its owner can read. */
const ownerOnly = 0o600

/** Keeps the cursor of records, or the ids of states. Before the first of them, there is nothing to keep. */
async function writePosition({ afterFile, followed }: StreamOptions, { cursor, given }: Position): Promise<void> {
  const text = followed.rule.cursor ? cursor : given && JSON.stringify(given)
  if (afterFile !== undefined && text !== undefined) await writeAtomically(afterFile, `${text}\n`, ownerOnly)
}
