import type {
  InputFieldMap,
  InputShapeFromFields,
  FieldMap as PothosFieldMap,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core'
import type { builder } from './builder.ts'

type Types = typeof builder.$inferSchemaTypes

export type ObjectFields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>

/** The builder of the fields of an object or interface type. */
export type Fields<Shape> = PothosSchemaTypes.FieldBuilder<Types, Shape>

/** Fields by name, as a `fields` function returns them. */
export type FieldMap = PothosFieldMap

/** The values of a nullable field of a type. */
export type FieldValue<Type extends FieldType> = ShapeFromTypeParam<Types, Type, true>

export type FieldType = TypeParam<Types>

/** The arguments of a field by name, as `builder.args` makes them. */
export type ArgumentMap = InputFieldMap

/** The values of arguments. */
export type ArgsOf<Args extends ArgumentMap> = InputShapeFromFields<Args>
