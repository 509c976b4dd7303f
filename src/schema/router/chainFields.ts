import type { builder, Context, Field } from '../../graphql/builder.ts'
import type { Optional } from '../../wire/optional.ts'
import { Chain } from '../chain/chain.ts'
import { chainOf } from '../chain/knownChain.ts'
import { readRouterValue } from './routerFields.ts'

type Fields<Shape> = PothosSchemaTypes.FieldBuilder<typeof builder.$inferSchemaTypes, Shape>

/** A field from a chain id to its chain. `which` says which chain it is, without a full stop. */
export const chainField = <Shape>(
  t: Fields<Shape>,
  which: string,
  idOf: (shape: Shape) => string,
): Field =>
  t.field({
    type: Chain,
    description: `${which}. Only its id may be known.`,
    resolve: (shape: Shape, _args: object, context: Context) => chainOf(context, idOf(shape)),
  })

/** Like `chainField`, where the router may leave out the id. */
export const optionalChainField = <Shape>(
  t: Fields<Shape>,
  which: string,
  idOf: (shape: Shape) => Optional<string>,
): Field =>
  t.field({
    type: Chain,
    nullable: true,
    description: `${which}. Null if unknown.`,
    resolve: (shape: Shape, _args: object, context: Context) => {
      const chainId = readRouterValue(idOf(shape))
      return chainId === null ? null : chainOf(context, chainId)
    },
  })
