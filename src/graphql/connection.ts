import type { InterfaceRef, ObjectRef } from '@pothos/core'
import { encodeCursor, type Position } from '../pagination/cursor.ts'
import type { ListPage } from '../pagination/readList.ts'
import { builder, type Context, callCost, keepable } from './builder.ts'

/** A page of a list, in the shape of the Relay cursor connections specification. */
export interface Connection<Node> {
  readonly edges: () => Edge<Node>[]
  readonly nodes: () => Node[]
  readonly pageInfo: PageInfoShape
  /** The number of records in the list. Null or undefined if the upstream cannot count them. */
  readonly countAll: () => Promise<bigint | null | undefined>
  readonly isTotalCountEstimate: boolean
}

/** The name of a list, or what makes it when the first cursor needs it. */
export type ListName = string | (() => string)

interface Edge<Node> {
  /** The name of the list, for the cursor. */
  readonly list: ListName
  readonly position: Position
  readonly node: Node
}

/** What writes the cursor of a list that is made of others. */
export type WriteCursor = () => string

/** Information about a page. A cursor is signed only if it is selected. */
export interface PageInfoShape {
  /** The name of the list, for the cursors. */
  readonly list: ListName
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly start: Position | WriteCursor | null
  readonly end: Position | WriteCursor | null
}

/**
 * The edges, nodes and page information of a page. `list` is the name of the list, for its cursors. They
 * hold positions: a cursor has a signature, which is computed only for the cursors that are selected.
 */
export function toConnection<T, Node>(
  list: ListName,
  page: ListPage<T>,
  toNode: (item: T, position: Position) => Node,
): Pick<Connection<Node>, 'edges' | 'nodes' | 'pageInfo'> {
  const { hasNextPage, hasPreviousPage, start, end } = page
  return {
    edges: () =>
      page.items.map(({ item, position }) => ({ list, position, node: toNode(item, position) })),
    nodes: () => page.items.map(({ item, position }) => toNode(item, position)),
    pageInfo: { list, hasNextPage, hasPreviousPage, start, end },
  }
}

/** Writes the cursor of a position. */
const cursorAt = ({ signer }: Context, list: ListName, position: Position): string =>
  encodeCursor(signer, typeof list === 'string' ? list : list(), position)

/** Writes the cursor of an end of a page. Null if the page is empty. */
const cursorOfEnd = (
  context: Context,
  list: ListName,
  end: PageInfoShape['start'],
): string | null => (typeof end === 'function' ? end() : end && cursorAt(context, list, end))

export const PageInfo = builder.objectRef<PageInfoShape>('PageInfo').implement({
  description: 'Information about a page of a list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', {
      description:
        'Whether a record follows this page. With a filter of the gateway: whether one may follow.',
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description: 'Whether a record precedes this page.',
    }),
    startCursor: t.string({
      ...keepable,
      nullable: true,
      description:
        'Cursor of the first edge. Pass as `before` to get the previous page. Null on an empty page.',
      resolve: ({ list, start }, _args, context) => cursorOfEnd(context, list, start),
    }),
    endCursor: t.string({
      ...keepable,
      nullable: true,
      description:
        'Cursor of the last edge. Pass as `after` to get the next page. Null on an empty page.',
      resolve: ({ list, end }, _args, context) => cursorOfEnd(context, list, end),
    }),
  }),
})

/** A type of the graph, by the value that stands for it. */
export type TypeRef<Shape> = ObjectRef<typeof builder.$inferSchemaTypes, Shape>

/** The type of the nodes of a list: of one kind, or an interface of several. */
export type NodeRef<Shape> = TypeRef<Shape> | InterfaceRef<typeof builder.$inferSchemaTypes, Shape>

/** The connection and edge types of a node type. `plural` names the records: "blocks". */
export function connectionType<Shape>(node: TypeRef<Shape>, plural: string) {
  const edge = builder.objectRef<Edge<Shape>>(`${node.name}Edge`).implement({
    description: `An edge of a page of ${plural}.`,
    fields: (t) => ({
      cursor: t.string({
        ...keepable,
        description:
          'Opaque cursor of this edge. Pass as `after` to get the next page, or as `before` to get the previous one.',
        resolve: ({ list, position }, _args, context) => cursorAt(context, list, position),
      }),
      node: t.expose('node', {
        type: node,
        nullable: true,
        description: 'The record. Null, with an error, if it cannot be read.',
      }),
    }),
  })
  return builder.objectRef<Connection<Shape>>(`${node.name}Connection`).implement({
    description: `A page of ${plural}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'The records with their cursors, in list order.',
        resolve: (connection) => connection.edges(),
      }),
      nodes: t.field({
        type: [node],
        nullable: { list: false, items: true },
        description:
          'The records without cursors, in list order. One that cannot be read is null, with an error.',
        resolve: (connection) => connection.nodes(),
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Information about this page.',
        resolve: (connection) => connection.pageInfo,
      }),
      totalCount: t.field({
        type: 'UInt53',
        nullable: true,
        description:
          'Number of records in the whole list. The first page is requested together with it, and another page costs one upstream request more, which can be slow. Null if the indexer cannot count them in time.',
        complexity: callCost,
        resolve: (connection) => connection.countAll(),
      }),
      isTotalCountEstimate: t.exposeBoolean('isTotalCountEstimate', {
        description:
          'Whether `totalCount` may be wrong: an outdated estimate of the upstream, or the distance from the oldest record to the newest, some of which may be missing.',
      }),
    }),
  })
}
