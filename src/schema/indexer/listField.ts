import type { GraphQLResolveInfo } from 'graphql'
import { builder, type Context, callCost, type Field } from '../../engine/graphql/builder.ts'
import { type Connection, connectionType, type TypeRef } from '../../engine/graphql/connection.ts'
import type { ArgsOf, ArgumentMap, Fields } from '../../engine/graphql/fields.ts'
import { type PageArgs, pageArgs } from '../../engine/graphql/pageArgs.ts'
import { type ConnectionSource, resolveConnection } from '../../engine/graphql/resolveConnection.ts'
import { selectedFields } from '../../engine/graphql/selection.ts'
import type { Position } from '../../engine/pagination/cursor.ts'
import type { ListOrder, ListSource } from '../../engine/pagination/source.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import type { Listed } from '../../engine/wire/decode.ts'
import { type Awaitable, withValue } from '../../kit/awaitable.ts'
import type { ChainShape } from '../chain/knownChain.ts'
import { loadHeight } from './height.ts'
import { parseSpan, type TimeFilter, timedPageCost } from './time/timeFilter.ts'
import { inSpan, type TimedRecords } from './time/timeRange.ts'

/** A page of a list of an indexer. */
interface IndexedConnection<Node> extends Connection<Node> {
  /** The newest height of the indexer before the page was read, if it is selected. */
  readonly indexedHeight?: Promise<bigint | null>
}

/** What has lists: a chain, or an account or a record of one. */
type Owner = ChainShape | { readonly chain: ChainShape | ServedChain }

/** The values of the arguments of a list. Its filter may have bounds of time. */
type Values<Args extends ArgumentMap> = ArgsOf<Args> & PageArgs & { readonly filter?: TimeFilter | null | undefined }

/** What a list is asked for. */
interface ListRequest<Of, Args extends ArgumentMap> {
  readonly chain: ServedChain
  readonly owner: Of
  readonly args: Values<Args>
  readonly context: Context
}

type NodeOf<T, Node, Of, Args extends ArgumentMap> = (
  record: T,
  asked: ListRequest<Of, Args>,
  position: Position,
) => Node

/** How indexers list the records of a kind. */
interface Records<T> {
  /** What their lists have in common. The indexer counts them unless this or a list says otherwise. */
  readonly source: Partial<ListSource<Listed<T>>> & Pick<ListSource<Listed<T>>, 'page' | 'strategy'>
  /** How a list is read by time. Its filter can then have `since` and `until`. */
  readonly timed?: TimedRecords<T>
  /** Whether the indexer of a chain has such records. Their lists are null if not. */
  readonly isServed?: (context: Context, chain: ServedChain) => Awaitable<boolean>
}

/** The same, and the type of their pages. */
export interface ListedRecords<T, Node> extends Records<T> {
  readonly page: TypeRef<IndexedConnection<Node>>
}

/** A list of one owner: its path, and where it differs from other lists of its kind. */
type OwnList<T> = Partial<ConnectionSource<T>> & Pick<ConnectionSource<T>, 'path'>

interface ListFieldOptions<Of, T, Node, Args extends ArgumentMap> {
  readonly description: string
  /** The arguments besides those of pages. */
  readonly args?: Args
  /** The order by default. Newest first if left out. */
  readonly order?: ListOrder
  /** The cost, where it is more than that of a page and of the bounds of time. */
  readonly cost?: (args: Values<Args>, context: Context) => ReturnType<typeof timedPageCost>
  /** Throws `BAD_USER_INPUT` for arguments that are wrong on any chain, also on one without an indexer. */
  readonly check?: (args: Values<Args>) => void
  readonly list: (asked: ListRequest<Of, Args>) => Awaitable<OwnList<T>>
  readonly nodeOf: NodeOf<T, Node, Of, Args>
}

/** Defines the connection and edge types of records of indexers. `plural` is their name in descriptions: "blocks". */
export function listedRecords<T, Node>(
  node: TypeRef<Node>,
  plural: string,
  records: Records<T>,
): ListedRecords<T, Node> {
  const page: TypeRef<IndexedConnection<Node>> = connectionType(node, plural)
  builder.objectField(page, 'indexedHeight', (t) =>
    t.field({
      type: 'UInt53',
      nullable: true,
      description: 'The page is complete up to this height. Null if unknown.',
      complexity: callCost,
      resolve: ({ indexedHeight }) => indexedHeight ?? null,
    }),
  )
  return { ...records, page }
}

/** A field with a list of an indexer, in pages. Null without an indexer. */
export function listField<Of extends Owner, T, Node, Args extends ArgumentMap>(
  t: Fields<Of>,
  { page, source, timed, isServed }: ListedRecords<T, Node>,
  { description, args: ownArgs, order, cost = timedPageCost, check, list, nodeOf }: ListFieldOptions<Of, T, Node, Args>,
): Field {
  const resolve = (owner: Of, args: Values<Args>, context: Context, info: GraphQLResolveInfo) => {
    check?.(args)
    const { filter } = args
    const span = filter?.since == null && filter?.until == null ? undefined : parseSpan(filter)
    const chain = servedBy(owner)
    if (!chain) return null
    const toSource = (own: OwnList<T>): ConnectionSource<T> => {
      const whole = { total: 'count', ...source, ...own } as const
      return span && timed ? inSpan(context, chain, timed, whole, span) : whole
    }
    const asked = { chain, owner, args, context }
    return withValue(list(asked), (own) =>
      withValue(isServed?.(context, chain) ?? true, (served) =>
        served ? connect(asked, toSource(own), nodeOf, info) : null,
      ),
    )
  }
  const args = { ...ownArgs, ...pageArgs(order) }
  // TypeScript does not resolve Pothos' types for arguments that are generic.
  return t.field({
    type: page,
    nullable: true,
    description,
    args,
    complexity: cost as never,
    resolve: resolve as never,
  })
}

/** The chain that a list is read from. Null without an indexer. */
function servedBy(owner: Owner): ServedChain | null {
  const chain = 'chain' in owner ? owner.chain : owner
  return 'served' in chain ? chain.served : chain
}

async function connect<T, Node, Of, Args extends ArgumentMap>(
  asked: ListRequest<Of, Args>,
  source: ConnectionSource<T>,
  nodeOf: NodeOf<T, Node, Of, Args>,
  info: GraphQLResolveInfo,
): Promise<IndexedConnection<Node> | null> {
  const { chain, args, context } = asked
  const read = () =>
    resolveConnection(context, chain.indexer, source, args, (record, position) => nodeOf(record, asked, position), info)
  if (!selectedFields(info).has('indexedHeight')) return read()
  const indexedHeight = loadHeight(context, chain)
  // A height that cannot be read is an error of its own field.
  await indexedHeight.catch(() => {})
  const connection = await read()
  return connection && { ...connection, indexedHeight }
}
