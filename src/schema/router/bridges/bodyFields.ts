import { z } from 'zod'
import type { FieldMap, ObjectFields } from '../../../engine/graphql/fields.ts'
import { lenientBoolean, lenientCount, lenientString } from '../../../engine/wire/lenient.ts'
import type { Optional } from '../../../engine/wire/optional.ts'
import { sent } from '../routerFields.ts'
import type { Details } from './defineBridge.ts'

type Body = Readonly<Record<string, unknown>>
type Fields = ObjectFields<{ readonly details: Body; readonly fromChainId: Optional<string> }>

/** A field of the graph that shows a value of a body as it is. */
export interface BodyField {
  readonly key: string
  readonly schema: z.ZodType
  readonly add: (t: Fields) => FieldMap[string]
}

/** A text of a body. Null if it is missing. */
export const text = (key: string, description: string, type: 'String' | 'Address' | 'URL' = 'String'): BodyField => ({
  key,
  schema: lenientString,
  add: (t) => sent(t, type, description, ({ details }) => details[key] as Optional<string>),
})

/** A count of a body. Null if it is missing. */
export const count = (key: string, description: string): BodyField => ({
  key,
  schema: lenientCount,
  add: (t) => sent(t, 'UInt53', description, ({ details }) => details[key] as Optional<number>),
})

/** A claim of a body. False if it is missing. */
export const flag = (key: string, description: string): BodyField => ({
  key,
  schema: lenientBoolean,
  add: (t) => t.value('Boolean', description, ({ details: { [key]: value } }) => value === true),
})

/** Details whose fields all show values of the body as they are. */
export function detailsOfBody(
  type: string,
  description: string,
  fields: Readonly<Record<string, BodyField>>,
): Details<Body> {
  const shape = Object.values(fields).map(({ key, schema }) => [key, schema] as const)
  return {
    type,
    description,
    schema: z.object(Object.fromEntries(shape)),
    fields: (t) => Object.fromEntries(Object.entries(fields).map(([name, { add }]) => [name, add(t)])),
  }
}
