import type { Context } from '../../../graphql/builder.ts'
import type { PageInfoShape } from '../../../graphql/connection.ts'
import { type PageArgs, readCursorArgs } from '../../../graphql/pageArgs.ts'
import { type Gap, positionBeside } from '../../../pagination/gap.ts'
import { fetchListPage, type ListSource } from '../../../pagination/listPage.ts'
import { decodeMergedCursor, encodeMergedCursor } from '../../../pagination/mergedCursor.ts'
import {
  type Batch,
  type MergedItem,
  type MergedList,
  mergePage,
} from '../../../pagination/mergedPage.ts'
import { scanPage } from '../../../pagination/source.ts'
import { type Listed, UnreadableRecord } from '../../../upstream/decode.ts'
import { badInput, GatewayError } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import type { MultichainAccountShape } from '../../account/multichainAccount.ts'
import { checkTypes, hasMessageOf } from '../transaction/connections.ts'
import {
  accountTransactionsPath,
  type TransactionRecord,
  transactionsPage,
} from '../transaction/wire.ts'
import { withinShare } from './chainShare.ts'
import { type UnavailableChainShape, unavailableChains } from './unavailable.ts'

type Transaction = Listed<TransactionRecord>

/** A transaction on a page of an account's activity. */
export interface ActivityEdge {
  readonly chain: ServedChain
  readonly merged: MergedItem<Transaction>
  readonly cursor: () => string
}

/** A page of the transactions of an account on several chains. */
export interface Activity {
  readonly edges: readonly ActivityEdge[]
  readonly pageInfo: PageInfoShape
  readonly unavailable: readonly UnavailableChainShape[]
}

/** Which transactions of an account to list. */
interface Filter {
  readonly chains?: readonly string[] | null | undefined
  readonly messageTypes?: readonly string[] | null | undefined
  readonly signedOnly?: boolean | null | undefined
  readonly isSuccessful?: boolean | null | undefined
}

/** Whether the gateway filters, since no indexer does. */
export const isFiltered = (filter: Filter | null | undefined): boolean =>
  Boolean(filter?.messageTypes?.length) || (filter?.isSuccessful ?? null) !== null

interface ActivityArgs extends PageArgs {
  readonly filter?: Filter | null | undefined
  readonly whileUnavailable: 'PROVISIONAL' | 'HOLD_BACK'
}

/** How often one page reads each chain: with a filter, as many as need be examined to find few records. */
const maxFilteredReads = 3

/** Reads a page of the transactions of an account on several chains, by time. */
export async function readActivity(
  { bytes }: MultichainAccountShape,
  args: ActivityArgs,
  context: Context,
): Promise<Activity> {
  const { order, whileUnavailable } = args
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const filter = args.filter ?? {}
  const chains = chosenChains(context, filter.chains)
  const types = checkTypes(filter.messageTypes)
  const name = nameOf(bytes, [...chains.keys()], { ...filter, messageTypes: types }, order)
  const keep = isFiltered(filter) ? keeps(types, filter.isSuccessful) : undefined
  const size = keep ? scanPage : count
  const { signer } = context
  const page = await mergePage<Transaction>({
    lists: [...chains].map(([chainId, chain]): MergedList<Transaction> => {
      const path = accountTransactionsPath(`0x${bytes}`)
      const query = filter.signedOnly ? { is_signer: true } : undefined
      const request = { order, isForward, count: size }
      return {
        name: chainId,
        read: (gap) => readChain(context, chain, { path, query }, { ...request, gap }),
      }
    }),
    from: cursor === null ? new Map() : decodeMergedCursor(signer, name, cursor),
    count,
    isForward,
    fixedEnd: order === 'DESC' ? 'end' : 'start',
    compare: order === 'DESC' ? (a, b) => compareTimes(b, a) : compareTimes,
    filter: keep,
    maxReads: keep ? maxFilteredReads : 1,
    isHeldBack: whileUnavailable === 'HOLD_BACK',
  })

  const write = (places: ReadonlyMap<string, Gap>) => () => encodeMergedCursor(signer, name, places)
  const edges = page.items.flatMap((merged): ActivityEdge[] => {
    const chain = chains.get(merged.list)
    const at = () => encodeMergedCursor(signer, name, merged.places())
    return chain ? [{ chain, merged, cursor: at }] : []
  })
  const [first, last] = [edges[0], edges.at(-1)]
  const far = last && !page.isPastItems ? last.cursor : write(page.end)
  const near = first?.cursor ?? far
  return {
    edges: isForward ? edges : edges.toReversed(),
    pageInfo: {
      list: name,
      hasNextPage: isForward ? page.hasMore : cursor !== null,
      hasPreviousPage: isForward ? cursor !== null : page.hasMore,
      start: isForward ? near : far,
      end: isForward ? far : near,
    },
    unavailable: unavailableChains(page.errors),
  }
}

/** The chains with these IDs. Throws `BAD_USER_INPUT` for a chain without an indexer. */
function chosenChains(
  { network: { chains } }: Context,
  ids: readonly string[] | null | undefined,
): ReadonlyMap<string, ServedChain> {
  if (!ids) return chains
  const chosen = new Map([...chains].filter(([chainId]) => ids.includes(chainId)))
  const missing = ids.find((id) => !chains.has(id))
  if (missing === undefined) return chosen
  throw badInput('`filter.chains` names a chain without an indexer. `chains` has those with one.')
}

/** What the cursors of a list are signed for: all that decides which records it has, and their order. */
const nameOf = (
  bytes: string,
  chains: readonly string[],
  { messageTypes, signedOnly, isSuccessful }: Filter,
  order: string,
): string =>
  `activity of ${JSON.stringify([
    bytes,
    chains.toSorted(),
    messageTypes ?? [],
    signedOnly ?? false,
    isSuccessful ?? null,
    order,
  ])}`

const keeps = (types: readonly string[] | undefined, isSuccessful: boolean | null | undefined) => {
  const hasType = hasMessageOf(types)
  return (record: Transaction): boolean =>
    (hasType?.(record) ?? true) &&
    ((isSuccessful ?? null) === null ||
      record instanceof UnreadableRecord ||
      (record.code === 0) === isSuccessful)
}

/** Compares by time. Undefined where a record cannot be read. */
const compareTimes = (a: Transaction, b: Transaction): number | undefined => {
  if (a instanceof UnreadableRecord || b instanceof UnreadableRecord) return undefined
  const [left, right] = [timeOf(a), timeOf(b)]
  return left < right ? -1 : Number(left > right)
}

/** The time as text that sorts as the times do. Times on the wire are in UTC, with any number of decimals. */
const timeOf = ({ timestamp }: TransactionRecord): string =>
  timestamp.slice(0, 19) + timestamp.slice(20, -1).padEnd(9, '0')

/** Reads a page of one chain. Resolves to an error if the chain does not answer within its share of the time. */
async function readChain(
  context: Context,
  chain: ServedChain,
  { path, query }: Pick<ListSource<Transaction>, 'path' | 'query'>,
  request: {
    readonly order: 'ASC' | 'DESC'
    readonly isForward: boolean
    readonly count: number
    readonly gap: Gap
  },
): Promise<Batch<Transaction> | { readonly error: unknown }> {
  const { gap, isForward } = request
  const from = positionBeside(gap, isForward)
  if (from === undefined) return { items: [], hasMore: false }
  const source: ListSource<Transaction> = {
    path,
    query,
    page: transactionsPage,
    strategy: { kind: 'keyset', field: 'sequence' },
    total: 'none',
  }
  try {
    const page = await withinShare(context, chain.chainId, () =>
      fetchListPage(context, chain.indexer, source, { ...request, from }),
    )
    if (page === null) return { items: [], hasMore: false }
    return isForward
      ? { items: page.items, hasMore: page.hasNextPage }
      : { items: page.items.toReversed(), hasMore: page.hasPreviousPage }
  } catch (error) {
    // What the client did wrong is an error of the whole list.
    if (error instanceof GatewayError && error.code === 'BAD_USER_INPUT') throw error
    return { error }
  }
}
