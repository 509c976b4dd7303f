import { describe, expect, test } from 'vitest'
import { runs } from '../../support/property.ts'
import type { Data } from '../../support/world.ts'
import { startTwinWorld, type TwinWorld } from './gateway.ts'
import type { IndexerChoices } from './indexer.ts'
import { keyForms } from './keys.ts'
import { account, collection } from './records.ts'

// Each list of the graph that the contract has, walked by its cursors in both directions, also while records arrive.

interface WalkedList {
  /** The place of the list in the graph, with `%` for its arguments. */
  readonly place: string
  readonly node: string
  /** Other arguments than those of pages. */
  readonly args?: string
}

const inChain = (field: string) => `chain(chainId: "twin-1") { ${field}% }`
const inAccount = (field: string) => `chain(chainId: "twin-1") { account(address: "${account.hex}") { ${field}% } }`

const lists: Readonly<Record<string, WalkedList>> = {
  blocks: { place: inChain('blocks'), node: 'height' },
  transactions: { place: inChain('transactions'), node: 'hash' },
  'transactions of an account': { place: inAccount('transactions'), node: 'hash' },
  'EVM transactions of an account': { place: inAccount('evmTransactions'), node: 'hash' },
  'internal transactions': { place: inChain('evmInternalTransactions'), node: 'block { height }' },
  collections: { place: inChain('nftCollections'), node: 'address' },
  'collections by name': { place: inChain('nftCollections'), node: 'address', args: 'filter: { search: "Fleet" }' },
  'collections of an account': { place: inAccount('nftCollections'), node: 'address' },
  'NFTs of an account': { place: inAccount('nfts'), node: 'tokenId' },
  'NFTs of an account by height': { place: inAccount('nfts'), node: 'tokenId', args: 'orderBy: HEIGHT' },
  'NFTs of a collection': {
    place: `chain(chainId: "twin-1") { nftCollection(address: "${collection}") { nfts% } }`,
    node: 'tokenId',
  },
  'transactions of an NFT': {
    place: `chain(chainId: "twin-1") { nft(collection: "${collection}", tokenId: "0003") { transactions% } }`,
    node: 'hash',
  },
  'rich list': { place: inChain('richList'), node: 'account { address }', args: 'denom: "utwin"' },
}

interface Page {
  readonly nodes: string[]
  readonly start: string | null
  readonly end: string | null
  readonly cursors: string[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

async function readPage(world: TwinWorld, list: WalkedList, args: string): Promise<Page> {
  const all = [list.args, args].filter(Boolean).join(', ')
  const connection = `(${all}) { edges { cursor node { ${list.node} } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } }`
  let value: Data = await world.data(`{ ${list.place.replace('%', connection)} }`)
  while (value && !('edges' in value)) value = Object.values(value)[0]
  if (!value) throw new Error('no list')
  const { edges, pageInfo } = value
  return {
    nodes: edges.map(({ node }: Data) => JSON.stringify(node)),
    cursors: edges.map(({ cursor }: Data) => cursor),
    start: pageInfo.startCursor,
    end: pageInfo.endCursor,
    hasNextPage: pageInfo.hasNextPage,
    hasPreviousPage: pageInfo.hasPreviousPage,
  }
}

/** All nodes of a list, page by page. `onPage` is called after each page. */
async function walk(
  world: TwinWorld,
  list: WalkedList,
  { size, order, isForward, onPage }: { size: number; order: string; isForward: boolean; onPage?: () => void },
): Promise<string[]> {
  const nodes: string[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < 60; pages += 1) {
    const from: string = cursor === null ? '' : `, ${isForward ? 'after' : 'before'}: "${cursor}"`
    const page = await readPage(world, list, `order: ${order}, ${isForward ? 'first' : 'last'}: ${size}${from}`)
    if (isForward) nodes.push(...page.nodes)
    else nodes.unshift(...page.nodes)
    if (!(isForward ? page.hasNextPage : page.hasPreviousPage)) return nodes
    cursor = isForward ? page.end : page.start
    onPage?.()
  }
  throw new Error('The walk does not end.')
}

const records = 24

/** What else an indexer chooses. Each list meets each of them, with the keys of one form or another. */
const choices: readonly Partial<IndexerChoices>[] = [
  { atTheEnd: 'null' },
  { atTheEnd: 'absent', hasPreviousKey: true, cap: 100 },
  { atTheEnd: 'a key', hasTotals: true },
  { atTheEnd: 'empty', offset: 'is refused' },
  { offset: 'is ignored' },
]

const allCases = Object.keys(keyForms).flatMap((keys, row) =>
  Object.keys(lists).map((name, column) => ({ keys, name, choice: choices[(row + column) % choices.length] })),
)

/** A quarter of them, with each list and each form of keys, unless properties are checked more often than by default. */
const cases = allCases.filter((_, index) => index % 4 === 0 || runs(1) > 1)

const listNamed = (name: string): WalkedList => {
  const list = lists[name]
  if (!list) throw new Error(`no list ${name}`)
  return list
}

describe.each(cases)('keys of the form $keys, $choice: $name', ({ keys, name, choice }) => {
  const list = listNamed(name)

  test('none is lost and none comes twice', async () => {
    await using world = await startTwinWorld({ keys, ...choice })
    // The first page of a walk is also the first that the gateway has read of the list.
    const first = await walk(world, list, { size: 7, order: 'DESC', isForward: true })
    const whole = await walk(world, list, { size: 40, order: 'DESC', isForward: true })
    expect(whole).toHaveLength(records)
    expect(new Set(whole).size).toBe(records)
    expect(first).toEqual(whole)
    for (const size of [5, 12, 23]) {
      const page = { size, order: 'DESC' }
      expect(await walk(world, list, { ...page, isForward: true })).toEqual(whole)
      expect(await walk(world, list, { ...page, isForward: false })).toEqual(whole)
    }
    expect(await walk(world, list, { size: 9, order: 'ASC', isForward: true })).toEqual(whole.toReversed())
    expect(world.indexer.madeKeys).toBe(0)
  })

  test('each edge leads both ways', async () => {
    await using world = await startTwinWorld({ keys, ...choice })
    const { nodes: whole, cursors } = await readPage(world, list, 'first: 40')
    for (const index of [0, 1, 8, 9, 22, 23]) {
      const cursor = cursors[index]
      const after = await readPage(world, list, `first: 6, after: "${cursor}"`)
      expect(after.nodes).toEqual(whole.slice(index + 1, index + 7))
      const before = await readPage(world, list, `last: 6, before: "${cursor}"`)
      expect(before.nodes).toEqual(whole.slice(Math.max(0, index - 6), index))
    }
  })

  // A key that counts records says another place once a record has come before it: nothing can be done about that.
  test.skipIf(keys === 'digits of a count')('records that arrive disturb no walk', async () => {
    await using world = await startTwinWorld({ keys })
    const before = await walk(world, list, { size: 40, order: 'DESC', isForward: true })
    const page = { size: 5, order: 'DESC', isForward: true }
    const walked = await walk(world, list, { ...page, onPage: () => world.indexer.arrive() })
    expect(walked).toEqual(before)
    const ascending = await walk(world, list, { ...page, order: 'ASC' })
    expect(ascending.slice(0, before.length)).toEqual(before.toReversed())
    const backwards = await walk(world, list, { ...page, isForward: false, onPage: () => world.indexer.arrive() })
    expect(backwards.slice(-before.length)).toEqual(before)
  })
})

// Of 23 records, the key after a first page of 12 is 12, which is also the number of its last record. It counts nothing.
describe.each(['digits of a record', 'plain numbers'])('%s that are equal to a count by chance', (keys) => {
  test.each(['collections', 'NFTs of an account', 'NFTs of a collection'])('%s: none comes twice', async (name) => {
    const list = listNamed(name)
    for (const size of [10, 11, 12]) {
      const choice = { keys, records: 23, isDense: true, cap: 100 }
      await using still = await startTwinWorld(choice)
      const whole = await walk(still, list, { size: 23, order: 'DESC', isForward: true })
      await using world = await startTwinWorld(choice)
      const page = { size, order: 'DESC', isForward: true }
      expect(await walk(world, list, { ...page, onPage: () => world.indexer.arrive() })).toEqual(whole)
    }
  })
})
