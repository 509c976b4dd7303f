import type { GraphQLResolveInfo } from 'graphql'
import { bech32Of, isSameAddress } from '#words/addresses/bytes'
import { isOnSource } from '#words/bridges/bridgeSteps'
import type { Context } from '../../../engine/graphql/builder.ts'
import { type PageArgs, readCursorArgs } from '../../../engine/graphql/pageArgs.ts'
import type { Boundary } from '../../../engine/pagination/cursor.ts'
import { type Item, scanPage } from '../../../engine/pagination/page.ts'
import type { ListOrder } from '../../../engine/pagination/source.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type Listed, UnreadableRecord } from '../../../engine/wire/decode.ts'
import type { AccountShape } from '../../account/account.ts'
import { chainShape } from '../../chain/knownChain.ts'
import { prefixOf } from '../../chain/prefix.ts'
import { accountTransactions, compareTimes } from '../../indexer/accounts/accountTransactions.ts'
import {
  chosenChains,
  type MultichainPage,
  maxFilteredReads,
  readBatch,
  readMultichain,
} from '../../indexer/accounts/multichainList.ts'
import { noteListedPlace } from '../../indexer/time/places.ts'
import { parseSpan, type Span, spanName, type TimeFilter } from '../../indexer/time/timeFilter.ts'
import { type FoundStep, isOf, readableSteps } from '../../indexer/transaction/bridgeSteps.ts'
import type { TransactionRecord } from '../../indexer/transaction/wire.ts'
import { accountSteps, always } from '../recorded/accountSteps.ts'
import { endOf, findCounterparty } from '../recorded/counterparty.ts'
import { TransferSteps, unlessFaulty } from '../recorded/transferSteps.ts'

/** A transaction of an account, and the bridge transfer of it that the list has at this place. */
export interface ListedTransfer {
  readonly record: Listed<TransactionRecord>
  /** Null for a transaction without one, which the list leaves out. Why it cannot be read, for one that cannot. */
  readonly step: FoundStep | GatewayError | null
}

/** A page of the bridge transfers of an account. */
export type TransferPage = MultichainPage<ListedTransfer>

interface TransferArgs extends PageArgs {
  readonly filter?: (TimeFilter & { readonly chainIds?: readonly string[] | null | undefined }) | null | undefined
  readonly whileUnavailable: 'PROVISIONAL' | 'HOLD_BACK'
}

/** The share of the requests and bytes of an operation up to which a page is read on. Then it is short: the searches need the rest. */
const listShare = 0.4

/** The most transactions that are read at once for a page, on all chains. On each, a list reads one more, to see whether there is a next page. */
const maxRowsAtOnce = 2_000

/** Reads a page of the bridge transfers of an account on several chains, by the time of the transactions that list them. */
export function readTransfers(
  { bytes, chains: all }: AccountShape,
  args: TransferArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<TransferPage> {
  const { order, whileUnavailable } = args
  const filter = args.filter ?? {}
  const { isForward } = readCursorArgs(args, context)
  const chains = chosenChains(all, filter.chainIds)
  const span = parseSpan(filter)
  const account = `0x${bytes}`
  const compare = (a: ListedTransfer, b: ListedTransfer) => compareTimes(a.record, b.record)
  const ids = [...chains.keys()].toSorted()
  const count = Math.max(20, Math.min(scanPage, Math.floor(maxRowsAtOnce / Math.max(1, chains.size))))
  const isToPast = (order === 'DESC') === isForward
  /** The time of the last record that was read of each chain. */
  const edges = new Map<string, bigint>()
  return readMultichain<ListedTransfer>(context, info, args, {
    name: `bridge transfers of ${JSON.stringify([bytes, ids, order, span ? spanName(span) : null])}`,
    account,
    chains,
    fixedEnds: [order === 'DESC' ? 'end' : 'start'],
    compare: order === 'DESC' ? (a, b) => compare(b, a) : compare,
    filter: ({ record, step }) => step !== null || record instanceof UnreadableRecord,
    maxReads: maxFilteredReads,
    canReadOn: () => context.scope.budget.hasRoom(listShare),
    isHeldBack: whileUnavailable === 'HOLD_BACK',
    async read(chain, request) {
      const source = await accountTransactions(context, chain, account, { span })
      const boundary = wholeRecord(request.boundary, isForward)
      const own = await accountSteps(context, chain, account, count + 1)
      const batch = await readBatch(context, chain, source, { ...request, boundary, count, order })
      if ('error' in batch) return batch
      const records = batch.items.map(({ item }) => item)
      const begin = 'position' in boundary ? edges.get(chain.chainId) : boundOf(span, !isToPast)
      const last = await own.note(records, isToPast, begin, batch.hasMore ? undefined : boundOf(span, isToPast))
      if (last !== undefined) {
        edges.set(chain.chainId, last)
        const position = batch.items.at(-1)?.position
        if (position?.kind === 'keyset') noteListedPlace(context, chain, position.key, last)
      }
      const lists = await Promise.all(
        batch.items.map(async ({ item: record, position }): Promise<readonly Item<ListedTransfer>[]> => {
          const steps = record instanceof UnreadableRecord ? [] : await listedSteps(context, chain, account, record)
          if (steps instanceof GatewayError) return [{ item: { record, step: steps }, position }]
          return itemsOf(record, steps, order).map((item) => ({ ...item, position }))
        }),
      )
      const items = lists.flatMap((parts) => (isForward ? parts : parts.toReversed()))
      return { ...batch, items: beyondPart(items, request.boundary, isForward) }
    },
  })
}

/** One end of a span of time: the first one for the past. */
const boundOf = (span: Span | undefined, isPast: boolean): bigint =>
  (isPast ? span?.since : span?.until) ?? (isPast ? always.from : always.until)

/** The place from which the record of a part is read again. */
function wholeRecord(boundary: Boundary, isForward: boolean): Boundary {
  if (!('part' in boundary) || boundary.part === undefined) return boundary
  return { kind: isForward ? 'before' : 'after', position: boundary.position }
}

/** The items without those of the first record that come before a part, or are it. */
function beyondPart(
  items: readonly Item<ListedTransfer>[],
  boundary: Boundary,
  isForward: boolean,
): readonly Item<ListedTransfer>[] {
  const part = 'part' in boundary ? boundary.part : undefined
  const [first] = items
  if (part === undefined || !first) return items
  return items.filter(
    ({ item, part: own = 0 }) => item.record !== first.item.record || (isForward ? own > part : own < part),
  )
}

/** One item for each step of a record, or one without a step. */
function itemsOf(record: Listed<TransactionRecord>, steps: readonly FoundStep[], order: ListOrder) {
  if (steps.length === 0) return [{ item: { record, step: null } }]
  const sorted = order === 'DESC' ? steps.toReversed() : steps
  return sorted.map((step, part) => ({ item: { record, step }, ...(steps.length > 1 ? { part } : {}) }))
}

/** The steps by which a list tells the transfers of an account: each once, by the departure if that is in the list. */
async function listedSteps(
  context: Context,
  chain: ServedChain,
  account: string,
  record: TransactionRecord,
): Promise<readonly FoundStep[] | GatewayError> {
  const all = await readableSteps(context, chain, record)
  if (all instanceof GatewayError) return all
  const own = all.filter((step) => isOf(step, account))
  const isListed = await Promise.all(own.map((step) => isToldBy(context, chain, account, step)))
  return own.filter((_, index) => isListed[index])
}

/**
 * Whether a step tells its transfer in the list of an account: the departure, or the arrival of its receiver where the list does
 * not have the departure.
 */
async function isToldBy(context: Context, chain: ServedChain, account: string, step: FoundStep): Promise<boolean> {
  if (step.kind === 'SENT') return true
  if (isOnSource(step)) return false
  const { chainId } = await findCounterparty(context, step)
  const source = context.network.chains.get(chainId ?? (await shownCounterparty(context, chain, step)) ?? '')
  if (!source) return true
  if (isSameAddress(step.sender, account) || (await isReadThere(context, source, step.receiver))) return false
  const sent = await unlessFaulty(new TransferSteps(context, chain, step).sent())
  return !sent || !isOf(sent, account)
}

/**
 * The chain that a step came from, where nothing but its departure can say it. One step shows it for all that come the same route,
 * the first of the list, which is likely to have its departure among the newest transactions.
 */
const shownCounterparty = (context: Context, chain: ServedChain, step: FoundStep): Promise<string | null> =>
  context.scope.memory.get(`chain at the other end of ${endOf(step)}`, async () => {
    const sent = await unlessFaulty(new TransferSteps(context, chain, step).sent())
    return sent?.chainId ?? null
  })

/** Whether the indexer of a chain takes a text in its records for an address: in its own spelling, or in hex. */
async function isReadThere(context: Context, chain: ServedChain, address: string | null): Promise<boolean> {
  const prefix = address === null ? undefined : bech32Of(address)?.prefix
  if (prefix === undefined) return true
  const own = await prefixOf(context, chainShape(chain))
  return own === null || own === prefix
}
