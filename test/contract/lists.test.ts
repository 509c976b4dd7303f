import { expect, test } from 'vitest'
import { isList, shownTypes } from './fieldRequests.ts'
import { goldenEntries, testGolden } from './golden.ts'
import { listRequests } from './listRequests.ts'

testGolden('lists', { requestsOf: listRequests })

test('every list is read from both ends', () => {
  const names = Object.keys(goldenEntries('lists'))
  const missing = shownTypes.flatMap((type) =>
    Object.values(type.getFields())
      .filter(isList)
      .flatMap(({ name }) => ['first', 'last'].map((size) => [`${type.name}.${name}`, size] as const))
      .filter(([list, size]) => !names.some((each) => each.startsWith(list) && each.includes(` ${size}`)))
      .map((pair) => pair.join(' ')),
  )
  expect(missing).toEqual([])
})
