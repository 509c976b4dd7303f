import { createClient } from '@portolan/client'
import { PortolanError } from '@portolan/client/errors'
import { runProgram } from '#kit/cli'
import { messageOf } from '#kit/errors'
import { exportFile } from './exportFile.ts'
import type { ExportIo } from './io.ts'
import { toNotes } from './notes.ts'
import { type ExportOptions, help, readOptions } from './options.ts'
import { ChainsUnavailable } from './readPages.ts'
import { hasState } from './state.ts'
import { watchGateway } from './watchGateway.ts'

/** The surroundings of the command: those of an export, its environment, and its output. */
export interface ExportCliIo extends ExportIo {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
}

/**
 * Runs a command line. Resolves to the exit code: 2 for wrong options, 1 if it failed, 3 if a chain could not be read or
 * a record was left out, 130 if it was interrupted.
 */
export const runExport = (argv: readonly string[], io: ExportCliIo): Promise<number> =>
  runProgram(argv, io, { help, read: readOptions, run: (options) => runOptions(options, io) })

async function runOptions(options: ExportOptions, io: ExportCliIo): Promise<number> {
  const gateway = watchGateway(options.url, io)
  try {
    const client = createClient({ url: options.url, apiKey: io.env.PORTOLAN_API_KEY, fetch: gateway.fetch })
    const { rows, ledger } = await exportFile(options, client, io)
    const notes = toNotes(ledger.notes)
    io.err(`${options.out} has ${rows} rows.\n${notes.map((note) => `  ${note}\n`).join('')}`)
    if (io.signal.aborted) return endInterrupted(io)
    return ledger.notes.unreadable ? 3 : 0
  } catch (error) {
    if (io.signal.aborted) return endInterrupted(io)
    const isAway = error instanceof PortolanError && error.code === 'NETWORK'
    const message = (isAway && gateway.problem()) || messageOf(error)
    io.err(`${[message, ...adviceOn(error, await hasState(options.out))].join(' ')}\n`)
    return error instanceof ChainsUnavailable ? 3 : 1
  }
}

function endInterrupted(io: ExportCliIo): number {
  io.err('It was interrupted. Run the same command again to continue.\n')
  return 130
}

/** What was kept, and what to do. The messages of files say it themselves. */
function adviceOn(error: unknown, hasRows: boolean): readonly string[] {
  if (error instanceof ChainsUnavailable) {
    const kept = hasRows ? 'All rows before theirs are in the file.' : 'Nothing was written yet.'
    return [kept, 'Run the same command again later, or name other chains with --chain.']
  }
  if (!(error instanceof PortolanError)) return []
  const kept = hasRows ? 'All rows so far are in the file.' : 'Nothing was written yet.'
  return [`(${[error.code, error.service].filter(Boolean).join(' of ')})`, kept, remedies[error.code] ?? again]
}

const again = 'Run the same command again to continue.'

/** What helps against faults that do not pass. */
const remedies: Readonly<Record<string, string>> = {
  BAD_USER_INPUT: 'Correct the option, and run the command again.',
  UNAUTHENTICATED: 'Give PORTOLAN_API_KEY a key of this gateway, and run the command again.',
}
