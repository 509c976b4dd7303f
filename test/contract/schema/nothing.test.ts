import { expect, test } from 'vitest'
import { documentOf, listsOf } from '../../support/connectionLists.ts'
import { fullSelection } from '../../support/fullSelection.ts'
import { schema } from '../../support/graph.ts'
import { type Data, everyChain, startWorld } from '../../support/world.ts'

const limits = { maxCost: 10_000_000 }

/** The names of the fields whose value is an empty text, except in what a chain or bridge defines. */
function emptyFields(data: Data, name = ''): string[] {
  if (data === '') return [name]
  if (typeof data !== 'object' || data === null || name === 'body') return []
  return Object.entries(data).flatMap(([key, value]) => emptyFields(value, Array.isArray(data) ? name : key))
}

test.each([false, true])('empty values are null, and strings are not empty (odd: %s)', async (odd) => {
  await using world = await startWorld({ odd, limits })
  const empty = new Set<string>()
  const seen = new Set<string>()
  for (const { chainId } of everyChain) {
    for (const list of await listsOf(world, chainId)) {
      const { data } = await world.ask(documentOf(list, 'nodes { __typename }'), {
        first: 1,
        order: 'DESC',
      })
      const names = ['chain', ...list.path.map((name) => name.replace(/\(.*/s, ''))]
      const page: Data = names.reduce((value: Data, name) => value?.[name], data)
      const type = schema.getType(page.nodes[0]?.__typename ?? '')
      if (!type) continue
      seen.add(type.name)
      const answer = await world.ask(documentOf(list, `nodes ${fullSelection(type, 1)}`), {
        first: 6,
        order: 'DESC',
      })
      for (const name of emptyFields(answer.data)) empty.add(`${type.name} ${name}`)
    }
  }
  expect(seen.size).toBeGreaterThan(5)
  expect([...empty].toSorted()).toEqual([])
})
