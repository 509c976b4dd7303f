import type { ObjectRef } from '@pothos/core'
import { encodeCursor, type Position } from '../pagination/cursor.ts'
import type { ListPage } from '../pagination/listPage.ts'
import { builder, callCost } from './builder.ts'

/** A page of a list, in the shape of the Relay cursor connections specification. */
export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[]
  readonly pageInfo: PageInfo
  /** Requests the number of records in the list. Null if the upstream cannot count them. */
  readonly countAll: () => Promise<bigint | null>
  readonly isTotalCountEstimate: boolean
}

interface Edge<Node> {
  readonly cursor: string
  readonly node: Node
}

interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** The edges and page information of a page. `list` is the name of the list, for its cursors. */
export function toConnection<T, Node>(
  list: string,
  { items, hasNextPage, hasPreviousPage, start, end }: ListPage<T>,
  toNode: (item: T) => Node,
): Pick<Connection<Node>, 'edges' | 'pageInfo'> {
  const cursorOf = (position: Position | null) => position && encodeCursor(list, position)
  return {
    edges: items.map(({ item, position }) => ({
      cursor: encodeCursor(list, position),
      node: toNode(item),
    })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: cursorOf(start),
      endCursor: cursorOf(end),
    },
  }
}

const PageInfo = builder.objectRef<PageInfo>('PageInfo').implement({
  description: 'Information about a page of a list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', {
      description:
        'Whether a record follows this page. With a filter of the gateway: whether one may follow.',
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description: 'Whether a record precedes this page.',
    }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description:
        'Cursor of the first edge. Pass as `before` to get the previous page. Null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description:
        'Cursor of the last edge. Pass as `after` to get the next page. Null on an empty page.',
    }),
  }),
})

type Types = typeof builder.$inferSchemaTypes

/** The connection and edge types of a node type. `plural` names the records: "blocks". */
export function connectionType<Shape>(node: ObjectRef<Types, Shape>, plural: string) {
  const edge = builder.objectRef<Edge<Shape>>(`${node.name}Edge`).implement({
    description: `An edge of a page of ${plural}.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description:
          'Opaque cursor of this edge. Pass as `after` to get the next page, or as `before` to get the previous one.',
      }),
      node: t.expose('node', { type: node, description: 'The record.' }),
    }),
  })
  return builder.objectRef<Connection<Shape>>(`${node.name}Connection`).implement({
    description: `A page of ${plural}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'The records with their cursors, in list order.',
        resolve: (connection) => connection.edges,
      }),
      nodes: t.field({
        type: [node],
        description: 'The records without cursors, in list order.',
        resolve: (connection) => connection.edges.map((edge) => edge.node),
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Information about this page.',
        resolve: (connection) => connection.pageInfo,
      }),
      totalCount: t.field({
        type: 'BigInt',
        nullable: true,
        description:
          'Number of records in the whole list. Costs one upstream request, which can be slow. Null if the indexer cannot count them in time.',
        complexity: callCost,
        resolve: (connection) => connection.countAll(),
      }),
      isTotalCountEstimate: t.exposeBoolean('isTotalCountEstimate', {
        description: 'Whether `totalCount` is an estimate of the upstream, which may be outdated.',
      }),
    }),
  })
}
