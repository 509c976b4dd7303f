import type { FieldMap as PothosFieldMap, ShapeFromTypeParam, TypeParam } from '@pothos/core'
import type { builder, Field } from './builder.ts'

type Types = typeof builder.$inferSchemaTypes

export type ObjectFields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>

/** The builder of the fields of an object or interface type. */
export type Fields<Shape> = PothosSchemaTypes.FieldBuilder<Types, Shape>

/** Fields by name, as a `fields` function returns them. */
export type FieldMap = PothosFieldMap

/** The values of a nullable field of a type. */
export type Shown<Type extends FieldType> = ShapeFromTypeParam<Types, Type, true>

export type FieldType = TypeParam<Types>

/** A field that shows a part of its value, if the upstream has it. `sentence` describes it without its null. */
export const nullableField = <Shape, Type extends FieldType>(
  t: Fields<Shape>,
  type: Type,
  sentence: string,
  pick: (shape: Shape) => Shown<Type>,
): Field =>
  t.field({
    type,
    nullable: true,
    description: `${sentence} Null if unknown.`,
    // TypeScript does not resolve Pothos' conditional types for a generic type.
    resolve: pick as never,
  })
