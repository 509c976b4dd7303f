import type { Client } from '@portolan/client'
import { takeLock } from '#kit/lock/takeLock'
import type { Column } from '#kit/table'
import { exportRows } from './exportRows.ts'
import { csvForm } from './formats/csv.ts'
import { openLines } from './formats/lines.ts'
import { ndjsonForm } from './formats/ndjson.ts'
import type { Mark, OutputFile } from './formats/output.ts'
import type { ExportIo } from './io.ts'
import { toNotes, writeNotes } from './notes.ts'
import type { ExportOptions } from './options.ts'
import { createProgress } from './progress.ts'
import { loadState, type Purpose, type State, saveState } from './state.ts'
import { withSubject } from './withSubject.ts'

/**
 * Writes a file, or adds what is new to it. Resolves to its state when all is written, or the signal aborted.
 * @throws ChainsUnavailable if only chains are left that cannot be read. The rows before them are kept. Error if the file
 * is that of another export, was changed, or cannot be written.
 */
export async function exportFile(options: ExportOptions, client: Client, io: ExportIo): Promise<State> {
  const { out, until, skipsUnreadable } = options
  await using lock = await takeLock(out, io)
  const state = await loadState(out, purposeOf(options))
  const progress = createProgress(io, state.rows, until)
  try {
    // Awaited here, since the lock is given back when this function returns.
    return await withSubject(options, client, io, progress, async (source, table) => {
      await lock.check()
      const output = await openOutput(options, table.columns, state)
      const save = async (next: State) => {
        await lock.check()
        await saveState(out, next)
      }
      const end = ({ ledger }: State) => writeNotes(out, toNotes(ledger.notes))
      const subject = { source, table }
      return exportRows({ client, subject, output, state, skipsUnreadable, io, progress, save, end })
    })
  } finally {
    progress.end()
  }
}

/** By the names of the options. Where the graph is does not matter: a gateway may move. */
const purposeOf = (options: ExportOptions): Purpose => ({
  ...{ 'what to export': options.subject, '--format': options.format, '--address': options.address },
  ...{ '--chain': options.chains, '--since': options.since, '--until': options.until, '--own': options.own },
  ...{ '--include-unlisted': options.includesUnlisted, '--bom': options.bom ?? false },
})

async function openOutput(
  { format, out, bom }: ExportOptions,
  columns: readonly Column[],
  mark: Mark,
): Promise<OutputFile> {
  if (format === 'ndjson') return openLines(out, ndjsonForm(columns), mark)
  if (format !== 'parquet') return openLines(out, csvForm(columns, { bom }), mark)
  // Only this format needs its library.
  const { openParquet } = await import('./formats/parquet.ts')
  return openParquet(out, columns, mark)
}
