import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Data, startWorld, type World } from '../../../../support/world.ts'

// A client can go on from any edge, in either direction. What it gets there has to be the record beside it.

let world: World
/** An address with transactions and NFTs on several chains. */
let address: string

beforeAll(async () => {
  world = await startWorld()
  const { chains } = await world.data(`{ chains { nftCollections(first: 20) { nodes {
    nfts(first: 20) { nodes { owner { hexAddress } } } } } } }`)
  const ownersOf = (chain: Data): string[] => [
    ...new Set<string>(
      chain.nftCollections.nodes.flatMap(({ nfts }: Data) => nfts.nodes.map(({ owner }: Data) => owner.hexAddress)),
    ),
  ]
  const owners: string[] = chains.flatMap(ownersOf)
  address = owners.find((owner, index) => owners.indexOf(owner) < index) ?? ''
})
afterAll(() => world[Symbol.asyncDispose]())

const lists = [
  ...(['DESC', 'ASC'] as const).map((order) => ({
    name: `activity, ${order}`,
    field: `activity(order: ${order},`,
  })),
  { name: 'nfts', field: 'nfts(' },
]

async function pageOf(field: string, args: string): Promise<Data> {
  const { account } = await world.data(`{ account(address: "${address}") {
    ${field} ${args}) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage } } } }`)
  return account[field.split('(')[0] ?? '']
}

const idsOf = (page: Data): string[] => page.edges.map(({ node }: Data) => node.id)

/** Pages of three records, each from the edge at which the one before it ended. */
async function walk(field: string, isForward: boolean, count: number): Promise<Data[]> {
  const pages: Data[] = []
  for (let cursor = ''; pages.length < count; ) {
    const args = isForward ? `first: 3${cursor}` : `last: 3${cursor}`
    const page = await pageOf(field, args)
    pages.push(page)
    const { hasNextPage, hasPreviousPage } = page.pageInfo
    if (!(isForward ? hasNextPage : hasPreviousPage)) break
    const edge = isForward ? page.edges.at(-1) : page.edges[0]
    cursor = isForward ? `, after: "${edge.cursor}"` : `, before: "${edge.cursor}"`
  }
  return pages
}

for (const { name, field } of lists) {
  test.each([true, false])(
    `${name}: single records beside each later edge are its neighbors, forward %s`,
    async (isForward) => {
      const all = (await walk(field, true, 100)).flatMap(idsOf)
      const edges = (await walk(field, isForward, 3)).slice(1).flatMap((page) => page.edges)
      expect(edges.length).toBeGreaterThan(0)
      for (const { cursor, node } of edges) {
        const index = all.indexOf(node.id)
        const before = await pageOf(field, `last: 1, before: "${cursor}"`)
        expect(idsOf(before)).toEqual(all.slice(Math.max(0, index - 1), index))
        const after = await pageOf(field, `first: 1, after: "${cursor}"`)
        expect(idsOf(after)).toEqual(all.slice(index + 1, index + 2))
      }
    },
  )
}
