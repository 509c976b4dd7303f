import type { Client } from '@portolan/client'
import type { PortolanError, ResponseError } from '@portolan/client/errors'
import { activityColumns } from '@portolan/kit/activityTable'
import { byteOrderMark, csvHead, csvRow } from '@portolan/kit/csv'
import { type Column, type Row, toColumns } from '@portolan/kit/table'
import {
  type AccountActivityFilter,
  CsvActivityDocument,
  CsvBalancesDocument,
  CsvTransfersDocument,
} from '../generated/graphql.ts'
import type { Span } from '../pages/account/activityFilter.ts'
import type { SideChoice } from '../pages/account/balanceChangeFilter.ts'
import { text } from '../text.ts'
import { type MissingChain, maxPages, maxRows, readActivity } from './readActivity.ts'
import { balanceColumns, balanceRow, chosenRows, ownerOf, transferColumns, transferRows } from './rows.ts'

export const subjects = ['activity', 'transfers', 'balances'] as const
export type Subject = (typeof subjects)[number]

/** What a file is made of. */
export interface FileOf {
  readonly subject: Subject
  readonly address: string
  /** The address in hex, by which all its spellings are known. */
  readonly hexAddress: string
  readonly filter: AccountActivityFilter
  readonly span: Span
  /** Which way, and with whom. What the page hides is in the file. */
  readonly sides: SideChoice
}

/** A file, and what it lacks. The same notes are its last lines, after the time of its prices. */
export interface CsvFile {
  readonly text: string
  readonly rows: number
  readonly notes: readonly string[]
}

interface Context {
  readonly client: Client
  readonly signal: AbortSignal
  readonly onProgress: (rows: number, oldest: number | undefined) => void
  /** The time of its prices, in milliseconds since 1970. */
  readonly now: number
}

/** Reads the rows of a file, page by page. */
export async function exportFile(file: FileOf, context: Context): Promise<CsvFile> {
  if (file.subject === 'balances') return exportBalances(file, context)
  const { client, signal, onProgress } = context
  const faults: ResponseError[] = []
  const options = { signal, onPartial: (error: PortolanError) => faults.push(...error.errors) }
  const shared = { span: file.span, onProgress, isAborted: () => signal.aborted }
  const variables = (after: string | undefined) => ({
    address: file.address,
    after,
    filter: file.filter,
  })
  const isActivity = file.subject === 'activity'
  const owner = ownerOf(file.hexAddress)
  const read = isActivity
    ? await readActivity({
        ...shared,
        async read(after) {
          const page = await client.query(CsvActivityDocument, variables(after), options)
          return known(page.account?.activity)
        },
        rowsOf: (edge) => chosenRows(edge, owner, file.sides),
      })
    : await readActivity({
        ...shared,
        async read(after) {
          const page = await client.query(CsvTransfersDocument, variables(after), options)
          return known(page.account?.activity)
        },
        rowsOf: (edge) => transferRows(edge, file.hexAddress, file.sides),
      })
  const oldest = read.oldest === undefined ? '' : new Date(read.oldest).toISOString()
  const stops = {
    complete: [],
    failed: [text.csv.stopped(oldest)],
    'too many rows': [text.csv.tooManyRows(maxRows, oldest)],
    'too many pages': [text.csv.tooManyPages(maxPages, oldest)],
  }
  const notes = [
    ...stops[read.end],
    ...(read.unreadable > 0 ? [text.csv.unreadable(read.unreadable)] : []),
    ...faultNotes(faults),
    ...missingNotes(read.missing),
  ]
  if (isActivity) return fileOf(activityColumns, read.rows, notes)
  return fileOf(transferColumns, read.rows, notes, pricesAt(context))
}

function known<Page>(page: Page | null | undefined): Page {
  if (!page) throw new Error(text.unknownFault)
  return page
}

/** One note for all cells that are empty because of a fault, with the codes of the faults. */
function faultNotes(faults: readonly ResponseError[]): readonly string[] {
  const codes = new Set(faults.map(({ extensions }) => String(extensions?.code ?? '')))
  return faults.length > 0 ? [text.csv.faults(faults.length, [...codes].join(', '))] : []
}

async function exportBalances({ address, filter }: FileOf, context: Context): Promise<CsvFile> {
  const { client, signal } = context
  const faults: ResponseError[] = []
  const options = { signal, onPartial: (error: PortolanError) => faults.push(...error.errors) }
  const { account } = await client.query(CsvBalancesDocument, { address }, options)
  const isWanted = (chainId: string) => filter.chainIds?.includes(chainId) ?? true
  const { balances, unavailableChains } = known(account?.balances)
  const rows = balances.filter(({ chain }) => isWanted(chain.chainId)).map(balanceRow)
  const missing = unavailableChains.filter(({ chain }) => isWanted(chain.chainId))
  return fileOf(balanceColumns, rows, [...faultNotes(faults), ...missingNotes(missing)], pricesAt(context))
}

const missingNotes = (chains: readonly MissingChain[]): readonly string[] =>
  chains.map(({ chain, code }) => text.csv.missing(chain.prettyName, code))

/** The graph has only present values of balances and of transfers. */
const pricesAt = ({ now }: Context): readonly string[] => [text.csv.prices(new Date(now).toISOString())]

/** Notes are text of a column of their own, below all rows. */
const noteColumns = toColumns({ note: 'text' })

function fileOf(
  columns: readonly Column[],
  rows: readonly Row[],
  notes: readonly string[],
  remarks: readonly string[] = [],
): CsvFile {
  const lines = rows.map((row) => csvRow(columns, row))
  const last = [...remarks, ...notes].map((note) => csvRow(noteColumns, [`# ${note}`]))
  return { text: [byteOrderMark, csvHead(columns), ...lines, ...last].join(''), rows: rows.length, notes }
}
