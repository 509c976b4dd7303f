import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { Client } from '@portolan/client'
import { toLiveRecord } from './liveRecord.ts'
import type { Followed } from './resumeRule.ts'
import { findStartingPoint } from './startingPoint.ts'
import { writeAtomically } from './writeAtomically.ts'

/** What a stream is made of. */
export interface StreamOptions {
  readonly client: Pick<Client, 'query' | 'subscribe'>
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly followed: Followed
  /** A file with the cursor of the last line, from which it continues. */
  readonly afterFile: string | undefined
  readonly output: Writable
  readonly signal: AbortSignal
}

/**
 * Writes a line for each event until the subscription ends, the signal aborts, or nobody reads the output any longer. It
 * waits for slow readers. The cursor is kept after its line has been passed on, so a line can come twice. What a reader had
 * not stored when it died, only the reader knows.
 */
export async function stream(options: StreamOptions): Promise<void> {
  const { client, document, followed, afterFile, output } = options
  const { rule } = followed
  const cursor = afterFile === undefined ? undefined : await readCursor(afterFile, options)
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
      document,
      { ...options.variables, ...after },
      { signal: left.signal, resume: rule },
    )
    for await (const event of live) {
      const record = toLiveRecord('', followed, event, live.cursor)
      if (!record) break
      const isFree = output.write(`${JSON.stringify(record)}\n`)
      if (!isFree) await once(output, 'drain', { signal: left.signal }).catch(() => {})
      if (left.signal.aborted) break
      if (afterFile !== undefined && record.cursor !== undefined) await writeAtomically(afterFile, `${record.cursor}\n`)
    }
  } finally {
    options.signal.removeEventListener('abort', leave)
  }
  // A reader such as `head` has what it wanted.
  if (failure && failure.code !== 'EPIPE') throw failure
}

/** The cursor of a file. If there is none, it gets that from which the subscription begins now. */
async function readCursor(file: string, { client, followed, variables }: StreamOptions): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (text.trim() !== '') return text.trim()
  const cursor = followed.start && (await findStartingPoint(client, followed.start, variables))
  if (cursor !== undefined) await writeAtomically(file, `${cursor}\n`)
  return cursor
}
