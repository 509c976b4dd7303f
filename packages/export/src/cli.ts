import { createClient } from '@portolan/client'
import { PortolanError } from '@portolan/client/errors'
import { exportFile } from './exportFile.ts'
import type { ExportIo } from './io.ts'
import { toNotes } from './notes.ts'
import { help, readOptions } from './options.ts'
import { ChainsUnavailable } from './readPages.ts'

/** The surroundings of the command: those of an export, its environment, and its output. */
export interface ExportCliIo extends ExportIo {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
}

/**
 * Runs a command line. Resolves to the exit code: 2 for wrong options, 1 if it failed, 3 if a chain could not be read or
 * a record was left out, 130 if it was interrupted.
 */
export async function runExport(argv: readonly string[], io: ExportCliIo): Promise<number> {
  let options: ReturnType<typeof readOptions>
  try {
    options = readOptions(argv)
  } catch (error) {
    io.err(`${messageOf(error)}\n\n${help}`)
    return 2
  }
  if (options === undefined) {
    io.out(help)
    return 0
  }
  try {
    const client = createClient({ url: options.url, apiKey: io.env.PORTOLAN_API_KEY })
    const { rows, ledger } = await exportFile(options, client, io)
    const notes = toNotes(ledger.notes)
    io.err(`${options.out} has ${rows} rows.\n${notes.map((note) => `  ${note}\n`).join('')}`)
    if (io.signal.aborted) return endInterrupted(io)
    return ledger.notes.unreadable ? 3 : 0
  } catch (error) {
    if (io.signal.aborted) return endInterrupted(io)
    io.err(`${messageOf(error)} ${adviceOn(error)}\n`)
    return error instanceof ChainsUnavailable ? 3 : 1
  }
}

function endInterrupted(io: ExportCliIo): number {
  io.err('It was interrupted. Run the same command again to continue.\n')
  return 130
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function adviceOn(error: unknown): string {
  if (error instanceof ChainsUnavailable)
    return 'All rows before theirs are in the file. Run the same command again later, or name other chains with --chain.'
  if (error instanceof PortolanError)
    return `(${[error.code, error.service].filter(Boolean).join(' of ')}) All rows so far are in the file. Run the same command again to continue.`
  return ''
}
