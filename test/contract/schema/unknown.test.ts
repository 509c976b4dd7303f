import { afterAll, describe, expect, test } from 'vitest'
import { startWorld } from '../../support/world.ts'

// Unknown things are null, and malformed ones are errors: docs/nulls.md.

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const hash = '7F'.repeat(32)
const address = `0x${'7f'.repeat(20)}`
const idOf = (key: string) => Buffer.from(key).toString('base64')

/** Look-ups of what does not exist, by their field of the root. */
const unknown: readonly string[] = [
  'chain(chainId: "nope") { chainId }',
  'chain(chainId: "Galley-1") { chainId }',
  'chain(chainId: "nope", minHeight: 4) { chainId }',
  'block(chainId: "nope", height: 4) { hash }',
  'block(chainId: "osmosis-1", height: 4) { hash }',
  'block(chainId: "galley-1", height: 4000000) { hash }',
  `transaction(chainId: "nope", hash: "${hash}") { hash }`,
  `transaction(chainId: "galley-1", hash: "${hash}") { hash }`,
  `transaction(hash: "${hash}") { hash }`,
  `nft(chainId: "nope", collection: "${address}", tokenId: "1") { tokenId }`,
  `nft(chainId: "galley-1", collection: "${address}", tokenId: "1") { tokenId }`,
  `nftCollection(chainId: "nope", address: "${address}") { name }`,
  `nftCollection(chainId: "galley-1", address: "${address}") { name }`,
  'asset(chainId: "nope", denom: "uinit") { denom }',
  'asset(chainId: "galley-1", denom: "nope") { denom }',
  `transfer(chainId: "nope", hash: "${hash}") { state }`,
  `transfer(chainId: "galley-1", hash: "${hash}") { state }`,
  ...['Chain:nope', 'Block:nope/4', 'Block:galley-1/4000000', `Transfer:nope/${hash}`].map(
    (key) => `node(id: "${idOf(key)}") { id }`,
  ),
]

test.each(unknown)('null without an error: %s', async (field) => {
  const { data, errors } = await world.ask(`{ it: ${field} }`)
  expect(errors).toBeUndefined()
  expect(data).toEqual({ it: null })
})

/** Look-ups by what can be no name of anything, with the reason of their errors. */
const malformed: readonly [field: string, reason: string][] = [
  ['chain(chainId: "no chain") { chainId }', 'INVALID_CHAIN_ID'],
  ['block(chainId: "no chain", height: 4) { hash }', 'INVALID_CHAIN_ID'],
  ['block(chainId: "nope", height: 0) { hash }', 'INVALID_ARGUMENT'],
  ['transaction(chainId: "nope", hash: "zz") { hash }', 'INVALID_HASH'],
  [`transaction(chainId: "no chain", hash: "${hash}") { hash }`, 'INVALID_CHAIN_ID'],
  ['nft(chainId: "galley-1", collection: "zz", tokenId: "1") { tokenId }', 'INVALID_ADDRESS'],
  ['nftCollection(chainId: "galley-1", address: "zz") { name }', 'INVALID_ADDRESS'],
  ['asset(chainId: "no chain", denom: "uinit") { denom }', 'INVALID_CHAIN_ID'],
  ['transfer(chainId: "galley-1", hash: "zz") { state }', 'INVALID_HASH'],
  ['account(address: "zz") { hexAddress }', 'INVALID_ADDRESS'],
  ['node(id: "zz") { id }', 'INVALID_ID'],
]

test.each(malformed)('an error: %s', async (field, reason) => {
  const [error] = await world.errors(`{ it: ${field} }`)
  expect(error?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason })
})

describe('a list of an unknown chain is an error, not an empty list', () => {
  test.each([
    ['assets(chainId: "nope") { nodes { denom } }', 'UNKNOWN_CHAIN'],
    [
      'asset(chainId: "harbor-1", denom: "uinit") { destinations(chainId: "nope") { nodes { denom } } }',
      'UNKNOWN_CHAIN',
    ],
    [`account(address: "${address}") { balances(chainIds: ["nope"]) { count } }`, 'UNKNOWN_CHAIN'],
    [
      `account(address: "${address}") { activity(filter: { chainIds: ["nope"] }) { nodes { hash } } }`,
      'CHAIN_NOT_INDEXED',
    ],
    [
      `account(address: "${address}") { nfts(filter: { chainIds: ["nope"] }) { nodes { tokenId } } }`,
      'CHAIN_NOT_INDEXED',
    ],
  ])('%s', async (field, reason) => {
    const [error] = await world.errors(`{ ${field} }`)
    expect(error?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason })
  })

  test('destinations without a match are an empty list', async () => {
    const { asset } = await world.data(
      `{ asset(chainId: "harbor-1", denom: "uinit") { destinations(chainId: "osmosis-1", search: "no such asset") { nodes { denom } } } }`,
    )
    expect(asset.destinations.nodes).toEqual([])
  })
})

test('minHeight of a chain without an indexer is an error', async () => {
  const [error] = await world.errors('{ chain(chainId: "osmosis-1", minHeight: 4) { chainId } }')
  expect(error?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'CHAIN_NOT_INDEXED' })
})
