import { getOperationAST, isObjectType, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../src/schema/schema.ts'
import { createKeepableCheck, isKeepableField } from '../../src/server/execution/keepable.ts'

const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type) && !type.name.startsWith('__') && type !== schema.getSubscriptionType()
    ? Object.values(type.getFields()).map((field) => ({ type: type.name, field }))
    : [],
)

/**
 * Fields that read more of the context than upstream responses and what is fixed when the gateway starts:
 * the lists of the router, quotes, polls, and nodes of all types. A field that is neither marked as
 * `keepable` nor listed here has not been looked at.
 */
const unkeepable = new Set(
  [
    ...['ChainAccount.balances', 'Account.balances', 'Query.search'],
    'Account.routableChainAccounts',
    ...['Query.assets', 'Query.routableChains', 'Query.bridges'],
    ...['Asset.destinations', 'Asset.recommendedDestinations', 'Asset.usdPrice', 'Asset.origin'],
    'Query.assetsBetweenChains',
    ...['Query.swapVenues', 'AssetRecommendation.asset'],
    ...[
      'Query.node',
      'Query.nodes',
      'Query.nftTransferMessages',
      'Query.opHook',
      'Query.route',
      'Query.transferMessages',
    ],
    ...['Chain.freshness', 'ChainFreshness.ageSeconds'],
    'Nft.metadata',
    ...['Transaction', 'AccountActivityEdge', 'ActivityEvent'].map(
      (type) => `${type}.balanceChanges`,
    ),
    ...['summary', 'amounts', 'receivedAmounts', 'otherChain'].map(
      (field) => `TransactionAction.${field}`,
    ),
    'Mutation.trackTransfer',
  ].concat(
    fields
      .filter(
        ({ field: { name, resolve } }) =>
          resolve &&
          resolve.length > 2 &&
          /^(asset|assetIn|assetOut|formattedAmount|usdValue)$/.test(name),
      )
      .map(({ type, field }) => `${type}.${field.name}`),
  ),
)

test('each field that reads the context is marked as keepable or listed as not', () => {
  const found = fields
    .filter(({ field }) => !isKeepableField(field))
    .map(({ type, field }) => `${type}.${field.name}`)
  expect(found.filter((name) => !unkeepable.has(name))).toEqual([])
  expect([...unkeepable].filter((name) => !found.includes(name))).toEqual([])
})

test('no resolver hides the context behind rest parameters or `arguments`', () => {
  for (const { type, field } of fields) {
    const text = field.resolve?.toString() ?? ''
    expect(`${type}.${field.name} ${/\barguments\b|^[^=]*\(\.\.\./.test(text)}`).toMatch(/false$/)
  }
})

test('no type reads the context to recognize its values', () => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type)) expect(type.isTypeOf).toBeUndefined()
  }
})

function isKeepable(text: string, name?: string): boolean {
  const document = parse(text)
  expect(validate(schema, document)).toEqual([])
  const operation = getOperationAST(document, name)
  if (!operation) throw new Error('no such operation')
  return createKeepableCheck(schema)(document, operation)
}

test.each([
  '{ __typename }',
  '{ chain { chainId blocks { nodes { hash transactions { edges { cursor node { hash } } } } } } }',
  '{ transfer(chainId: "a", hash: "b") { state chain { name } hops { fromChain { name } } } }',
  '{ transfer(chainId: "a", hash: "b") { transaction { ... on Transaction { block { hash } } } } }',
  'query ($no: Boolean!) { chain @skip(if: $no) { name } }',
])('%s can be cached', (text) => {
  expect(isKeepable(text)).toBe(true)
})

test.each([
  '{ __schema { description } }',
  '{ __type(name: "Chain") { name } }',
  '{ node(id: "a") { id } }',
  '{ asset(chainId: "a", denom: "b") { name } }',
  '{ ...Part } fragment Part on Query { chain { ... on Chain { feeAssets { asset { name } } } } }',
  '{ transfer(chainId: "a", hash: "b") { assetRelease { asset { name } } } }',
  'query ($no: Boolean!) { chain { feeAssets { asset @skip(if: $no) { name } } } }',
  'mutation { trackTransfer(input: { chainId: "a", hash: "b" }) { explorerUrl } }',
  'subscription { transfer(chainId: "a", hash: "b") { state } }',
])('%s cannot be cached', (text) => {
  expect(isKeepable(text)).toBe(false)
})

test('each operation of a document is looked at on its own', () => {
  const text = 'query A { chain { name } } query B { chain { feeAssets { asset { name } } } }'
  expect(isKeepable(text, 'A')).toBe(true)
  expect(isKeepable(text, 'B')).toBe(false)
})
