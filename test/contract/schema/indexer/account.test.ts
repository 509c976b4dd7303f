import { bech32 } from '@scure/base'
import { afterAll, expect, test } from 'vitest'
import { chainIds, type Data, everyChain, startWorld, testOfPlainRecords } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const hexOf = (address: string) =>
  `0x${Buffer.from(bech32.fromWords(bech32.decode(address as `init1${string}`).words)).toString('hex')}`

const [sample] = await world.rows(
  'harbor-1',
  '/indexer/nft/v1/tokens/by_collection/' +
    (await world.rows('harbor-1', '/indexer/nft/v1/collections', { 'pagination.reverse': 'false' }))[0].object_addr,
)
/** An owner of NFTs. Users have the same wallet on every chain. */
const person: string = sample.owner

const query = `query ($chainId: ChainId, $address: Address!) { chain(chainId: $chainId) {
  account(address: $address) {
    transactions(first: 100) { totalCount nodes { hash } }
    signed: transactions(filter: { signedOnly: true }, first: 100) { totalCount nodes { hash } }
    evmTransactions(first: 100) { totalCount nodes { hash } }
    evmSigned: evmTransactions(filter: { signedOnly: true }, first: 100) { totalCount nodes { hash } }
    evmInternalTransactions(first: 100) { totalCount nodes { transactionHash index } }
    nftCollections { totalCount nodes { address } }
    nfts(first: 100) { totalCount nodes { tokenId collection { address } } }
  }
} }`

plainTest.each(everyChain)('$vm: all lists of an account equal those of the indexer', async ({ vm, chainId }) => {
  const rowsOf = async (path: string, query: Record<string, string>, asGraph: (record: Data) => Data) => {
    const rows = await world.rows(chainId, `/indexer/${path}/by_account/${person}`, query)
    return { totalCount: rows.length, nodes: rows.map(asGraph) }
  }
  const signer = { is_signer: 'true' }
  const hash = (record: Data) => ({ hash: record.txhash ?? record.transactionHash })
  const call = ({ hash, index }: Data) => ({ transactionHash: hash, index })
  const { chain } = await world.data(query, { chainId, address: person })
  const isEvm = vm === 'EVM'
  expect(chain.account).toEqual({
    transactions: await rowsOf('tx/v1/txs', {}, hash),
    signed: await rowsOf('tx/v1/txs', signer, hash),
    evmTransactions: isEvm ? await rowsOf('tx/v1/evm-txs', {}, hash) : null,
    evmSigned: isEvm ? await rowsOf('tx/v1/evm-txs', signer, hash) : null,
    evmInternalTransactions: isEvm ? await rowsOf('tx/v1/evm-internal-txs', {}, call) : null,
    nftCollections: await rowsOf('nft/v1/collections', {}, (record) => ({
      address: record.object_addr,
    })),
    nfts: await rowsOf('nft/v1/tokens', {}, (record) => ({
      tokenId: record.nft.token_id,
      collection: { address: record.collection_addr },
    })),
  })
  expect(chain.account.nfts.nodes.length).toBeGreaterThan(0)
})

plainTest('hex and bech32 addresses have the same lists', async () => {
  const { chain } = await world.data(
    `query ($a: Address!, $b: Address!, $c: Address!, $d: Address!) { chain {
      a: account(address: $a) { ...all } b: account(address: $b) { ...all }
      c: account(address: $c) { ...all } d: account(address: $d) { ...all }
    } }
    fragment all on ChainAccount { bech32Address transactions(first: 100) { totalCount nodes { hash } } }`,
    {
      a: person,
      b: person.toUpperCase(),
      c: hexOf(person),
      d: hexOf(person).toUpperCase(),
    },
  )
  expect(chain.a.bech32Address).toBe(person)
  expect([chain.b, chain.c, chain.d]).toEqual([chain.a, chain.a, chain.a])
})

test('an account has its bech32 and hex address', async () => {
  const { chain } = await world.data(
    `query ($address: Address!) { chain { account(address: $address) { address bech32Address hexAddress } } }`,
    { address: person },
  )
  expect(chain.account).toEqual({
    address: person,
    bech32Address: person,
    hexAddress: hexOf(person),
  })
})

plainTest('a short hex address is padded with zeros', async () => {
  const { chain } = await world.data(
    '{ chain { account(address: "0xAbC") { address bech32Address hexAddress transactions { totalCount } } } }',
  )
  const words = bech32.toWords(Buffer.from('abc'.padStart(40, '0'), 'hex'))
  expect(chain.account).toMatchObject({
    address: bech32.encode('init', words),
    bech32Address: bech32.encode('init', words),
    hexAddress: `0x${'abc'.padStart(40, '0')}`,
    transactions: { totalCount: 0 },
  })
})

test('an unused account has empty lists', async () => {
  const { chain } = await world.data(query, {
    chainId: chainIds.EVM,
    address: `0x${'9'.repeat(40)}`,
  })
  for (const list of Object.values<Data>(chain.account)) {
    expect(list).toEqual({ totalCount: 0, nodes: [] })
  }
})

const bad = [
  '',
  ' ',
  'init1',
  `${person.slice(0, -1)}${person.endsWith('q') ? 'p' : 'q'}`,
  `${person.slice(0, 8).toUpperCase()}${person.slice(8)}`,
  bech32.encode('init', bech32.toWords(Buffer.alloc(40))),
  '0x',
  `0x${'1'.repeat(65)}`,
  'abc',
  '0xzz',
  'alice.init',
  `../${person}`,
  `${person}/../../status`,
  `${person}?a=b`,
  `${person}\n`,
]

test.each(bad)('invalid address %j is refused without an upstream request', async (address) => {
  const { data, errors, sent } = await world.trace(
    `query ($address: Address!) { chain { chainId account(address: $address) {
      transactions { nodes { hash } } nfts { nodes { tokenId } }
    } } }`,
    { address },
  )
  expect(errors).toMatchObject([{ path: ['chain', 'account'], extensions: { code: 'BAD_USER_INPUT' } }])
  expect(data).toEqual({ chain: { chainId: 'harbor-1', account: null } })
  expect(sent).toEqual([])
})

test('an account takes no upstream request until a list is selected', async () => {
  const { sent } = await world.trace(
    `{ chain { account(address: "${person}") { id address hexAddress chain { chainId } } } }`,
  )
  expect(sent).toEqual([])
})

const bytes = bech32.fromWords(bech32.decode(person as `init1${string}`).words)
const spellings = [
  person,
  person.toUpperCase(),
  hexOf(person),
  hexOf(person).toUpperCase(),
  `0x${'0'.repeat(24)}${hexOf(person).slice(2)}`,
  bech32.encode('osmo', bech32.toWords(bytes)),
  bech32.encode('initvaloper', bech32.toWords(bytes)),
]

plainTest.each(everyChain)('$vm: all forms of an address lead to one node', async ({ vm, chainId }) => {
  const fields = '{ id address transactions(first: 3) { nodes { hash } } }'
  const aliases = spellings.map((address, i) => `a${i}: account(address: "${address}") ${fields}`)
  const { chain } = await world.data(`{ chain(chainId: "${chainId}") { ${aliases.join(' ')} } }`)
  const accounts: Data[] = Object.values(chain)
  const [account] = accounts
  expect(accounts).toEqual(spellings.map(() => account))
  expect(account?.address).toBe(vm === 'EVM' ? hexOf(person) : person)
  expect(account?.transactions.nodes.length).toBeGreaterThan(0)
  const again = await world.data(`query ($id: ID!) { node(id: $id) { ... on ChainAccount ${fields} } }`, {
    id: account?.id,
  })
  expect(again.node).toEqual(account)
})

plainTest('an account is the same node from a record and from an argument', async () => {
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.EVM}") {
    transactions(first: 50) { nodes { signers { account { id address } } } }
    evmTransactions(first: 50) { nodes { from { id address } } }
  } }`)
  const signers: Data[] = chain.transactions.nodes.flatMap((tx: Data) => tx.signers.map(({ account }: Data) => account))
  // The receipt of a transaction that was signed natively names no sender.
  const isSigned = ({ from }: Data) => !/^0x0+$/.test(from.address)
  const sender: Data = chain.evmTransactions.nodes.find(isSigned).from
  expect(signers).toContainEqual(sender)
})

plainTest('an unconfigured bech32 prefix is learned', async () => {
  const field = `account(address: "${spellings[5]}") { address bech32Address transactions { totalCount } }`
  await using bare = await startWorld({ isBare: true })
  const { data, errors } = await bare.trace(`{ chain { bech32Prefix ${field} } }`)
  expect(errors).toBeUndefined()
  expect(data.chain).toMatchObject({
    bech32Prefix: 'init',
    account: { address: person, bech32Address: person },
  })
  expect(data.chain.account.transactions.totalCount).toBeGreaterThan(0)
})

test('on an EVM chain without a configured VM, addresses are hex after one probe', async () => {
  await using probed = await startWorld({ vms: 'probed' })
  const query = `{ chain(chainId: "${chainIds.EVM}") { account(address: "${person}") { id address bech32Address } } }`
  const first = await probed.trace(query)
  expect(first.data.chain.account).toMatchObject({ address: hexOf(person), bech32Address: person })
  expect(first.sent).toHaveLength(1)
  expect((await probed.trace(query)).sent).toEqual([])
  const { chain } = await world.data(query)
  expect(chain.account).toEqual(first.data.chain.account)
})

test('an indexer that is down affects only the form of an address', async () => {
  await using probed = await startWorld({ vms: 'probed' })
  probed.sandbox.faults.set(chainIds.EVM, '/', { kind: 'status', status: 500 })
  const query = `{ chain(chainId: "${chainIds.EVM}") { account(address: "${person}") { address } } }`
  expect((await probed.data(query)).chain.account).toEqual({ address: person })
  probed.sandbox.faults.clear()
  expect((await probed.data(query)).chain.account).toEqual({ address: hexOf(person) })
})

test('a bech32 prefix is learned from a signer if blocks have no proposers', async () => {
  await using bare = await startWorld({ isBare: true })
  const path = '/indexer/block/v1/blocks'
  const body = await bare.rest('harbor-1', `${path}?pagination.limit=1`)
  const proposer = { moniker: '', identity: '', operator_address: '' }
  const json = { ...body, blocks: body.blocks.map((block: Data) => ({ ...block, proposer })) }
  bare.sandbox.faults.set('harbor-1', path, { kind: 'answer', json })
  const { chain } = await bare.data(`{ chain { bech32Prefix account(address: "${hexOf(person)}") { address } } }`)
  expect(chain).toEqual({ bech32Prefix: 'init', account: { address: person } })
})
