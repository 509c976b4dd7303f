import type { Context } from '../../engine/graphql/builder.ts'
import { type NodeShape, type NodeTypeOptions, nodeType, splitKey } from '../../engine/graphql/node.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { Chain } from '../chain/chain.ts'
import { chainShape } from '../chain/knownChain.ts'

/** The value of a node that belongs to a chain. */
export interface ChainNodeShape<Name extends string = string> extends NodeShape<Name> {
  readonly chain: ServedChain
}

/** The parts of a node type of a chain. Its fields come after `id` and `chain`. */
interface ChainNodeOptions<Shape extends ChainNodeShape>
  extends Pick<NodeTypeOptions<Shape>, 'description' | 'fields' | 'interfaces' | 'naturalKey'> {
  /** The key of a value, unique within its type and chain. */
  readonly keyOf: (value: Shape) => string
  /** Finds a value by its key. Null if none. Throws `BAD_USER_INPUT` for an invalid key. */
  readonly load: (chain: ServedChain, key: string, context: Context) => Shape | null | Promise<Shape | null>
}

/**
 * Defines a node type whose records belong to a chain. The chain id is part of the node's ID, and a
 * node of a chain that this gateway does not serve is null.
 */
export const chainNode = <Shape extends ChainNodeShape>(
  name: Shape['__typename'],
  { description, keyOf, load, fields, interfaces, naturalKey }: ChainNodeOptions<Shape>,
) =>
  nodeType<Shape>(name, {
    description,
    interfaces,
    naturalKey,
    keyOf: (value) => `${value.chain.chainId}/${keyOf(value)}`,
    load: (key, context) => {
      const [chainId, keyOnChain] = splitKey(key)
      const chain = context.network.chains.get(chainId)
      return chain ? load(chain, keyOnChain, context) : null
    },
    fields: (t) => ({
      chain: t.value(Chain, 'The chain.', ({ chain }) => chainShape(chain)),
      ...fields(t),
    }),
  })
