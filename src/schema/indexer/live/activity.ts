import { bytesOf } from '#words/addresses/bytes'
import { builder, type Context, callCost, type LiveContext } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import { decodePlaces, encodePlaces } from '../../../engine/pagination/mergedCursor.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { FollowEvent } from '../../../engine/watch/followLists.ts'
import { mapIterator, prepend, resubscribe } from '../../../engine/watch/iterators.ts'
import type { ListOffset } from '../../../engine/watch/keyedSource.ts'
import { type Listed, UnreadableRecord } from '../../../engine/wire/decode.ts'
import { Chain } from '../../chain/chain.ts'
import { chainShape } from '../../chain/knownChain.ts'
import { IndexedTransaction } from '../indexedTransaction.ts'
import { transactionShape } from '../transaction/transaction.ts'
import type { TransactionRecord } from '../transaction/wire.ts'
import { gapNotice, LiveNotice, lateNotice, type Notice, stuckNotice, unreadableNotice } from './notice.ts'
import { activityName, startAfter } from './startAfter.ts'
import { transactionTail } from './transactionTail.ts'
import { chainToWatch, followedChain, goneError, isGone, onSourceReplaced } from './watchedChain.ts'

/** Events whose joins are read at once. */
export const eventsAtOnce = 8

/** A new transaction of an account, or a notice. */
export interface Activity extends Pick<FollowEvent<Listed<TransactionRecord>>, 'event'> {
  readonly chain: ServedChain
  /** The address of the account in hex. */
  readonly account: string
  readonly cursor: () => string
}

/** The transaction of an event. Null for a notice, and if it cannot be read. */
export const transactionOf = ({ event }: Activity): TransactionRecord | null =>
  event.kind !== 'record' || event.record instanceof UnreadableRecord ? null : event.record

/** The notice of an event. Null for a transaction that can be read. */
export function toNotice({ chain: { chainId }, event }: Activity): Notice | null {
  switch (event.kind) {
    case 'record':
      return event.record instanceof UnreadableRecord ? unreadableNotice(chainId) : null
    case 'gap':
      return gapNotice(chainId, null)
    case 'late':
      return 'error' in event
        ? stuckNotice(`new transactions of ${chainId}`, event.head ?? null, event.error)
        : lateNotice(chainId, event.head ?? null)
    case 'failed': {
      const { error } = event
      const message = error instanceof Error ? error.message : ''
      const kind = isGone(error) ? 'REMOVED' : 'UNSUPPORTED'
      return { kind, message, headHeight: null, missing: null }
    }
  }
}

export const ActivityEvent = builder.objectRef<Activity>('ActivityEvent').implement({
  description: 'A transaction or a notice. The other one is null.',
  fields: (t) => ({
    cursor: t.value('String', 'Cursor of this event on all chains, for `after`.', ({ cursor }) => cursor()),
    chain: t.value(Chain, 'The chain of the transaction or notice.', ({ chain }) => chainShape(chain)),
    node: t.nullable(IndexedTransaction, 'The transaction. Null for a notice.', (activity) => {
      const record = transactionOf(activity)
      return record && transactionShape(activity.chain, record)
    }),
    notice: t.nullable(
      LiveNotice,
      'Why a chain sends no transactions, or lacks one. Null for a transaction.',
      toNotice,
    ),
  }),
})

/** Which activity to follow. */
interface FollowArgs {
  readonly address: string
  readonly chainIds?: readonly string[] | null | undefined
  readonly after?: string | null | undefined
}

/** The arguments of a subscription that follows the activity of an account. */
export const followArgs = builder.args((t) => ({
  address: t.field({ type: 'Address', required: true, description: 'Bech32 with any prefix, or hex with 0x.' }),
  chainIds: t.field({ type: ['ChainId'], description: 'Only on these chains. All by default.' }),
  after: t.string({
    description:
      'Cursor of an event, or `liveCursor` of a page: events after it come first, or the notice `GAP`. Other chains start now.',
  }),
}))

/** The cost of following an account. */
export const followCost = ({ chainIds }: Pick<FollowArgs, 'chainIds'>, { network }: Context): number =>
  callCost * (chainIds?.length ?? network.chains.size)

/**
 * Follows the transactions of an account. `onPlace` is called with the id of each chain when what comes on it is not missed any
 * more. Throws `BAD_USER_INPUT` for arguments that cannot be.
 */
export function followActivity(
  context: LiveContext,
  args: FollowArgs,
  onPlace?: (chainId: string) => void,
): AsyncIterableIterator<Activity> {
  const { network, feeds, signer } = context
  const key = bytesOf(args.address)
  if (key === null) throw badInput('Invalid address. Use bech32, or hex with 0x.', 'INVALID_ADDRESS')
  const ids = new Set(args.chainIds ?? network.chains.keys())
  const chains = new Map([...ids].map((id) => [id, chainToWatch(network, id)]))
  const start = startAfter(context.lastEventId ?? args.after, (cursor) =>
    decodePlaces(signer, activityName(key), cursor),
  )
  const after: ReadonlyMap<string, ListOffset> = start.after ?? new Map()
  let isGap = start.isGap ?? false
  let readPlaces = (): ReadonlyMap<string, ListOffset> => after
  const open = () => {
    const places = readPlaces()
    const gone = [...ids].filter((id) => !network.chains.has(id))
    for (const id of gone) ids.delete(id)
    const [first] = gone
    if (first !== undefined && ids.size === 0) throw goneError(first)
    const served = [...ids].map((id) => followedChain(network, id))
    for (const chain of served) chains.set(chain.chainId, chain)
    const onStart = (now: typeof readPlaces) => {
      readPlaces = () => new Map([...places, ...now()])
    }
    const tails = served.map((chain) => transactionTail(chain, context))
    const notices = gone.map((list): FollowEvent<Listed<TransactionRecord>> => {
      return { list, event: { kind: 'failed', error: goneError(list) }, places }
    })
    const options = { key, after: places, isGap, onStart, onPlace }
    isGap = false
    return prepend(notices, feeds.follow(tails, options))
  }
  return mapIterator(
    resubscribe(open, onSourceReplaced(network, ids)),
    ({ list, event, places }): Activity => ({
      chain: chains.get(list) ?? chainToWatch(network, list),
      account: `0x${key}`,
      event,
      cursor: () => encodePlaces(signer, activityName(key), places),
    }),
  )
}

builder.subscriptionField('activity', (t) =>
  t.field({
    type: ActivityEvent,
    description:
      'New Cosmos transactions of an account, each once, in order on each chain. Never completes. A chain that fails has a `notice` and continues later. Transactions that do not name the owner of a Move store may be missing.',
    args: followArgs,
    complexity: followCost,
    // They are sent in one order, since the cursor of one says that all before it were.
    extensions: { eventsAtOnce },
    subscribe: (_root, args, subscription) => followActivity(liveOf(subscription), args),
    resolve: (activity) => activity,
  }),
)
