import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import { encodeCursor } from '../../../engine/pagination/cursor.ts'
import { List } from '../../../engine/pagination/list.ts'
import { decodePageCursor } from '../../../engine/pagination/pageCursors.ts'
import { badInput, limitExceeded } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { RecordEvent } from '../../../engine/watch/sequenceSource.ts'
import { Block, readBlock } from '../block/block.ts'
import { type BlockRecord, blockList } from '../block/wire.ts'
import { blockFeed } from './blockFeed.ts'
import { gapNotice, LiveNotice, lateNotice, type Notice, stuckNotice } from './notice.ts'
import { startAfter } from './startAfter.ts'
import { chainToWatch, followChain } from './watchedChain.ts'

/** Blocks whose joins are read at once. They are sent in order. */
const eventsAtOnce = 8

interface LiveBlock {
  readonly chain: ServedChain
  readonly event: RecordEvent<BlockRecord>
  readonly cursor: () => string
}

// The cursors are those of `Chain.blocks`: a page leads on to the live list, and back.

const makeCursor = ({ signer, scope }: Context, chain: ServedChain, key: bigint): string =>
  encodeCursor(signer, new List(scope, chain.indexer, blockList, 'ASC').name, {
    kind: 'keyset',
    key,
    offset: 0,
  })

/** The height of a cursor of `blocks`, in either order. Throws `BAD_USER_INPUT`. */
function parseCursor({ signer, scope }: Context, chain: ServedChain, cursor: string): bigint {
  const read = (order: 'ASC' | 'DESC') =>
    decodePageCursor(signer, new List(scope, chain.indexer, blockList, order).name, cursor)
  let position: ReturnType<typeof read>
  try {
    position = read('ASC')
  } catch {
    position = read('DESC')
  }
  if (position.kind === 'keyset' && position.offset === 0) return position.key
  throw badInput('This cursor has no block height.', 'INVALID_CURSOR')
}

/** A hundred requests for ranges of blocks. Blocks further back are read in pages, which cost points. */
const maxCatchUpBlocks = 10_000n

function checkDistance(after: bigint, head: bigint): void {
  const distance = head - after
  if (distance <= maxCatchUpBlocks) return
  throw limitExceeded(
    'catch_up_blocks',
    'QUERY_TOO_COMPLEX',
    `\`after\` is ${distance} blocks behind. The limit is ${maxCatchUpBlocks}. Read those blocks with \`Chain.blocks\`, in ascending order, and subscribe after its last cursor.`,
  )
}

function toNotice({ chainId }: ServedChain, event: RecordEvent<BlockRecord>): Notice | null {
  const { position, head: headHeight } = event
  switch (event.kind) {
    case 'record':
      return null
    case 'gap':
      return gapNotice(chainId, headHeight)
    case 'late':
      return 'error' in event
        ? stuckNotice(`next blocks of ${chainId}`, headHeight, event.error)
        : lateNotice(chainId, headHeight)
    case 'headBehind': {
      const message = `The newest block of the indexer of ${chainId} is ${headHeight}, which is below ${position}.`
      return { kind: 'HEAD_BEHIND', message, headHeight, missing: null }
    }
    case 'missing': {
      const { first } = event
      const range = first === position ? `block ${first}` : `blocks ${first} to ${position}`
      const message = event.isUnreadable
        ? `The indexer of ${chainId} has ${range}, but what it returns cannot be read.`
        : `The indexer of ${chainId} has later blocks, but not ${range}.`
      return { kind: 'MISSING', message, headHeight, missing: { first, last: position } }
    }
  }
}

const LiveBlockEvent = builder.objectRef<LiveBlock>('LiveBlockEvent').implement({
  description: 'A block or a notice. The other one is null.',
  fields: (t) => ({
    cursor: t.value(
      'String',
      'Cursor of this event, for `after` here or in `Chain.blocks` in ascending order.',
      ({ cursor }) => cursor(),
    ),
    node: t.field({
      type: Block,
      nullable: true,
      description: 'The block. Null for a notice.',
      resolve: ({ chain, event }, _args, context) =>
        event.kind === 'record' ? readBlock(context, chain, event.record) : null,
    }),
    headHeight: t.value('UInt53', 'Newest height of the indexer when the event was sent.', ({ event }) => event.head),
    notice: t.nullable(LiveNotice, 'Why there is no block. Null for a block.', ({ chain, event }) =>
      toNotice(chain, event),
    ),
  }),
})

builder.subscriptionField('blocks', (t) =>
  t.field({
    type: LiveBlockEvent,
    description:
      'Every block of a chain, once and in order. Never completes. If none comes, `notice` says why. Ends with an error after ten minutes without the indexer, or if the chain is removed.',
    args: {
      chainId: t.arg({ type: 'ChainId', required: true, description: 'A chain of `chains`.' }),
      after: t.arg.string({
        description:
          'Cursor of an event or of `Chain.blocks`, at most 10,000 blocks behind: blocks after it come first, or the notice `GAP`. Default: the newest block.',
      }),
    },
    complexity: callCost,
    extensions: { eventsAtOnce },
    subscribe(_root, args, subscription) {
      const context = liveOf(subscription)
      const { network, feeds, lastEventId } = context
      const { chainId } = args
      let { after, isGap } = startAfter(lastEventId ?? args.after, (cursor) =>
        parseCursor(context, chainToWatch(network, chainId), cursor),
      )
      const open = (chain: ServedChain) =>
        feeds.listen(blockFeed(chain, context), {
          after,
          isGap: isGap ?? false,
          checkStart(head) {
            if (after !== undefined) checkDistance(after, head)
            after ??= head
          },
        })
      return followChain(network, chainId, open, (event, chain): LiveBlock => {
        after = event.position
        isGap = false
        return { chain, event, cursor: () => makeCursor(context, chain, event.position) }
      })
    },
    resolve: (event) => event,
  }),
)
