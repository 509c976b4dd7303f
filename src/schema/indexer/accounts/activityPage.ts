import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../../engine/graphql/builder.ts'
import { type PageArgs, readCursorArgs } from '../../../engine/graphql/pageArgs.ts'
import { encodePlaces } from '../../../engine/pagination/mergedCursor.ts'
import { scanPage } from '../../../engine/pagination/page.ts'
import type { ListOffset } from '../../../engine/watch/keyedSource.ts'
import { type Listed, UnreadableRecord } from '../../../engine/wire/decode.ts'
import type { AccountShape } from '../../account/account.ts'
import { activityName, placeAfter } from '../live/startAfter.ts'
import { parseSpan, type Span, spanName, type TimeFilter } from '../time/timeFilter.ts'
import { checkDenoms, hasDenomOf } from '../transaction/denomFilter.ts'
import { checkTypes, hasMessageOf } from '../transaction/filter.ts'
import type { TransactionRecord } from '../transaction/wire.ts'
import { accountTransactions, compareTimes } from './accountTransactions.ts'
import {
  chosenChains,
  type MultichainEdge,
  type MultichainPage,
  maxFilteredReads,
  readBatch,
  readMultichain,
} from './multichainList.ts'

type Transaction = Listed<TransactionRecord>

/** A transaction on a page of an account's activity. */
export type ActivityEdge = MultichainEdge<Transaction>

/** A page of the transactions of an account on several chains. */
export interface Activity extends MultichainPage<Transaction> {
  /** Where the live activity continues. */
  readonly liveCursor: (() => string) | undefined
}

/** Which transactions of an account to list. */
interface Filter extends TimeFilter {
  readonly chainIds?: readonly string[] | null | undefined
  readonly messageTypes?: readonly string[] | null | undefined
  readonly denoms?: readonly string[] | null | undefined
  readonly signedOnly?: boolean | null | undefined
  readonly isSuccessful?: boolean | null | undefined
}

/** Whether the gateway filters, since no indexer does. */
export const isFiltered = (filter: Filter | null | undefined): boolean =>
  Boolean(filter?.messageTypes?.length) || Boolean(filter?.denoms?.length) || (filter?.isSuccessful ?? null) !== null

interface ActivityArgs extends PageArgs {
  readonly filter?: Filter | null | undefined
  readonly whileUnavailable: 'PROVISIONAL' | 'HOLD_BACK'
}

/** Reads a page of the transactions of an account on several chains, by time. */
export async function readActivity(
  { bytes, chains: all }: AccountShape,
  args: ActivityArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Activity> {
  const { order, whileUnavailable } = args
  const { isForward, cursor } = readCursorArgs(args, context)
  const filter = args.filter ?? {}
  const chains = chosenChains(all, filter.chainIds)
  const types = checkTypes(filter.messageTypes)
  const denoms = checkDenoms(filter.denoms)
  const span = parseSpan(filter)
  const keep = isFiltered(filter) ? keeps(types, denoms, filter.isSuccessful) : undefined
  const account = `0x${bytes}`
  // A page that begins with the newest records shows where they end.
  const isNewest = order === 'DESC' && isForward && cursor === null && !filter.signedOnly && !span
  const places = new Map<string, ListOffset | undefined>()
  const page = await readMultichain<Transaction>(context, info, args, {
    name: nameOf(bytes, [...chains.keys()], { ...filter, messageTypes: types }, span, order),
    account,
    chains,
    fixedEnds: [order === 'DESC' ? 'end' : 'start'],
    compare: order === 'DESC' ? (a, b) => compareTimes(b, a) : compareTimes,
    filter: keep,
    maxReads: keep ? maxFilteredReads : 1,
    isHeldBack: whileUnavailable === 'HOLD_BACK',
    async read(chain, request) {
      const signedOnly = filter.signedOnly ?? false
      const source = await accountTransactions(context, chain, account, { signedOnly, span })
      const count = keep ? scanPage : request.count
      const batch = await readBatch(context, chain, source, { ...request, count, order })
      if (request.boundary.kind === 'start' && 'items' in batch) {
        places.set(chain.chainId, placeAfter(batch.items[0]?.position))
      }
      return batch
    },
  })
  return { ...page, liveCursor: isNewest ? makeLiveCursor(context, bytes, places) : undefined }
}

/** The cursor where live activity continues. Undefined if the place on a chain is not known. */
function makeLiveCursor(
  { signer }: Context,
  key: string,
  found: ReadonlyMap<string, ListOffset | undefined>,
): (() => string) | undefined {
  const places = new Map<string, ListOffset>()
  // Chains answer in any order, and equal cursors are equal texts.
  for (const [chainId, place] of [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!place) return undefined
    places.set(chainId, place)
  }
  return () => encodePlaces(signer, activityName(key), places)
}

/** The name that the cursors of a list are signed for: its filters and its order. */
const nameOf = (
  bytes: string,
  chains: readonly string[],
  { messageTypes, denoms, signedOnly, isSuccessful }: Filter,
  span: Span | undefined,
  order: string,
): string =>
  `activity of ${JSON.stringify([
    bytes,
    chains.toSorted(),
    messageTypes ?? [],
    signedOnly ?? false,
    isSuccessful ?? null,
    order,
    ...(span ? [spanName(span)] : []),
    ...(denoms ? [{ denoms }] : []),
  ])}`

const keeps = (
  types: readonly string[] | undefined,
  denoms: readonly string[] | undefined,
  isSuccessful: boolean | null | undefined,
) => {
  const hasType = types && hasMessageOf(types)
  const hasDenom = denoms && hasDenomOf(denoms)
  return (record: Transaction): boolean =>
    (hasType?.(record) ?? true) &&
    (hasDenom?.(record) ?? true) &&
    ((isSuccessful ?? null) === null || record instanceof UnreadableRecord || (record.code === 0) === isSuccessful)
}
