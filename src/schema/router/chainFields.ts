import { type builder, type Context, type Field, keepable } from '../../graphql/builder.ts'
import { Chain } from '../indexer/chain.ts'
import { RouterChain, routerChainOf } from './routerChain.ts'
import { servedChain } from './routerInput.ts'

/** The field builder of an object or interface type. */
type Fields<Shape> = PothosSchemaTypes.FieldBuilder<typeof builder.$inferSchemaTypes, Shape>

/** A field from a chain id to its chain. `which` says which chain it is, without a full stop. */
export const chainField = <Shape>(
  t: Fields<Shape>,
  which: string,
  idOf: (shape: Shape) => string | null,
): Field =>
  t.field({
    ...keepable,
    type: Chain,
    nullable: true,
    description: `${which}. Null if this gateway does not serve it.`,
    resolve: (shape: Shape, _args: object, context: Context) => servedChain(context, idOf(shape)),
  })

/** A field from a chain id to the router's record of that chain. */
export const routerChainField = <Shape>(
  t: Fields<Shape>,
  description: string,
  idOf: (shape: Shape) => string | null,
): Field =>
  t.field({
    type: RouterChain,
    nullable: true,
    description,
    resolve: (shape: Shape, _args: object, context: Context) => routerChainOf(context, idOf(shape)),
  })
