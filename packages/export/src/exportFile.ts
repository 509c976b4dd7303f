import { stat } from 'node:fs/promises'
import type { Client } from '@portolan/client'
import { exportRows } from './exportRows.ts'
import { csvForm } from './formats/csv.ts'
import { openLines } from './formats/lines.ts'
import { ndjsonForm } from './formats/ndjson.ts'
import type { Output } from './formats/output.ts'
import type { ExportIo } from './io.ts'
import { takeLock } from './lock.ts'
import type { ExportOptions } from './options.ts'
import { loadState, newState, type Purpose, type State, saveState } from './state.ts'
import type { Column } from './table.ts'
import { withSubject } from './withSubject.ts'

/**
 * Writes a file, or adds what is new to it. Resolves to its state when all is written, or the signal aborted.
 * @throws ChainsUnavailable if only chains are left that cannot be read. The rows before them are kept.
 */
export async function exportFile(options: ExportOptions, client: Client, io: ExportIo): Promise<State> {
  const { out, until, skipsUnreadable } = options
  await using lock = await takeLock(out, io)
  const purpose = purposeOf(options)
  const state = (await loadState(out, purpose)) ?? (await beginState(out, purpose))
  // Awaited here, since the lock is given back when this function returns.
  return await withSubject(options, client, io, async (source, table) => {
    const output = await openOutput(options, table.columns, state.extent)
    const save = async (next: State) => {
      await lock.check()
      await saveState(out, next)
    }
    const subject = { source, table }
    try {
      return await exportRows({ client, subject, output, state, until, skipsUnreadable, io, save })
    } finally {
      await output.close()
    }
  })
}

/** Where the graph is does not matter: a gateway may move. */
const purposeOf = ({
  url: _url,
  out: _out,
  skipsUnreadable: _skips,
  subject,
  format,
  ...options
}: ExportOptions): Purpose => ({
  ...{ version: 1, subject, format, options },
})

/** The state is on the disk before the file, so that a file without a state is somebody else's. */
async function beginState(out: string, purpose: Purpose): Promise<State> {
  const isThere = await stat(out).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`${out} is there, and was not written by this command. Use another name.`)
  const state = newState(purpose)
  await saveState(out, state)
  return state
}

async function openOutput({ format, out }: ExportOptions, columns: readonly Column[], extent: number): Promise<Output> {
  if (format === 'ndjson') return openLines(out, ndjsonForm(columns), extent)
  if (format !== 'parquet') return openLines(out, csvForm(columns), extent)
  // Only this format needs its library.
  const { openParquet } = await import('./formats/parquet.ts')
  return openParquet(out, columns, extent)
}
