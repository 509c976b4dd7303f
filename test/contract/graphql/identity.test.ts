import { getNamedType, isObjectType } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { fullSelection } from '../../support/fullSelection.ts'
import { schema } from '../../support/graph.ts'
import { type Data, everyChain, startWorld } from '../../support/world.ts'

const limits = { maxCost: 10_000_000 }
const world = await startWorld({ limits })
afterAll(() => world[Symbol.asyncDispose]())

const chainType = schema.getType('Chain')

/** The lists of a chain whose records have ids, with every field down to the records beside them. */
function listsOfChain(): string[] {
  if (!isObjectType(chainType)) throw new Error('no chains')
  return Object.values(chainType.getFields()).flatMap((field) => {
    const isList = field.args.some(({ name }) => name === 'last')
    if (!isList) return []
    const size = field.name === 'transactions' ? 60 : 20
    return [`${field.name}(first: ${size}) ${fullSelection(getNamedType(field.type), 4)}`]
  })
}

/** Adds the id of every node in an answer, by its type. In a union or interface, ids have an alias. */
function collectIds(value: Data, ids: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries<Data>(value)) {
    const isId = key === 'id' || key === `${value.__typename}_id`
    if (isId && typeof inner === 'string') ids.set(inner, value.__typename)
    else collectIds(inner, ids)
  }
}

test.each(everyChain)('$vm: every id is the id of its node, and each record has one id', async ({ chainId }) => {
  const ids = new Map<string, string>()
  for (const list of listsOfChain()) {
    const { data } = await world.ask(`{ chain(chainId: "${chainId}") { ${list} } }`)
    collectIds(data, ids)
  }
  expect(ids.size).toBeGreaterThan(200)
  const all = [...ids]
  for (let start = 0; start < all.length; start += 100) {
    const some = all.slice(start, start + 100).map(([id]) => id)
    const { nodes } = await world.data('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids: some })
    expect(nodes.map((node: Data) => node?.id ?? null)).toEqual(some)
  }
  for (const name of new Set(ids.values())) {
    const natural = naturalKeys[name]
    if (!natural) throw new Error(`no natural key of ${name}`)
    const mine = all.filter(([, type]) => type === name).map(([id]) => id)
    const keys = new Set<string>()
    for (let start = 0; start < mine.length; start += 100) {
      const { nodes } = await world.data(
        `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${name} { ${natural} } } }`,
        { ids: mine.slice(start, start + 100) },
      )
      for (const node of nodes) keys.add(JSON.stringify(node).toLowerCase())
    }
    expect(keys.size, name).toBe(mine.length)
  }
})

/** What tells apart the things of a type, without their ids. */
const naturalKeys: Readonly<Record<string, string>> = {
  Account: 'hexAddress',
  Asset: 'chainId denom',
  Block: 'chain { chainId } height',
  Chain: 'chainId',
  ChainAccount: 'chain { chainId } hexAddress',
  EvmInternalTransaction: 'chain { chainId } transactionHash index',
  EvmTransaction: 'chain { chainId } hash',
  Nft: 'collection { chain { chainId } address } tokenId',
  NftCollection: 'chain { chainId } address',
  Transaction: 'chain { chainId } hash',
  Transfer: 'chainId hash',
}
