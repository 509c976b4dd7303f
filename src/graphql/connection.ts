import type { ObjectRef } from '@pothos/core'
import { builder, callCost } from './builder.ts'

/** A page of a list, as the Relay cursor connections specification has it. */
export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[]
  readonly pageInfo: PageInfo
  /** Asks for the number of records; null when the upstream cannot tell. */
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

const PageInfo = builder.objectRef<PageInfo>('PageInfo').implement({
  description: 'Where a page stands in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', {
      description: 'Whether a record follows the page, or may follow what a filter passed over.',
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description: 'Whether a record precedes the page.',
    }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'What to give as `before` for the page ahead; null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'What to give as `after` for the page behind; null on an empty page.',
    }),
  }),
})

/** The connection and edge types of a node type. `of` says in words what the list holds. */
export function connectionType<Shape>(
  node: ObjectRef<typeof builder.$inferSchemaTypes, Shape>,
  of: string,
) {
  const edge = builder.objectRef<Edge<Shape>>(`${node.name}Edge`).implement({
    description: `One of the ${of} of a page, with its cursor.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description: 'Opaque; stays good while records arrive, for this list in this order only.',
      }),
      node: t.field({
        type: node,
        description: 'The record.',
        resolve: (one) => one.node as never,
      }),
    }),
  })
  return builder.objectRef<Connection<Shape>>(`${node.name}Connection`).implement({
    description: `A page of ${of}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'The records with their cursors, in list order.',
        resolve: (connection) => [...connection.edges],
      }),
      nodes: t.field({
        type: [node],
        description: 'The records alone, in list order.',
        resolve: (connection) => connection.edges.map((one) => one.node) as never,
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Where the page stands in its list.',
        resolve: (connection) => connection.pageInfo,
      }),
      totalCount: t.field({
        type: 'BigInt',
        nullable: true,
        description:
          'Records in the whole list. Asked of the upstream only when selected, as it can be slow; null when it gave up counting or cannot tell.',
        complexity: callCost,
        resolve: (connection) => connection.countAll(),
      }),
      isTotalCountEstimate: t.exposeBoolean('isTotalCountEstimate', {
        description: "Whether `totalCount` is the upstream's estimate, which lags behind the list.",
      }),
    }),
  })
}
