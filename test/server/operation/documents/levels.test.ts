import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { levelsOf } from '../../../../src/server/operation/documents/levels.ts'
import { startWorld } from '../../../support/world.ts'

const repeat = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => of(i)).join(' ')

/** A document of so many levels, in which each block has its chain and each chain its newest block. */
const deep = (levels: number) => {
  const pairs = Math.floor((levels - 2) / 2)
  return `{ chain { ${'latestBlock { chain { '.repeat(pairs)} chainId ${'} } '.repeat(pairs)} } }`
}

/** Fragments that each spread the next one, each of three levels. */
const fragments = (count: number) =>
  `{ chain { latestBlock { ...f0 } } } ${repeat(count, (i) => `fragment f${i} on Block { chain { latestBlock { ${i + 1 < count ? `...f${i + 1}` : 'hash'} } } }`)}`

test.each([
  ['{ a }', 1],
  ['{ a { b } c { d { e } } }', 3],
  ['query ($a: [ID!]) { a(b: { c: [[1]] }) }', 7],
  ['{ ...A } fragment A on Q { a { b } }', 3],
  ['{ a(b: "{{{") }', 2],
])('%s has %i levels', (document, levels) => {
  expect(levelsOf(parse(document))).toBe(levels)
})

test('a document as deep as its tokens allow is answered', async () => {
  await using world = await startWorld()
  let { chain } = await world.data(deep(660))
  let levels = 1
  for (; chain.latestBlock; levels += 2) chain = chain.latestBlock.chain
  expect(levels).toBe(659)
})

test.each([
  ['of 702 levels', deep(702)],
  ['whose fragments have 702 levels', fragments(233)],
])('a document %s is refused, however high maxCost is', async (_, query) => {
  await using world = await startWorld({ limits: { maxCost: 10_000_000 } })
  expect(await world.errors(query)).toMatchObject([
    {
      message: 'Syntax Error: Document nests too deep. Parsing aborted.',
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    },
  ])
})
