import fc from 'fast-check'
import {
  buildSchema,
  type GraphQLError,
  OverlappingFieldsCanBeMergedRule,
  parse,
  type ValidationRule,
  validate,
} from 'graphql'
import { expect, test } from 'vitest'
import { MergeableFieldsRule } from '../../../../src/server/operation/documents/mergeableFields.ts'

const schema = buildSchema(`
  interface Node { id: ID! size: Int self: Node list: [Node] }
  type A implements Node { id: ID! size: Int self: Node list: [Node] a(x: Int, y: In): Int b: String! c: [A!] d: A }
  type B implements Node { id: ID! size: Int self: Node list: [Node] a(x: Int, y: In): String b: String c: A d: B }
  union Any = A | B
  input In { p: Int q: [Int] }
  type Query { node: Node any: Any a: A b: B }
`)

const errorsOf = (rule: ValidationRule, query: string): readonly GraphQLError[] =>
  validate(schema, parse(query, { noLocation: true }), [rule])

const isRefused = (rule: ValidationRule, query: string) => errorsOf(rule, query).length > 0

const names = ['id', 'size', 'self', 'list', 'a', 'b', 'c', 'd', '__typename', 'nothing']
const args = ['', '', '(x: 1)', '(x: 2)', '(y: {p: 1, q: [2]}, x: 1)', '(x: 1, y: {q: [2], p: 1})']

/** A document of many small parts, which share names, nest, and spread fragments. */
const documents = fc.array(fc.nat(), { minLength: 20, maxLength: 120 }).map((numbers) => {
  let at = 0
  const pick = <T>(from: readonly T[]): T => {
    at += 1
    return from[(numbers[at % numbers.length] ?? 0) % from.length] as T
  }
  const fragments = ['F0', 'F1', 'F2']
  const selection = (depth: number, spreads: readonly string[]): string => {
    const parts = Array.from({ length: 1 + pick([0, 1, 2, 3]) }, () => {
      const kind = pick(['field', 'field', 'field', 'inline', 'spread'])
      if (kind === 'spread' && spreads.length > 0) return `...${pick(spreads)}`
      if (kind === 'inline' && depth > 0) {
        return `... ${pick(['', 'on A', 'on B', 'on Node', 'on Any'])} ${selection(depth - 1, spreads)}`
      }
      const name = pick(names)
      const alias = pick(['', '', 'k: ', 'l: '])
      const isParent = ['self', 'list', 'c', 'd'].includes(name) && depth > 0
      return `${alias}${name}${name === 'a' ? pick(args) : ''}${isParent ? selection(depth - 1, spreads) : ''}`
    })
    return `{ ${parts.join(' ')} }`
  }
  const root = pick(['node', 'any', 'a', 'b'])
  const definitions = fragments.map(
    (name, i) => `fragment ${name} on ${pick(['A', 'B', 'Node'])} ${selection(2, fragments.slice(i + 1))}`,
  )
  return `{ ${root} ${selection(3, fragments)} ${root} ${selection(2, fragments)} } ${definitions.join('\n')}`
})

test('the rule refuses the same documents as the rule of graphql-js', () => {
  const seen = { refused: 0, valid: 0 }
  fc.assert(
    fc.property(documents, (query) => {
      const expected = isRefused(OverlappingFieldsCanBeMergedRule, usedOnly(query))
      seen[expected ? 'refused' : 'valid'] += 1
      expect([query, isRefused(MergeableFieldsRule, usedOnly(query))]).toEqual([query, expected])
    }),
    { numRuns: 2_000, seed: 8 },
  )
  expect(Math.min(seen.refused, seen.valid)).toBeGreaterThan(100)
})

/** The document without fragments that nothing spreads: another rule refuses those. */
function usedOnly(query: string): string {
  const [operation = '', ...fragments] = query.split(/(?=fragment )/)
  const texts = new Map(fragments.map((text) => [text.slice(9, 11), text]))
  const used = new Set<string>()
  const follow = (text: string) => {
    for (const [, name = ''] of text.matchAll(/\.\.\.(F\d)/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(texts.get(name) ?? '')
    }
  }
  follow(operation)
  return [operation, ...[...used].map((name) => texts.get(name))].join('\n')
}

test.each([
  ['{ a { k: a k: b } }', '"a" and "b" are different fields'],
  ['{ a { a(x: 1) a(x: 2) } }', 'they have differing arguments'],
  ['{ node { ... on A { b } ... on B { b } } }', 'they return conflicting types "String!" and "String"'],
])('the error of %s names the conflict', (query, reason) => {
  expect(errorsOf(MergeableFieldsRule, query).map(({ message }) => message)).toEqual([
    expect.stringContaining(`conflict because ${reason}. Use different aliases`),
  ])
})

test('thousands of repeated fields are accepted', () => {
  const query = `{ ${'a { id b d { id } } '.repeat(2_000)} }`
  expect(errorsOf(MergeableFieldsRule, query)).toEqual([])
})

test('nested fragment spreads are visited once', () => {
  const depth = 200
  const text = (i: number) => `fragment F${i} on A { k: d { ...F${i + 1} } l: d { ...F${i + 1} } }`
  const query = `{ a { ...F0 } } ${Array.from({ length: depth }, (_, i) => text(i)).join(' ')} fragment F${depth} on A { id }`
  expect(errorsOf(MergeableFieldsRule, query)).toEqual([])
})

test('a fragment that spreads itself does not loop', () => {
  expect(errorsOf(MergeableFieldsRule, '{ a { ...F } } fragment F on A { d { ...F } }')).toEqual([])
})

test('a document with too many overlapping fields is refused', () => {
  // Each path of k and l leads to a set of fields of its own: 2^16 of them.
  const depth = 16
  const level = (name: string, next: string, other = '') =>
    `fragment ${name} on A { m${name}: id k: d { ...${next} ${other} } l: d { ...${next} } }`
  const parts = Array.from({ length: depth }, (_, i) => [
    level(`F${i}`, `F${i + 1}`, `...G${i}_${i + 1}`),
    ...Array.from({ length: depth - i }, (_, k) =>
      level(`G${i}_${i + k + 1}`, i + k + 1 < depth ? `G${i}_${i + k + 2}` : 'End'),
    ),
  ]).flat()
  const ends = `fragment F${depth} on A { id } fragment End on A { id }`
  const query = `{ a { ...F0 } } ${parts.join(' ')} ${ends}`
  expect(errorsOf(MergeableFieldsRule, query).map(({ message }) => message)).toEqual([
    'The operation has too many overlapping fields.',
  ])
})
