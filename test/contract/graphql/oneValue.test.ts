import { isInterfaceType } from 'graphql'
import { expect, test } from 'vitest'
import { parseAddress } from '../../../packages/sandbox/src/address.ts'
import { fullSelection } from '../../support/fullSelection.ts'
import { schema } from '../../support/graph.ts'
import { type Data, everyChain, startWorld } from '../../support/world.ts'

// One id, one value: a record is the same whatever spelling it was asked with, and by whatever door. A normalized cache keeps one
// value for an id, so one that depends on the question would change everywhere on the screen.

const limits = { maxCost: 10_000_000 }
const user = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const hexOf = (text: string) => parseAddress(text, 'init') ?? ''

const node = schema.getType('Node')
if (!isInterfaceType(node)) throw new Error('no interface of nodes')
const nodeTypes = schema.getPossibleTypes(node)

/** Every field of each type, and the plain fields of what is beside it. Those with an argument of their own are in the doors. */
const all = `fragment Any on Node { ${nodeTypes
  .map((type) => `... on ${type.name} ${fullSelection(type, 1, `${type.name}_`)}`)
  .join(' ')} }`
const any = '__typename ...Any'

/** Fields that differ from one moment to the next, and why. No field may depend on how its node was asked for. */
const ofTheMoment: Readonly<Record<string, string>> = {
  'ChainFreshness.ageSeconds': 'the age of the newest block, in milliseconds of now',
}

const names: ReadonlySet<string> = new Set(nodeTypes.map(({ name }) => name))
const isNode = (value: Data): boolean => names.has(value?.__typename) && typeof idOf(value) === 'string'
const idOf = (value: Data): unknown => value.id ?? value[`${value.__typename}_id`]

/** The first value of each field of each node, and how later ones differ from it. */
function createComparison() {
  const known = new Map<string, { readonly text: string; readonly door: string }>()
  const differences: string[] = []
  const doors = new Map<string, Set<string>>()
  /** A value with the nodes inside of it as their ids. */
  const reduced = (value: Data): Data => {
    if (Array.isArray(value)) return value.map(reduced)
    if (typeof value !== 'object' || value === null) return value
    if (isNode(value)) return { id: idOf(value) }
    const kept = Object.entries(value).filter(([name]) => !(`${value.__typename}.${name}` in ofTheMoment))
    return Object.fromEntries(kept.map(([name, inner]) => [name, reduced(inner)]))
  }
  const add = (value: Data, door: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const inner of Object.values(value)) add(inner, door)
    if (!isNode(value)) return
    const { __typename: type } = value
    const asked = doors.get(type) ?? new Set()
    doors.set(type, asked.add(door))
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'rows' || name === 'inAll') continue
      const field = name.startsWith(`${type}_`) ? name.slice(type.length + 1) : name
      const key = `${type} ${idOf(value)} ${field}`
      const text = JSON.stringify(reduced(inner)) ?? 'undefined'
      const first = known.get(key)
      if (!first) known.set(key, { text, door })
      else if (first.text !== text) differences.push(`${type}.${field}: ${first.door} ${first.text}, ${door} ${text}`)
    }
  }
  return { add, differences, doors, ids: () => new Set([...known.keys()].map((key) => key.split(' ')[1] ?? '')) }
}

/** A hash in each spelling. */
const spellingsOf = (hash: string): string[] => {
  const digits = hash.replace(/^0x/i, '')
  const both = [digits.toUpperCase(), digits.toLowerCase()]
  return [...both, ...both.map((each) => `0x${each}`)]
}

const quoted = (text: string) => JSON.stringify(text)

test.each(everyChain)('$vm: a node has the same fields by each door and in each spelling', async ({ vm, chainId }) => {
  await using world = await startWorld({ limits })
  const { add, differences, doors, ids } = createComparison()
  const ask = async (door: string, text: string): Promise<Data> => {
    const { data, errors } = await world.ask(`${text} ${all}`)
    if (!data) throw new Error(`${door}: ${JSON.stringify(errors)}`)
    add(data, door)
    return data
  }
  const on = `chain(chainId: ${quoted(chainId)})`
  const address = hexOf(user)
  const { chain } = await world.data(`{ ${on} {
    account(address: ${quoted(user)}) { address bech32Address hexAddress }
    block(height: 41) { hash }
    transactions(first: 1) { nodes { hash } }
    evmTransactions(first: 1) { nodes { hash } }
    nftCollections(first: 3) { nodes { address name nfts(first: 1) { nodes { tokenId owner { address } } } } }
  } }`)
  const hash = chain.transactions.nodes[0].hash
  const evmHash = chain.evmTransactions?.nodes[0]?.hash
  const nfts = chain.nftCollections.nodes.find(({ nfts }: Data) => nfts.nodes.length > 0)
  const [nft] = nfts.nfts.nodes

  await ask('chain', `{ ${on} { ${any} } }`)
  await ask('chains', `{ chains { ${any} } }`)
  await ask('routableChains', `{ routableChains(first: 20) { nodes { ${any} } } }`)

  await ask(
    'block',
    `{ ${on} { block(height: 41) { ${any} } } block(chainId: ${quoted(chainId)}, height: 41) { ${any} } }`,
  )
  for (const each of spellingsOf(chain.block.hash).slice(0, 2)) {
    await ask(`blockByHash ${each.slice(0, 6)}`, `{ ${on} { blockByHash(hash: ${quoted(each)}) { ${any} } } }`)
  }
  await ask(
    'blocks',
    `{ ${on} { blocks(first: 25) { nodes { ${any} rows: transactions(first: 3) { nodes { ${any} } } } } } }`,
  )

  for (const [index, each] of [...spellingsOf(hash), ...(evmHash ? spellingsOf(evmHash) : [])].entries()) {
    await ask(`transaction ${index}`, `{ transaction(chainId: ${quoted(chainId)}, hash: ${quoted(each)}) { ${any} } }`)
    await ask(`chain.transaction ${index}`, `{ ${on} { transaction(hash: ${quoted(each)}) { ${any} } } }`)
    if (vm === 'EVM')
      await ask(`evmTransaction ${index}`, `{ ${on} { evmTransaction(hash: ${quoted(each)}) { ${any} } } }`)
    await ask(`search for a hash ${index}`, `{ search(text: ${quoted(each)}) { results { node { ${any} } } } }`)
    await ask(`transfer ${index}`, `{ transfer(chainId: ${quoted(chainId)}, hash: ${quoted(each)}) { ${any} } }`)
  }
  await ask('transactions', `{ ${on} { transactions(first: 5) { nodes { ${any} } } } }`)
  if (vm === 'EVM') {
    await ask('evmTransactions', `{ ${on} { evmTransactions(first: 5) { nodes { ${any} } } } }`)
    await ask('evmInternalTransactions', `{ ${on} { evmInternalTransactions(first: 5) { nodes { ${any} } } } }`)
  }

  const { hexAddress, bech32Address } = chain.account
  const spellings = [user, user.toUpperCase(), hexAddress, `0x${hexAddress.slice(2).toUpperCase()}`, bech32Address]
  for (const [index, each] of spellings.entries()) {
    await ask(`chain.account ${index}`, `{ ${on} { account(address: ${quoted(each)}) { ${any} } } }`)
    await ask(
      `account ${index}`,
      `{ account(address: ${quoted(each)}) { ${any} chainAccounts { ${any} }
        rows: activity(first: 3, filter: { chainIds: [${quoted(chainId)}] }) { nodes { ${any} } } } }`,
    )
    await ask(`search for an address ${index}`, `{ search(text: ${quoted(each)}) { results { node { ${any} } } } }`)
  }

  const collection = hexOf(nfts.address) || nfts.address
  const collections = [nfts.address, nfts.address.toUpperCase().replace('0X', '0x'), collection]
  for (const [index, each] of collections.entries()) {
    await ask(`collection ${index}`, `{ ${on} { nftCollection(address: ${quoted(each)}) { ${any} } } }`)
    const place = `collection: ${quoted(each)}, tokenId: ${quoted(nft.tokenId)}`
    await ask(
      `nft ${index}`,
      `{ ${on} { nft(${place}) { ${any} } } nft(chainId: ${quoted(chainId)}, ${place}) { ${any} } }`,
    )
  }
  await ask(
    'nftCollections',
    `{ ${on} { nftCollections(first: 5) { nodes { ${any} rows: nfts(first: 3) { nodes { ${any} } } } } } }`,
  )
  const part = quoted(nfts.name)
  await ask(
    'collections by name',
    `{ ${on} { nftCollections(first: 5, filter: { search: ${part} }) { nodes { ${any} } } } }`,
  )
  await ask('search for a name', `{ search(text: ${part}) { results { node { ${any} } } } }`)
  await ask(
    'nfts of an owner',
    `{ account(address: ${quoted(nft.owner.address)}) { nfts(first: 20) { nodes { ${any} } } } }`,
  )

  const { assets } = await ask('assets', `{ assets(first: 20, chainId: ${quoted(chainId)}) { nodes { ${any} } } }`)
  for (const { Asset_denom: denom } of assets.nodes.slice(0, 4)) {
    await ask(`asset ${denom}`, `{ asset(chainId: ${quoted(chainId)}, denom: ${quoted(denom)}) { ${any} } }`)
    await ask(`search ${denom}`, `{ search(text: ${quoted(denom)}) { results { node { ${any} } } } }`)
  }

  for (const digits of [`a5${'c7'.repeat(30)}01`, `b6${'d8'.repeat(30)}02`]) {
    const input = (text: string) => `chainId: ${quoted(chainId)}, hash: ${quoted(text)}`
    await ask('trackTransfer', `mutation { trackTransfer(input: { ${input(digits)} }) { transfer { ${any} } } }`)
    for (const [index, each] of spellingsOf(digits).entries()) {
      await ask(`tracked transfer ${index}`, `{ transfer(${input(each)}) { ${any} } }`)
      await ask(
        `followed hash ${index}`,
        `{ search(text: ${quoted(each)}, follow: true) { results { node {
        __typename ... on FollowCandidate { transfer { ${any} } } } } } }`,
      )
    }
  }

  expect(address).not.toBe('')
  const found = [...ids()]
  for (let start = 0; start < found.length; start += 20) {
    const some = JSON.stringify(found.slice(start, start + 20))
    await ask('nodes', `{ nodes(ids: ${some}) { ${any} } }`)
  }
  const expected = nodeTypes.map(({ name }) => name).filter((name) => vm === 'EVM' || !name.startsWith('Evm'))
  expect([...doors.keys()].toSorted()).toEqual(expected.toSorted())
  for (const [type, asked] of doors) expect(asked.size, type).toBeGreaterThan(1)
  expect([...new Set(differences.map((each) => each.slice(0, 400)))].slice(0, 30)).toEqual([])
})
