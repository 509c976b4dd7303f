import { parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { expect, test } from 'vitest'
import { fieldRequests, publicSchema, shownTypes } from './fieldRequests.ts'
import { goldenEntries, testGolden } from './golden.ts'
import { activityOf, balancesOf, blocks, bridgeTransfersOf, chainHeads, liveTransaction } from './liveDocuments.ts'

testGolden('fields', {
  requestsOf: fieldRequests,
  // The transfers that fields ask for are tracked first.
  partOf: (entry) => (entry.includes('.') ? entry.replace(/\..*/, '') : '0 tracking'),
})

/**
 * Types that need more than an answer of a router: a chain registry, a transaction with a tip, a search in the place of
 * a burnt record. Other tests ask for them.
 */
const unmet = ['ChainExplorer', 'TransactionTip']

test('all fields of the schema are requested', () => {
  const asked = new Set<string>()
  const entries = ['fields', 'scripted', 'partial'].map(goldenEntries)
  const documents = entries.flatMap((each) => Object.values(each).map(({ request }) => request.query))
  for (const document of [
    ...documents,
    activityOf(''),
    balancesOf(''),
    bridgeTransfersOf(''),
    blocks(),
    chainHeads,
    liveTransaction(''),
  ]) {
    const types = new TypeInfo(publicSchema)
    const visitor = visitWithTypeInfo(types, {
      Field: ({ name }) => void asked.add(`${types.getParentType()?.name}.${name.value}`),
    })
    visit(parse(document ?? ''), visitor)
  }
  const all = shownTypes
    .filter(({ name }) => !unmet.includes(name))
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`))
  expect(all.filter((field) => !asked.has(field))).toEqual([])
})
