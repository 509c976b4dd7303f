import type { InterfaceRef, ObjectRef } from '@pothos/core'
import { encodeCursor, type Position } from '../pagination/cursor.ts'
import type { ListPage } from '../pagination/page.ts'
import { createPageCursors } from '../pagination/pageCursors.ts'
import type { Signer } from '../signing/signer.ts'
import { builder, callCost } from './builder.ts'

/** A page of a list, in the shape of the Relay cursor connections specification. */
export interface Connection<Node> {
  readonly edges: () => Edge<Node>[]
  readonly nodes: () => Node[]
  readonly pageInfo: PageInfoShape
  /** The number of records in the list. Null or undefined if the upstream cannot count them. */
  readonly countAll: () => Promise<bigint | null | undefined>
  readonly isTotalCountEstimate: boolean
}

interface Edge<Node> {
  /** Writes the cursor of a record of the page, by its index. */
  readonly cursorAt: (index: number) => string
  readonly index: number
  readonly node: Node
}

/** Writes a cursor. It is called only if the cursor is selected, since it has to be signed. */
export type WriteCursor = () => string

/** Information about a page. Both cursors are null on an empty page at an end of the list. */
export interface PageInfoShape {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly start: WriteCursor | null
  readonly end: WriteCursor | null
}

/** The edges, nodes and page information of a page. `list` returns the name of the list, for its cursors. */
export function toConnection<T, Node>(
  signer: Signer,
  list: () => string,
  page: ListPage<T>,
  toNode: (item: T, position: Position) => Node,
): Pick<Connection<Node>, 'edges' | 'nodes' | 'pageInfo'> {
  const { hasNextPage, hasPreviousPage, start, end } = page
  const cursorAt = createPageCursors(signer, list, () => page.items.map((each) => each.position))
  // The page ends behind its last edge if a filter left out the last records that were read.
  const atEnd = (position: Position | null, edge: number): WriteCursor | null =>
    position &&
    (() => (position === page.items[edge]?.position ? cursorAt(edge) : encodeCursor(signer, list(), position)))
  return {
    edges: () =>
      page.items.map(({ item, position }, index) => {
        return { cursorAt, index, node: toNode(item, position) }
      }),
    nodes: () => page.items.map(({ item, position }) => toNode(item, position)),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      start: atEnd(start, 0),
      end: atEnd(end, page.items.length - 1),
    },
  }
}

export const PageInfo = builder.objectRef<PageInfoShape>('PageInfo').implement({
  description: 'Where a page of a list ends.',
  fields: (t) => ({
    hasNextPage: t.value(
      'Boolean',
      'Whether a record follows this page, or may with a filter.',
      ({ hasNextPage }) => hasNextPage,
    ),
    hasPreviousPage: t.value('Boolean', 'Whether a record precedes this page.', (page) => page.hasPreviousPage),
    startCursor: t.nullable(
      'String',
      'Pass as `before` to get the previous page. Null on an empty page.',
      ({ start }) => start?.() ?? null,
    ),
    endCursor: t.nullable(
      'String',
      'Pass as `after` to get the next page. Null on an empty page.',
      ({ end }) => end?.() ?? null,
    ),
  }),
})

/** A type of the graph, by the value that stands for it. */
export type TypeRef<Shape> = ObjectRef<typeof builder.$inferSchemaTypes, Shape>

/** The type of the nodes of a list: of one kind, or an interface of several. */
export type NodeRef<Shape> = TypeRef<Shape> | InterfaceRef<typeof builder.$inferSchemaTypes, Shape>

/** The connection and edge types of a node type. `plural` names the records: "blocks". */
export function connectionType<Shape>(node: TypeRef<Shape>, plural: string) {
  const edge = builder.objectRef<Edge<Shape>>(`${node.name}Edge`).implement({
    description: `An edge of ${plural}.`,
    fields: (t) => ({
      cursor: t.value('String', 'Opaque cursor of this edge, for `after` or `before`.', ({ cursorAt, index }) =>
        cursorAt(index),
      ),
      node: t.nullable(node, 'The record. Null, with an error, if unreadable.', ({ node }) => node),
    }),
  })
  return builder.objectRef<Connection<Shape>>(`${node.name}Connection`).implement({
    description: `A page of ${plural}.`,
    fields: (t) => ({
      edges: t.value([edge], 'The records with cursors, in order.', (connection) => connection.edges()),
      nodes: t.field({
        type: [node],
        nullable: { list: false, items: true },
        description: 'The records, in order. Null, with an error, if unreadable.',
        resolve: (connection) => connection.nodes(),
      }),
      pageInfo: t.value(PageInfo, 'Where this page ends.', (connection) => connection.pageInfo),
      totalCount: t.field({
        type: 'UInt53',
        nullable: true,
        description:
          'Number of records in the whole list. Costs one slow upstream request on later pages. Null if too slow.',
        complexity: callCost,
        resolve: (connection) => connection.countAll(),
      }),
      isTotalCountEstimate: t.value(
        'Boolean',
        'Whether `totalCount` is only an estimate.',
        ({ isTotalCountEstimate }) => isTotalCountEstimate,
      ),
    }),
  })
}
