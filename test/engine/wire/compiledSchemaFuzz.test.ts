import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { decode } from '../../../src/engine/wire/compiledSchema.ts'
import { runs } from '../../support/property.ts'
import { type Recording, recordWireSamples } from '../../support/wireSamples.ts'

let recording: Recording
beforeAll(async () => {
  recording = await recordWireSamples()
}, 60_000)

/** Schemas of texts that are no body of a response: the token that clients send back, and the logs in events. */
const ownFormats = /routeToken\.ts|eventLogs\.ts/

test('the fuzz test covers every object schema of the graph', () => {
  const reached = new Set<unknown>()
  for (const { schema } of recording.samples) collect(schema, reached)
  const read = [...reached].map(shapeOf)
  const missed = [...recording.objects]
    // A schema is read too as a copy with a check, and where its fields are spread into another.
    .filter(([schema]) => !read.some((shape) => containsAll(shape, shapeOf(schema))))
    .map(([, place]) => place)
    .filter((place) => !ownFormats.test(place))
  expect(missed).toEqual([])
  expect(recording.samples.length).toBeGreaterThan(40)
  expect(recording.samples.filter(({ values }) => values.length === 0)).toEqual([])
})

/** The schemas of an object schema by key. Undefined for other values. */
const shapeOf = (schema: unknown): object | undefined =>
  typeof schema === 'object' && schema !== null && 'shape' in schema && typeof schema.shape === 'object'
    ? (schema.shape ?? undefined)
    : undefined

const containsAll = (shape: object | undefined, part: object | undefined): boolean =>
  shape !== undefined && Object.entries(part ?? {}).every(([key, schema]) => Reflect.get(shape, key) === schema)

/** Adds every schema in a definition. */
function collect(value: unknown, into: Set<unknown>) {
  if (typeof value !== 'object' || value === null || into.has(value)) return
  into.add(value)
  const def = 'def' in value ? value.def : value
  if (typeof def === 'object' && def !== null) {
    for (const child of Object.values(def)) collect(child, into)
  }
}

test('zod compiles all schemas of upstreams', () => {
  for (const { schema } of recording.samples) expect(() => z.compile(schema, { strict: true })).not.toThrow()
})

test('the compiled decoder accepts the same bodies as zod and returns the same values', () => {
  for (const { schema, values } of recording.samples) {
    if (values.length === 0) continue
    fc.assert(
      fc.property(fc.constantFrom(...values), mutations, (value, changes) => {
        const body = changes.reduce(mutated, structuredClone(value))
        const compiled = readCompiled(schema, body)
        const expected = readZod(schema, body)
        if (!isDeepStrictEqual(compiled, expected)) expect(compiled).toStrictEqual(expected)
        expect(inOrder(compiled)).toBe(inOrder(expected))
      }),
      { numRuns: runs(100) },
    )
  }
}, 120_000)

const refused = Symbol('refused')

/** What the compiled reader alone gives, without zod's second look. */
function readCompiled(schema: z.ZodType, body: unknown): unknown {
  const parse = vi.spyOn(schema, 'parse').mockReturnValue(refused)
  try {
    return decode(schema, body)
  } catch {
    return refused
  } finally {
    parse.mockRestore()
  }
}

function readZod(schema: z.ZodType, body: unknown): unknown {
  try {
    const result = schema.safeParse(body)
    return result.success ? result.data : refused
  } catch {
    return refused
  }
}

/** The value as text, which shows the order of keys too. */
const inOrder = (value: unknown) =>
  JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))

const hostile = fc.constantFrom<unknown>(
  ...[null, undefined, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308],
  ...['', ' ', '0', '-1', '1.5', ' 12', '12 ', '1e3', '0x', '0xff', '0xZZ', '9'.repeat(40)],
  ...['true', 'TRUE', 'false', 'null', '😀', '\ud800', '__proto__', 'constructor'],
  ...['2025-99-10T99:00:00Z', '2025-02-30T00:00:00Z', '2025-01-10', '20250110', 'Z', '2025Z'],
  ...['2025-01-10T00:00:00.123456789Z', '2025-01-10T00:00:00+02:00', '2025-01-10T00:00:00.5-09:30'],
  ...['2025-01-10T24:00:00Z', '2025-01-10T00:00:60Z', '+275760-09-13T00:00:00.001Z', 'May 1 2025Z'],
  ...[[], {}, [[]], [null], [{}], { '@type': 1 }, { valueOf: 1, toString: 1 }, { length: '3' }],
  ...[{ constructor: 1 }, { constructor: null }, { denom: 'x', amount: '1' }],
  JSON.parse('{"__proto__":{"denom":"x","state":"STATE_COMPLETED"}}'),
)

interface Mutation {
  readonly at: number
  readonly kind: 'replace' | 'drop' | 'add' | 'proto' | 'retype' | 'wrap' | 'repeat'
  readonly value: unknown
  readonly key: string
}

const mutations = fc.array(
  fc.record<Mutation>({
    at: fc.nat(),
    kind: fc.constantFrom('replace', 'drop', 'add', 'proto', 'retype', 'wrap', 'repeat'),
    value: fc.oneof(hostile, hostile, fc.jsonValue({ maxDepth: 3 })),
    key: fc.oneof(
      fc.constantFrom('toString', 'constructor', 'pagination', 'key', '@type', 'transfers', '7'),
      fc.string({ maxLength: 5 }),
    ),
  }),
  { maxLength: 4 },
)

/** The body after one change at one of its places. */
function mutated(body: unknown, { at, kind, value, key }: Mutation): unknown {
  const changesObject = kind === 'add' || kind === 'proto' || kind === 'repeat'
  const places = placesIn(body).filter(({ inner }) => !changesObject || isObject(inner))
  const place = places[at % (places.length + 1)]
  // Past the last place is the body itself.
  if (!place) return changed(body, kind, value, key)
  if (kind === 'drop') drop(place.parent, place.key)
  else define(place.parent, place.key, changed(place.inner, kind, value, key))
  return body
}

/** JSON has no lists with holes. */
function drop(parent: object, key: string) {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else Reflect.deleteProperty(parent, key)
}

function changed(current: unknown, kind: Mutation['kind'], value: unknown, key: string): unknown {
  // The values are shared by all runs, and a later change would change them.
  if (kind === 'replace') return structuredClone(value)
  if (kind === 'wrap') return [current]
  if (kind === 'retype') return retyped(current)
  // JSON has no lists with keys.
  if (Array.isArray(current)) {
    if (kind === 'repeat') current.push(...current, structuredClone(value))
  } else if (isObject(current)) {
    if (kind === 'add') define(current, key, value)
    if (kind === 'proto') define(current, '__proto__', value)
  }
  return current
}

/** Numbers as text, text as numbers, and objects as their JSON. */
function retyped(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? 0 : Number.parseFloat(value) || [value]
  return isObject(value) ? JSON.stringify(value) : String(value)
}

/** Sets an own property as JSON.parse does, `__proto__` included. */
const define = (target: object, key: string, value: unknown) =>
  Reflect.defineProperty(target, key, {
    value: structuredClone(value),
    writable: true,
    enumerable: true,
    configurable: true,
  })

/** Every place inside a value, as the object that holds it, its key and what it holds. */
function placesIn(value: unknown): { parent: object; key: string; inner: unknown }[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [{ parent: value, key, inner }, ...placesIn(inner)])
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
