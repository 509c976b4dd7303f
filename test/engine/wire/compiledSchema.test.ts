import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { decode } from '../../../src/engine/wire/compiledSchema.ts'

const proto = JSON.parse('{"__proto__":{"a":"x"},"a":"1"}')

/** Values that the schemas below tell apart. */
const values: readonly unknown[] = [
  ...[undefined, null, true, 0, -0, 1, 1.5, 2 ** 53, '', 'a', '1', 'ab', '😀', 'True'],
  ...[[], ['a'], ['a', null], {}, { a: 'x' }, { a: undefined }, { a: null, b: 1 }, { b: 1, a: 'x' }],
  ...[{ a: { a: { a: null } } }, { a: 'x', toString: 1 }, { constructor: 1 }, proto],
]

interface Tree {
  a: Tree | null
}
const tree: z.ZodType<Tree> = z.object({
  get a() {
    return tree.nullable()
  },
})

const refusing = z.string().transform((value, context) => {
  if (value === 'a') context.addIssue('no')
  if (value === 'ab') context.issues.push({ code: 'custom', input: value })
  return value.length
})

/** Schemas by what is special about them. Some are compiled, some are left to zod. */
const schemas: Record<string, z.ZodType> = {
  'a coerced number': z.coerce.number(),
  'a coerced string': z.coerce.string(),
  'a coerced boolean': z.coerce.boolean(),
  'an integer format': z.int(),
  'a 32-bit integer': z.number().check(z.int32()),
  'a range': z.number().min(1).int(),
  'a minimum length of one': z.string().min(1),
  'a minimum length of two': z.string().min(2),
  'a list with a minimum length': z.array(z.string().nullable()).min(1),
  'a pattern': z.string().regex(/^\d/),
  'a pattern with a position': z.string().regex(/a/g),
  'a format': z.email(),
  'two checks': z.string().min(1).regex(/^a/),
  'a check that changes the value': z.string().trim().toUpperCase(),
  'a refinement': z.string().refine((value) => value !== 'a'),
  'a check with issues': z.string().superRefine((value, context) => {
    if (value === 'a') context.addIssue('no')
  }),
  'a conditional refinement': z.string().refine(() => false, { when: () => false }),
  'a codec': z.stringbool(),
  'a transform that can refuse': refusing,
  'a caught refusal': refusing.catch(-1),
  'a catch that reads the error': z.string().catch(({ error }) => String(error.issues.length)),
  'a preprocessed value': z.preprocess((value) => value ?? 'a', z.string()),
  'a literal': z.literal(['a', 1]),
  'an enumeration': z.enum(['a', 'ab']),
  'an object': z.object({ a: z.string() }),
  'an optional field': z.object({ a: z.string().optional() }),
  'a field that may only be absent': z.object({ a: z.string().exactOptional() }),
  'a nullish field': z.object({ a: z.string().nullish() }),
  'a caught field': z.object({ a: z.string().catch('c') }),
  'a caught optional field': z.object({ a: z.string().optional().catch('c') }),
  'a field with a default': z.object({ a: z.string().default('d') }),
  'an optional field with a default': z.object({ a: z.string().default('d').optional() }),
  'a nullable field with a default': z.object({ a: z.string().default('d').nullable() }),
  'an unknown field': z.object({ a: z.unknown() }),
  'an optional unknown field': z.object({ a: z.unknown().optional() }),
  'a preprocessed field': z.object({ a: z.preprocess((value) => value ?? 'a', z.string()) }),
  'an optional transform of a field': z.object({ a: z.string().transform(Number).optional() }),
  'a transform of an optional field': z.object({
    a: z
      .string()
      .optional()
      .transform((value) => value),
  }),
  'a union with an optional option': z.object({ a: z.union([z.number(), z.string().optional()]) }),
  'a union whose first option refuses late': z.union([z.string().max(0), z.string().min(1)]),
  'an exclusive union': z.xor([z.string(), z.string().max(1)]),
  'a discriminated union': z.discriminatedUnion('a', [z.object({ a: z.literal('x') })]),
  'an object that keeps other keys': z.looseObject({ a: z.string() }),
  'an object that refuses other keys': z.strictObject({ a: z.string() }),
  'an object whose other keys are numbers': z.object({ a: z.string() }).catchall(z.number()),
  'a field named __proto__': z.object({ ['__proto__']: z.unknown(), a: z.string() }),
  'an object that contains itself': tree,
  'a record': z.record(z.string(), z.unknown()),
  'a record of short keys': z.record(z.string().max(1), z.unknown()),
  'a record of named keys': z.record(z.enum(['a', 'b']), z.unknown()),
  'a record of some named keys': z.partialRecord(z.enum(['a', 'b']), z.unknown()),
  'an intersection': z.intersection(z.looseObject({}), z.object({ a: z.string() })),
  'a lazy schema': z.lazy(() => z.string()),
  'a tuple': z.tuple([z.string()]),
}

const outcome = (read: () => unknown) => {
  try {
    return read()
  } catch (error) {
    return error
  }
}

test.each(Object.entries(schemas))('%s is decoded as by zod', (_name, schema) => {
  for (const value of values) {
    expect(outcome(() => decode(schema, value))).toStrictEqual(outcome(() => schema.parse(value)))
    // Inside a list with a fallback, zod does not get a second look at the whole.
    const inner = z.array(schema).catch([])
    expect(outcome(() => decode(inner, [value]))).toStrictEqual(outcome(() => inner.parse([value])))
  }
})

test('the schema itself does not parse accepted bodies', () => {
  const schema = z.object({ a: z.array(z.string()).nullish(), b: z.unknown() })
  const parse = vi.spyOn(schema, 'parse')
  expect(decode(schema, { a: ['x'], b: 1 })).toEqual({ a: ['x'], b: 1 })
  expect(parse).not.toHaveBeenCalled()
})

test('output keys are in the order of the schema, then of the body', () => {
  const schema = z.looseObject({ b: z.string(), a: z.string() })
  expect(Object.keys(decode(schema, { z: 1, a: '', c: 1, b: '' }))).toEqual(['b', 'a', 'z', 'c'])
})
