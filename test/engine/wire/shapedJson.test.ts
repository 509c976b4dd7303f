import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { parseJson } from '../../../src/engine/wire/exactJson.ts'
import { createJsonParser } from '../../../src/engine/wire/shapedJson.ts'
import { heapInUse } from '../../support/heap.ts'
import { runs } from '../../support/property.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A value, its keys in order, and what it prints as. An error by its message. */
function seen(parse: (text: string) => unknown, text: string): unknown {
  try {
    const value = parse(text)
    return { value, written: JSON.stringify(value), prototypes: prototypesOf(value) }
  } catch (error) {
    return String(error)
  }
}

/** The prototypes of all objects in a value, which `__proto__` may change. */
function prototypesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return [Object.getPrototypeOf(value), ...Object.values(value).flatMap(prototypesOf)]
}

function expectSame(parse: (text: string) => unknown, text: string) {
  const [fast, exact] = [seen(parse, text), seen(parseJson, text)]
  if (!isDeepStrictEqual(fast, exact)) expect(fast, text).toStrictEqual(exact)
}

/** Texts of which a parser reads a part itself. */
const records = (count: number, from = 0): string =>
  JSON.stringify({
    records: Array.from({ length: count }, (_, i) => record(from + i)),
    pagination: { next_key: null, total: '0' },
  })

const record = (i: number) => ({
  height: String(i),
  hash: 'A1B2'.repeat(16) + i,
  index: i,
  fees: [{ denom: 'umin', amount: `${i * 7}` }],
  isFinal: i % 2 === 0,
  proposer: { moniker: 'seq', identity: '', parent: null },
})

/** A parser that has learned the shapes of the texts. Some of them may be invalid. */
function taught(...texts: string[]): (text: string) => unknown {
  const parse = createJsonParser()
  for (let i = 0; i < 10; i += 1) for (const text of texts) seen(parse, text)
  return parse
}

test('JSON.parse is not used for known shapes', () => {
  const parse = taught(records(20))
  const text = records(20, 1_000_000)
  const expected = JSON.parse(text)
  const slow = vi.spyOn(JSON, 'parse')
  expect(parse(text)).toStrictEqual(expected)
  expect(slow).not.toHaveBeenCalled()
})

test('JSON.parse is used only for unknown parts', () => {
  const parse = taught(records(20))
  const parts = ['{"other":[{"x":1}]}', '-1.5', '2.5', '"a\\"b"', '1234567890123456']
  const values = parts.map((part) => JSON.parse(part))
  const text = records(20).replace(/"identity":""/g, () => `"identity":${parts[0]}`)
  const expected = JSON.parse(text)
  const slow = vi.spyOn(JSON, 'parse')
  expect(parse(text)).toStrictEqual(expected)
  expect(slow.mock.calls.every(([part]) => String(part).length < 30)).toBe(true)
  for (const [i, part] of parts.entries()) {
    const changed = records(20).replace('"index":3', () => `"index":${part}`)
    slow.mockClear()
    expect(parse(changed)).toMatchObject({ records: { 3: { index: values[i] } } })
    expect(slow.mock.calls.map(([text]) => text)).toEqual([part])
  }
})

const odd = [
  // Of some of these characters the low byte is that of a quote or a backslash.
  ...[`"b":"${'é…'.repeat(9)}"`, `"b":"${'\u0122,\u015c'.repeat(9)}"`, `"b":"${'é'.repeat(20)}"`],
  ...['"__proto__":{"a":1}', '"height":"2"', '"a":1,"a":2', '"1":1,"0":2', '"":0', '"\\u0061":1'],
  ...['"b":-0', '"b":01', '"b":1.0', '"b":1e5', '"b":+1', '"b":.5', '"b":1.', '"b":NaN', '"b":-'],
  ...['"b":18446744073709551615', '"b":999999999999999', '"b":1234567890123456', '"b":0.1e-400'],
  ...['"b":"\\n\\u00e9"', '"b":"\n"', '"b":"\u007f"', '"b":"é"', '"b":"😀"', '"b":"\\"'],
  ...['"b":"\u0000"', '"b":"\\\\"', '"b":"\\\\\\""', '"b":nul', '"b":nulll', '"b":truefalse'],
  ...['"b":[]', '"b":{}', '"b":[,]', '"b":[1,]', '"b":[1 ,2]', '"b": 1', ' "b":1', '"b":1 '],
  ...['"b" :1', '"b":"\\x"', '"b":', '"b":[1', '"b":{"c"', '"b":]', '"b":}', '"b":1,', '"b":"'],
  ...['"b":tru', '"b":{"c":1', '"b":[[[]]]'],
  ...[`"b":${'['.repeat(40)}${']'.repeat(40)}`, `"b":${'{"b":'.repeat(40)}1${'}'.repeat(40)}`],
]

test.each(odd)('%j is parsed as by JSON.parse in any position', (part) => {
  const plain = records(8)
  const texts = [
    plain.replaceAll('"isFinal"', () => `${part},"isFinal"`),
    plain.replace('"isFinal"', () => `${part},"isFinal"`),
    plain.replace('"moniker":"seq"', () => part),
    plain.replaceAll('"parent":null', () => part),
    plain.replaceAll('"parent":null', () => part.replace(/^"b"/, '"parent"')),
    plain.replace('"index":3', () => part.replace(/^"b"/, '"index"')),
    plain.replace('"total"', () => `${part},"total"`),
    `{${part},${plain.slice(1)}`,
    `[{${part}},${plain}]`,
  ]
  for (const text of texts) {
    // One that could not read a text leaves the next ones to `JSON.parse`.
    expectSame(taught(plain), text)
    expectSame(taught(plain, text), text)
    const parse = taught(text)
    for (const other of [...texts, plain]) expectSame(parse, other)
  }
})

test('truncated JSON and trailing text are handled as by JSON.parse', () => {
  const text = records(6)
  for (let length = 0; length < text.length; length += 1) {
    const parse = taught(text)
    expectSame(parse, text.slice(0, length))
    // The bytes of the text before are still there.
    expectSame(parse, text)
  }
  for (const after of ['\n', ' \r\n\t', ',', '}', '1', '\u0000', '\v', '\u00a0', '\ufeff']) {
    expectSame(taught(text), text + after)
    expectSame(taught(text), after + text)
  }
})

test('random JSON with random changes is parsed as by JSON.parse', () => {
  const key = fc.oneof(
    fc.constantFrom('a', 'b', 'height', '0', '10', '__proto__', 'constructor', '"', 'é', ''),
    fc.string({ maxLength: 6 }),
  )
  const leaf = fc.oneof(
    ...[fc.integer(), fc.double(), fc.bigInt().map(Number), fc.boolean(), fc.constant(null)],
    ...[fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 4 })],
  )
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    ),
  }))
  /** A list of objects, each shape of which comes several times, in any order of its keys. */
  const text = fc.array(value, { minLength: 1, maxLength: 4 }).map((values) =>
    JSON.stringify({
      items: [...values, ...values.map(reversed), ...values],
      end: 'x'.repeat(256),
    }),
  )
  const change = fc.record({
    at: fc.nat(),
    cut: fc.nat({ max: 3 }),
    put: fc.oneof(fc.constantFrom('', ...'"\\,:{}[] \n0-.e\u0000'), fc.string({ maxLength: 3 })),
  })
  const texts = fc.array(text, { minLength: 1, maxLength: 3 })
  const property = fc.property(texts, fc.array(change), (texts, changes) => {
    const parse = taught(...texts)
    for (const text of texts) {
      expectSame(parse, text)
      for (const { at, cut, put } of changes) {
        const place = at % text.length
        const changed = text.slice(0, place) + put + text.slice(place + cut)
        expectSame(parse, changed)
        expectSame(taught(text), changed)
      }
    }
  })
  fc.assert(property, { numRuns: runs(400) })
}, 60_000)

/** The same value with the keys of its objects in the reverse order. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  )
}

test('parsed strings do not retain the source text in memory', () => {
  const parse = taught(records(500))
  const slow = vi.spyOn(JSON, 'parse')
  const size = records(500).length
  const before = heapInUse()
  const kept = Array.from({ length: 100 }, (_, i) => {
    const { records: list } = parse(records(500, i * 500)) as {
      records: ReturnType<typeof record>[]
    }
    return [list[1]?.height, list[2]?.hash, list[3]?.proposer]
  })
  const grown = heapInUse() - before
  expect(slow).not.toHaveBeenCalled()
  expect(kept).toHaveLength(100)
  expect(grown).toBeLessThan(4 * size)
})

test('memory is bounded for objects with ever new keys', () => {
  const parse = createJsonParser()
  const objectOf = (name: string, value: unknown) =>
    Object.fromEntries(Array.from({ length: 36 }, (_, i) => [`${name} ${i}`, value]))
  const before = heapInUse()
  for (let i = 0; i < 200; i += 1) {
    // Each comes several times, at many places.
    expectSame(parse, JSON.stringify(objectOf(`outer ${i >> 6}`, objectOf(`inner ${i >> 2}`, i))))
  }
  expect(heapInUse() - before).toBeLessThan(8 * 1024 * 1024)
})

test('deeply nested lists leave room for other shapes', () => {
  const depth = 100_000
  const parse = taught(`${'['.repeat(depth)}${']'.repeat(depth)}`, records(20))
  const slow = vi.spyOn(JSON, 'parse')
  parse(records(20, 50))
  expect(slow).not.toHaveBeenCalled()
})

test('JSON is not read again for each of many shapes', () => {
  const hashes = Array.from({ length: 100 }, (_, i) => 'A1B2'.repeat(8) + i)
  const texts = Array.from({ length: 12 }, (_, i) => JSON.stringify({ hashes, [`key${i}`]: i }))
  for (const text of texts) {
    const parse = taught(...texts)
    const copy = vi.spyOn(Buffer.prototype, 'toString')
    const value = parse(text)
    const copied = copy.mock.calls.length
    copy.mockRestore()
    expect(value).toStrictEqual(JSON.parse(text))
    expect(copied).toBeLessThan(3 * hashes.length)
  }
})

test('without code generation, results are those of JSON.parse', () => {
  const original = globalThis.Function
  vi.stubGlobal('Function', () => {
    throw new EvalError('Code generation from strings disallowed for this context')
  })
  try {
    expectSame(taught(records(20)), records(20, 100))
  } finally {
    vi.unstubAllGlobals()
  }
  expect(globalThis.Function).toBe(original)
})
