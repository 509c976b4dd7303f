import type { FieldMap as PothosFieldMap } from '@pothos/core'
import type { builder } from './builder.ts'

/** The builder of the fields of an object type. */
export type ObjectFields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<
  typeof builder.$inferSchemaTypes,
  Shape
>

/** Fields by name, as a `fields` function returns them. */
export type FieldMap = PothosFieldMap
