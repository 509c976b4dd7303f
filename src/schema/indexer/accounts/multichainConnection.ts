import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { type NodeRef, PageInfo } from '../../../engine/graphql/connection.ts'
import { Chain } from '../../chain/chain.ts'
import { chainShape } from '../../chain/knownChain.ts'
import { ChainHeight, heightsField } from './listHeights.ts'
import type { MultichainEdge, MultichainPage } from './multichainList.ts'
import { UnavailableChain, unavailableField } from './unavailable.ts'

/** The records of a list over several chains, and the words for them. */
interface MultichainRecords<T, Shape> {
  /** The name of its types, without `Edge` and `Connection`. */
  readonly name: string
  readonly node: NodeRef<Shape>
  /** The records in words: "transactions of an account". */
  readonly records: string
  /** One of them: "transaction". */
  readonly one: string
  /** The graph's value for a record. */
  readonly nodeOf: (edge: MultichainEdge<T>, context: Context) => Shape
}

/** An edge with the graph's value for its record. */
export interface NodeEdge<T, Shape> extends MultichainEdge<T> {
  readonly node: Shape
}

/** The connection and edge types of a list over several chains. */
export function multichainConnection<T, Shape, Page extends MultichainPage<T> = MultichainPage<T>>(
  options: MultichainRecords<T, Shape>,
) {
  const { name, node, records, one, nodeOf } = options
  const edge = builder.objectRef<NodeEdge<T, Shape>>(`${name}Edge`).implement({
    description: `An edge of ${records} on several chains.`,
    fields: (t) => ({
      cursor: t.value('String', 'Opaque cursor of this edge on all chains, for `after` or `before`.', ({ cursor }) =>
        cursor(),
      ),
      chain: t.value(Chain, `The chain of the ${one}.`, ({ chain }) => chainShape(chain)),
      node: t.nullable(node, `The ${one}. Null, with an error, if it cannot be read.`, ({ node }) => node),
      isProvisional: t.value(
        'Boolean',
        'Whether records of an unavailable chain may belong before it. They come later.',
        ({ merged }) => merged.isProvisional,
      ),
    }),
  })
  const connection = builder.objectRef<Page>(`${name}Connection`).implement({
    description: `A page of ${records} on several chains.`,
    fields: (t) => ({
      edges: t.value([edge], 'The records with cursors and chains, in order.', ({ edges }, _args, context) =>
        edges.map((each) => ({ ...each, node: nodeOf(each, context) })),
      ),
      nodes: t.field({
        type: [node],
        nullable: { list: false, items: true },
        description: 'The records, in order. Null, with an error, if unreadable.',
        resolve: ({ edges }, _args, context) => edges.map((edge) => nodeOf(edge, context)),
      }),
      pageInfo: t.value(PageInfo, 'Where this page ends.', ({ pageInfo }) => pageInfo),
      [heightsField]: t.field({
        type: [ChainHeight],
        description: 'The page is complete up to these heights.',
        complexity: (_args, { network }) => callCost * network.chains.size,
        resolve: ({ heights }) => [...heights],
      }),
      [unavailableField]: t.value(
        [UnavailableChain],
        'Chains that could not be read. A later page has their records. `errors` names them unless you select this.',
        ({ unavailable }) => unavailable,
      ),
    }),
  })
  return { connection, edge }
}
