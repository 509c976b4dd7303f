import type { Client } from '@portolan/client'
import { PortolanError, type ResponseError } from '@portolan/client/errors'
import type { ExportIo } from './io.ts'
import type { Page, Source, UnavailableChain } from './subjects/subject.ts'

/** Records of the largest page. A gateway may allow less, and pages of large records are smaller. */
const largestPage = 40
/** Attempts to read a page before the export ends. */
const maxAttempts = 6
/** The longest wait between two attempts, in milliseconds. */
const maxWaitMs = 60_000

/** How the pages of a list are read. */
export interface ReadOptions<Edge> {
  readonly client: Client
  readonly source: Source<Edge>
  /** The cursor to begin after. */
  readonly after: string | undefined
  /** Whether to leave out a record that cannot be read. Else the error ends the list. */
  readonly skipsUnreadable: boolean
  /** Records of the largest page, if they are small. */
  readonly largest?: number
  readonly io: Pick<ExportIo, 'wait' | 'signal'>
}

/** A page that was read. A faulty one has a single record, of which not all could be read. */
export interface ReadPage<Edge> extends Page<Edge> {
  readonly isFaulty: boolean
  /** Values in dollars that are empty, since their price or asset has a form that cannot be read. */
  readonly unreadableValues: number
}

/** The list cannot go on, since records of these chains could come next. */
export class ChainsUnavailable extends Error {
  readonly chains: readonly UnavailableChain[]

  constructor(chains: readonly UnavailableChain[]) {
    super(`Chains cannot be read: ${chains.map(({ chainId, code }) => `${chainId} (${code})`).join(', ')}.`)
    this.chains = chains
  }
}

/**
 * The pages of a list, from a cursor to its present end. Faults that pass are waited for. After one that stays, the page
 * is read in smaller and smaller parts, so that the records before it are not lost.
 * @throws ChainsUnavailable if only chains are left that cannot be read. PortolanError for any other fault.
 */
export async function* readPages<Edge>(options: ReadOptions<Edge>): AsyncGenerator<ReadPage<Edge>, void> {
  const { io } = options
  let { after } = options
  let { largest = largestPage } = options
  let first = largest
  for (let attempt = 1; !io.signal.aborted; ) {
    const answer = await readPage(options, first, after)
    if (io.signal.aborted) return
    const fault = faultOf(answer)
    if (fault) {
      const isPassing = isPassingFault(fault)
      if (first > 1 && mayFit(fault, answer)) {
        first = Math.floor(first / 2)
        // A page that was refused unread is too large, whatever its records are.
        if (answer.page === undefined && isTooLarge(fault)) largest = first
        continue
      }
      if (isPassing && attempt < maxAttempts) {
        await io.wait(waitOf(fault, attempt))
        attempt += 1
        continue
      }
      if (isPassing || !options.skipsUnreadable || !answer.page?.endCursor) throw fault
    }
    const { page } = answer
    if (!page)
      throw new PortolanError(
        'BAD_USER_INPUT',
        'The gateway has no such list: it does not know the chain or the account.',
      )
    attempt = 1
    first = Math.min(largest, first * 2)
    yield { ...page, isFaulty: fault !== undefined, unreadableValues: answer.unreadableValues ?? 0 }
    if (!page.hasNextPage) return
    const isStuck = page.endCursor === null || (page.edges.length === 0 && page.endCursor === after)
    if (isStuck) throw new PortolanError('HTTP', 'The list has more records, and no cursor that leads to them.')
    after = page.endCursor ?? undefined
  }
}

/** A page, with the fault of its answer if it has one. */
interface Answer<Edge> {
  readonly page: Page<Edge> | undefined
  readonly error?: PortolanError
  readonly unreadableValues?: number
}

async function readPage<Edge>(
  { client, source, io }: ReadOptions<Edge>,
  first: number,
  after: string | undefined,
): Promise<Answer<Edge>> {
  try {
    const data = await client.query<unknown, object>(source.document, source.variablesAt({ first, after }), {
      signal: io.signal,
    })
    return { page: source.pageIn(data) }
  } catch (error) {
    if (io.signal.aborted) return { page: undefined }
    if (!(error instanceof PortolanError)) throw error
    const page = source.pageIn(error.partialData)
    const { length } = error.errors
    return length > 0 && error.errors.every(isOfValue) ? { page, unreadableValues: length } : { page, error }
  }
}

/**
 * Whether an error is of one value that stays unreadable. While the whole service fails, a value is only late: the code is the same,
 * and the message says what cannot be read.
 */
const isOfValue = ({ path, message, extensions }: ResponseError): boolean =>
  path?.at(-1) === 'usdValueAtTime' &&
  extensions?.code === 'UPSTREAM_INVALID_RESPONSE' &&
  /\bvalue that cannot be read\b/.test(message)

/** Why an answer cannot be used as it is. Undefined if it can. */
function faultOf<Edge>({ page, error }: Answer<Edge>): PortolanError | ChainsUnavailable | undefined {
  if (error) return error
  const isHeldBack = page && page.edges.length === 0 && page.hasNextPage && page.unavailable.length > 0
  return isHeldBack ? new ChainsUnavailable(page.unavailable) : undefined
}

/** Whether a page has too many records for the limits of the gateway. */
const isTooLarge = (fault: PortolanError | ChainsUnavailable): boolean =>
  !(fault instanceof ChainsUnavailable) && (fault.code === 'QUERY_TOO_COMPLEX' || fault.reason === 'PAGE_TOO_LARGE')

/** Whether a smaller page may succeed: it was too large, or one of its records has a fault that does not pass. */
const mayFit = <Edge>(fault: PortolanError | ChainsUnavailable, { page }: Answer<Edge>): boolean =>
  !(fault instanceof ChainsUnavailable) &&
  (isTooLarge(fault) || fault.code === 'UPSTREAM_TIMEOUT' || (page !== undefined && !isPassingFault(fault)))

/** Whether the same request may succeed later. */
const isPassingFault = (fault: PortolanError | ChainsUnavailable): boolean =>
  fault instanceof ChainsUnavailable ||
  /^(NETWORK|RATE_LIMITED|UPSTREAM_(TIMEOUT|UNAVAILABLE))$/.test(fault.code) ||
  Number(fault.status) >= 500

const waitOf = (fault: PortolanError | ChainsUnavailable, attempt: number): number => {
  const asked = fault instanceof ChainsUnavailable ? 0 : 1_000 * (fault.retryAfter ?? 0)
  return Math.min(maxWaitMs, Math.max(asked, 1_000 * 2 ** attempt))
}
