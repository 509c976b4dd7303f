import type { Client } from '@portolan/client'
import { PortolanError } from '@portolan/client/errors'
import type { Row } from '#kit/table'
import type { OutputFile } from './formats/output.ts'
import type { ExportIo } from './io.ts'
import type { Progress } from './progress.ts'
import { type ReadPage, readPages } from './readPages.ts'
import { addLast, isKnown, type State } from './state.ts'
import type { Subject } from './subjects/subject.ts'
import { addNote } from './table.ts'

/** The parts that an export is made of. */
export interface ExportParts<Edge> {
  readonly client: Client
  readonly subject: Subject<Edge>
  readonly output: OutputFile
  readonly state: State
  readonly skipsUnreadable: boolean
  readonly io: ExportIo
  readonly progress: Pick<Progress, 'show'>
  /** Keeps how far the export has come. */
  save(state: State): Promise<void>
  /** Called once nothing more is added, whatever ended it, unless the file cannot be written. */
  end(state: State): Promise<void>
}

/**
 * Adds the rows of all records after the state's cursor to the output. Whatever ends it, the rows of all pages that were
 * read are kept. Resolves to the state.
 */
export async function exportRows<Edge>(parts: ExportParts<Edge>): Promise<State> {
  const { output, save, io, progress } = parts
  let { state } = parts
  let isSaved = true
  let isWritable = true
  /** The state is on the disk before the file is changed, so that the next run can complete what this one could not. */
  const put = async (rows: readonly Row[], next: State, isLast: boolean) => {
    isWritable = false
    const mark = await output.stage(rows, isLast)
    state = { ...next, ...mark }
    isSaved = mark !== undefined
    if (isSaved) {
      await save(state)
      await output.commit()
    }
    isWritable = true
  }
  const add = async (page: ReadPage<Edge>) => {
    const next = await addPage(state, page, parts.subject)
    await put(next.rows, next.state, false)
    progress.show(state.rows, next.time)
  }
  const read = async () => {
    for await (const page of readPages({ ...parts, source: parts.subject.source, after: state.cursor })) await add(page)
  }
  try {
    await read().catch(async (error: unknown) => {
      if (state.cursor === undefined || !isLostCursor(error)) throw error
      io.err(
        'The gateway no longer knows the cursor. The list is read from its beginning, without the rows that the file has.\n',
      )
      state = { ...state, cursor: undefined, known: state.last }
      await read()
    })
  } finally {
    if (isWritable) {
      if (!isSaved) await put([], state, true)
      // From now on, an end that is missing was cut off by somebody else.
      if (state.pending !== '') {
        state = { ...state, pending: '' }
        await save(state)
      }
      await parts.end(state)
    }
  }
  return state
}

/** The rows of a page, and the state after it. */
async function addPage<Edge>(state: State, page: ReadPage<Edge>, { source, table }: Subject<Edge>) {
  const ledger = structuredClone(state.ledger)
  addNote(ledger, 'unreadableValues', page.unreadableValues)
  const edges = (page.isFaulty ? undefined : await table.prepare?.(page.edges, ledger)) ?? page.edges
  let { last } = state
  let time: string | undefined
  const rows = edges.flatMap((edge) => {
    const identity = source.identify(edge)
    if (page.isFaulty || !identity) {
      addNote(ledger, 'unreadable')
      return []
    }
    time = identity.time
    if (isKnown(state.known, identity)) return []
    last = addLast(last, identity)
    return table.rowsOf(edge, ledger)
  })
  const cursor = page.endCursor ?? state.cursor
  return { rows, time, state: { ...state, last, ledger, cursor, rows: state.rows + rows.length } }
}

const isLostCursor = (error: unknown): boolean =>
  error instanceof PortolanError && /^(CURSOR_EXPIRED|INVALID_CURSOR)$/.test(error.reason ?? '')
