import { type ReadOptions, readPages } from '../readPages.ts'
import { type Action, transferIdOf } from '../subjects/activity.ts'
import { type ActivityFilter, activityDocument, activityPageIn, identifyEdge } from '../subjects/activityPage.ts'
import type { Source } from '../subjects/subject.ts'

interface RefundEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly hash: string
    readonly timestamp: string | null
    readonly actions: readonly Pick<Action, 'kind' | 'channel' | 'packetSequence'>[]
  } | null
}

/** The messages that return coins, over both versions of IBC. */
const messageTypes = ['v1', 'v2'].flatMap((version) =>
  ['MsgTimeout', 'MsgTimeoutOnClose', 'MsgAcknowledgement'].map((name) => `ibc.core.channel.${version}.${name}`),
)

/**
 * The transfers of an account that came back, as in `transfer_id`. They are known before the first row is written, since
 * what left must not be written as a send.
 */
export async function findRefunds(
  address: string,
  filter: ActivityFilter,
  options: Omit<ReadOptions<RefundEdge>, 'source' | 'after' | 'skipsUnreadable'>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const source: Source<RefundEdge> = {
    document: activityDocument('ExportRefunds', 'node { hash timestamp actions { kind channel packetSequence } }'),
    variablesAt: (place) => ({ address, filter: { ...filter, messageTypes }, ...place }),
    pageIn: activityPageIn<RefundEdge>,
    identify: identifyEdge,
  }
  for await (const page of readPages({ ...options, source, after: undefined, skipsUnreadable: false })) {
    for (const { chain, node } of page.edges)
      for (const action of node?.actions ?? []) {
        const id = action.kind === 'BRIDGE_REFUND' ? transferIdOf(chain.chainId, action) : null
        if (id !== null) found.add(id)
      }
  }
  return found
}
