import type { GraphQLResolveInfo } from 'graphql'
import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { type Connection, connectionType, type TypeRef } from '../../engine/graphql/connection.ts'
import type { PageArgs } from '../../engine/graphql/pageArgs.ts'
import { type BatchedList, resolveConnection } from '../../engine/graphql/resolveConnection.ts'
import { selectedFields } from '../../engine/graphql/selection.ts'
import type { Position } from '../../engine/pagination/cursor.ts'
import type { ListSource } from '../../engine/pagination/source.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import type { Listed } from '../../engine/wire/decode.ts'
import { heightOf } from './height.ts'

/** A page of a list of an indexer. */
export interface IndexedConnection<Node> extends Connection<Node> {
  /** The newest height of the indexer before the page was read, if it is selected. */
  readonly indexedHeight?: Promise<bigint | null>
}

/** The connection and edge types of a node type whose lists are those of indexers. */
export function indexedConnectionType<Shape>(node: TypeRef<Shape>, plural: string) {
  const connection: TypeRef<IndexedConnection<Shape>> = connectionType(node, plural)
  builder.objectField(connection, 'indexedHeight', (t) =>
    t.field({
      type: 'UInt53',
      nullable: true,
      description: 'The page is complete up to this height. Null if unknown.',
      complexity: callCost,
      resolve: ({ indexedHeight }) => indexedHeight ?? null,
    }),
  )
  return connection
}

/** Resolves a connection over a list of an indexer, as `resolveConnection` does. */
export function connectIndexed<T, Node>(
  context: Context,
  chain: ServedChain,
  list: ListSource<Listed<T>> | BatchedList<T>,
  args: PageArgs,
  nodeOf: (item: T, position: Position) => Node,
  info: GraphQLResolveInfo,
): Promise<IndexedConnection<Node> | null> {
  const read = () => resolveConnection(context, chain.indexer, list, args, nodeOf, info)
  return selectedFields(info).has('indexedHeight') ? withHeight(context, chain, read) : read()
}

async function withHeight<Node>(
  context: Context,
  chain: ServedChain,
  read: () => Promise<Connection<Node> | null>,
): Promise<IndexedConnection<Node> | null> {
  const indexedHeight = heightOf(context, chain)
  // A height that cannot be read is an error of its own field.
  await indexedHeight.catch(() => {})
  const connection = await read()
  return connection && { ...connection, indexedHeight }
}
