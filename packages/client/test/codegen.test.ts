import { readdirSync, readFileSync } from 'node:fs'
import { buildSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import { plugin, rulesOf } from '../src/codegen.ts'

const root = new URL('../../../', import.meta.url)
const schema = buildSchema(readFileSync(new URL('schema.graphql', root), 'utf8'))
const rules = (text: string) => rulesOf(schema, [{ document: parse(text) }])

test('a resume rule has cursor paths and the variable of the document', () => {
  expect(
    rules(`subscription Blocks($chainId: ChainId!, $from: String) {
      newBlocks: blocks(chainId: $chainId, after: $from) { ...Event }
    }
    fragment Event on LiveBlockEvent { place: cursor notice { kind } node { height } }`),
  ).toEqual({
    Blocks: {
      cursor: 'newBlocks.place',
      variable: 'from',
      notice: 'newBlocks.notice',
      kind: 'newBlocks.notice.kind',
    },
  })
})

test.each([
  ['no cursor', 'blocks(chainId: "a", after: $after) { notice { kind } }', 'select `cursor`'],
  [
    'a cursor that may be left out',
    'blocks(chainId: "a", after: $after) { cursor @include(if: $x) notice { kind } }',
    'select `cursor`',
  ],
  ['no variable', 'blocks(chainId: "a", after: "x") { cursor notice { kind } }', 'pass a variable as `after`'],
  ['no notice', 'blocks(chainId: "a", after: $after) { cursor }', 'select `notice` with its kind'],
])('a document with %s is refused', (_, field, message) => {
  expect(() => rules(`subscription S($after: String, $x: Boolean!) { ${field} }`)).toThrow(message)
})

test('a subscription without an `after` argument has an empty rule', () => {
  expect(rules('subscription Heads { chainHeads { chain { chainId } } }')).toEqual({ Heads: {} })
})

test('every example subscription has a rule, with a cursor if it has `after`', () => {
  const folder = new URL('examples/documents/', root)
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .filter((text) => /^subscription/m.test(text))
  expect(files.length).toBeGreaterThan(3)
  for (const text of files) {
    const generated = () => plugin(schema, [{ document: parse(text) }])
    if (/\$after/.test(text)) expect(generated()).toMatch(/"cursor": "\w+\.\w+"/)
    else expect(generated).not.toThrow('`cursor`')
  }
})
