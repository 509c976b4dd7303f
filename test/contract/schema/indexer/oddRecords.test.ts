import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { runs } from '../../../support/property.ts'
import { chainIds, type Data, startWorld } from '../../../support/world.ts'

// One odd record of a list costs itself at most: the rest of the page is answered.

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const account = 'account { address bech32Address hexAddress }'
const fieldsOf = {
  block: `height hash timestamp blockTimeSeconds gasUsed gasWanted transactionCount totalFee { denom amount }
    proposer { moniker identity operatorAddress }`,
  transaction: `height hash timestamp code codespace isSuccessful gasWanted gasUsed
    messages { typeUrl body } memo fee { amount { denom amount } gasLimit payer { address } granter { address } }
    timeoutHeight extensionOptions nonCriticalExtensionOptions
    signers { ${account} publicKeyType publicKey sequence }
    events { type attributes { key value isIndexed } } data rawLog info`,
  receipt: `hash height blockHash index from { address bech32Address } to { hexAddress } createdContract { address }
    isSuccessful gasUsed cumulativeGasUsed effectiveGasPrice fee type logsBloom
    logs { ${account} topics data index isRemoved }`,
  call: `transactionHash height index parentIndex kind rawKind from { address } to { bech32Address }
    value gas gasUsed input output`,
  collection: 'address name originName creator { address } nftCount height timestamp',
  token: 'tokenId owner { address bech32Address } uri objectAddress height timestamp',
  holder: `${account} denom amount`,
}

const [collection] = await world.rows(chainIds.WASM, '/indexer/nft/v1/collections', {
  'pagination.reverse': 'false',
})

/** A list: its path, the field with its rows, and how the graph names it. */
interface List {
  readonly chainId: string
  readonly path: string
  readonly rows: string
  readonly graph: readonly string[]
  readonly fields: string
}

const lists: Record<string, List> = {
  blocks: {
    ...{ chainId: chainIds.MOVE, path: '/indexer/block/v1/blocks', rows: 'blocks' },
    ...{ graph: ['blocks(first: 3)'], fields: fieldsOf.block },
  },
  transactions: {
    ...{ chainId: chainIds.WASM, path: '/indexer/tx/v1/txs', rows: 'txs' },
    ...{ graph: ['transactions(first: 3)'], fields: fieldsOf.transaction },
  },
  'EVM transactions': {
    ...{ chainId: chainIds.EVM, path: '/indexer/tx/v1/evm-txs', rows: 'txs' },
    ...{ graph: ['evmTransactions(first: 3)'], fields: fieldsOf.receipt },
  },
  'internal transactions': {
    ...{ chainId: chainIds.EVM, path: '/indexer/tx/v1/evm-internal-txs', rows: 'internal_txs' },
    ...{ graph: ['evmInternalTransactions(first: 3)'], fields: fieldsOf.call },
  },
  collections: {
    ...{ chainId: chainIds.MOVE, path: '/indexer/nft/v1/collections', rows: 'collections' },
    ...{ graph: ['nftCollections(first: 3)'], fields: fieldsOf.collection },
  },
  NFTs: {
    chainId: chainIds.WASM,
    path: `/indexer/nft/v1/tokens/by_collection/${collection.object_addr}`,
    rows: 'tokens',
    graph: [`nftCollection(address: "${collection.object_addr}")`, 'nfts(first: 3)'],
    fields: fieldsOf.token,
  },
  holders: {
    ...{ chainId: chainIds.WASM, path: '/indexer/richlist/v1/ulant', rows: 'holders' },
    ...{ graph: ['richList(denom: "ulant", first: 3)'], fields: fieldsOf.holder },
  },
}

/** What takes the place of a value. Undefined: nothing does. */
const replacement: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(undefined, null, '', true, -1, 0, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, [], {}),
  fc.constantFrom('x'.repeat(10_000), '9'.repeat(5_000), '0x', '0xzz', `0x${'f'.repeat(600)}`, 'init1q'),
  fc.integer({ min: 60, max: 400 }).map(nested),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constant({ surprise: { of: ['a', 'chain'] } }),
  fc.constant([null, 5, 'text', { '@type': 7 }]),
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i += 1) value = i % 2 ? [value] : { inner: value }
  return value
}

/** The paths of all values in a record, itself included. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [path, ...inner.flatMap(([key, item]) => pathsOf(item, [...path, key]))]
}

function replaced(value: Data, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = Array.isArray(value) ? [...value] : { ...value }
  const inner = replaced(value[key], rest, by)
  if (inner === undefined && !Array.isArray(copy)) delete copy[key]
  else copy[key as never] = inner as never
  return copy
}

/** What the graph answers for a list, and the path of its nodes. */
async function answerOf({ chainId, graph, fields }: List) {
  const page = graph.reduceRight((inner, name) => `${name} { ${inner} }`, `nodes { ${fields} }`)
  const { data, errors } = await world.ask(`{ chain(chainId: "${chainId}") { ${page} } }`)
  const path = ['chain', ...graph.map((name) => name.replace(/\(.*/s, '')), 'nodes']
  const nodes: Data[] = path.reduce((value, key) => value?.[key], data)
  return { nodes, errors: errors ?? [], path }
}

test.each(Object.entries(lists))('one invalid record in the list of %s affects only itself', async (_name, list) => {
  const query = '?pagination.limit=4'
  const body = await world.rest(list.chainId, `${list.path}${query}`)
  const records: Data[] = body[list.rows]
  const serve = (rows: readonly unknown[]) =>
    world.sandbox.faults.set(list.chainId, `${list.path}?`, {
      kind: 'answer',
      json: { ...body, [list.rows]: rows },
    })
  serve(records)
  const plain = await answerOf(list)
  expect(plain.errors).toEqual([])
  let unreadable = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...pathsOf(records[1])), replacement, async (path, by) => {
      serve([records[0], replaced(records[1], path, by), ...records.slice(2)])
      const { nodes, errors, path: nodesPath } = await answerOf(list)
      expect(nodes).toHaveLength(3)
      expect([nodes[0], nodes[2]]).toEqual([plain.nodes[0], plain.nodes[2]])
      for (const error of errors) {
        expect(error.path?.slice(0, nodesPath.length + 1)).toEqual([...nodesPath, 1])
        expect(error.extensions).toMatchObject({
          code: 'UPSTREAM_INVALID_RESPONSE',
          service: list.chainId,
        })
      }
      if (nodes[1] === null) unreadable += 1
      expect(nodes[1] === null && errors.length === 0).toBe(false)
    }),
    { numRuns: runs(60) },
  )
  expect(unreadable).toBeGreaterThan(0)
  world.sandbox.faults.clear()
})

const transactions = '/indexer/tx/v1/txs?'
const blocksWithTransactions = '{ chain { blocks(first: 9) { nodes { height transactions { nodes { hash } } } } } }'

test('a too deeply nested message has an error at its body', async () => {
  const { txs, pagination } = await world.rest(chainIds.WASM, `${transactions}pagination.limit=3`)
  const [, odd] = txs
  odd.tx.body.messages[0].deep = nested(70)
  world.sandbox.faults.set(chainIds.WASM, transactions, {
    kind: 'answer',
    json: { txs, pagination },
  })
  const { data, errors } = await world.ask(
    `{ chain(chainId: "${chainIds.WASM}") { transactions(first: 2) { nodes { hash messages { typeUrl body } } } } }`,
  )
  world.sandbox.faults.clear()
  const { nodes } = data.chain.transactions
  expect(nodes[1].hash).toBe(odd.txhash)
  expect(nodes[1].messages[0]).toEqual({ typeUrl: odd.tx.body.messages[0]['@type'], body: null })
  expect(nodes[0].messages[0].body).not.toBeNull()
  expect(errors).toMatchObject([
    {
      path: ['chain', 'transactions', 'nodes', 1, 'messages', 0, 'body'],
      extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
    },
  ])
})

/** The answer for transactions of the Wasm chain, the second of which `change` has made odd. */
async function withOddTransaction(change: (tx: Data) => void, fields: string) {
  const body = await world.rest(chainIds.WASM, `${transactions}pagination.limit=3`)
  change(body.txs[1])
  world.sandbox.faults.set(chainIds.WASM, transactions, { kind: 'answer', json: body })
  const answer = await world.ask(
    `{ chain(chainId: "${chainIds.WASM}") { transactions(first: 2) { nodes { ${fields} } } } }`,
  )
  world.sandbox.faults.clear()
  return { nodes: answer.data.chain.transactions.nodes, errors: answer.errors }
}

test.each([-1, '-5', 2 ** 60, '9007199254740992'])(
  'a record with height %j is unreadable, and its error names the chain',
  async (height) => {
    const { nodes, errors } = await withOddTransaction((tx) => {
      tx.height = height
    }, 'height')
    expect(nodes).toEqual([{ height: expect.any(Number) }, null])
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', service: chainIds.WASM } }])
  },
)

test('an error of page keys names the chain', async () => {
  const { txs } = await world.rest(chainIds.WASM, `${transactions}pagination.limit=1`)
  const json = { txs, pagination: { next_key: 'a key', total: '9' } }
  world.sandbox.faults.set(chainIds.WASM, transactions, { kind: 'answer', json })
  const errors = await world.errors(
    `{ chain(chainId: "${chainIds.WASM}") { transactions(first: 5) { nodes { hash } } } }`,
  )
  world.sandbox.faults.clear()
  expect(errors).toMatchObject([
    {
      message: 'The upstream returned the same page key twice.',
      extensions: { code: 'UPSTREAM_INVALID_RESPONSE', service: chainIds.WASM },
    },
  ])
})

test('null extensions are dropped', async () => {
  const extension = { '@type': '/test.v1.Extension' }
  const { nodes, errors } = await withOddTransaction(({ tx }) => {
    tx.body.extension_options = [null, extension]
    tx.body.non_critical_extension_options = [null]
  }, 'extensionOptions nonCriticalExtensionOptions')
  expect(errors).toBeUndefined()
  expect(nodes[1]).toEqual({ extensionOptions: [extension], nonCriticalExtensionOptions: [] })
})

test.each(['a hash with spaces', 'half a pair \ud800', ''])(
  'a call with hash %j is null with an error, and others are returned',
  async (hash) => {
    const path = '/indexer/tx/v1/evm-internal-txs?'
    const body = await world.rest(chainIds.EVM, `${path}pagination.limit=3`)
    body.internal_txs[1].hash = hash
    world.sandbox.faults.set(chainIds.EVM, path, { kind: 'answer', json: body })
    const { data, errors } = await world.ask(
      `{ chain(chainId: "${chainIds.EVM}") {
        evmInternalTransactions(first: 2) { nodes { transaction { hash } } }
      } }`,
    )
    world.sandbox.faults.clear()
    const { nodes } = data.chain.evmInternalTransactions
    expect(nodes).toEqual([{ transaction: { hash: body.internal_txs[0].hash } }, null])
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', service: chainIds.EVM } }])
  },
)

test('a result code can be up to 32 bits', async () => {
  const { txs, pagination } = await world.rest(chainIds.WASM, `${transactions}pagination.limit=2`)
  txs[0].code = 3_000_000_000
  world.sandbox.faults.set(chainIds.WASM, transactions, {
    kind: 'answer',
    json: { txs, pagination },
  })
  const { chain } = await world.data(
    `{ chain(chainId: "${chainIds.WASM}") { transactions(first: 1) { nodes { code isSuccessful } } } }`,
  )
  world.sandbox.faults.clear()
  expect(chain.transactions.nodes).toEqual([{ code: 3_000_000_000, isSuccessful: false }])
})

test.each([null, '', false, -1, 1.5, '1e-1', 2 ** 32])(
  'a transaction with result code %j is an error, and not a success',
  async (code) => {
    const { txs, pagination } = await world.rest(chainIds.WASM, `${transactions}pagination.limit=2`)
    const json = { txs: [{ ...txs[0], code }, txs[1]], pagination }
    world.sandbox.faults.set(chainIds.WASM, transactions, { kind: 'answer', json })
    const { data, errors } = await world.ask(
      `{ chain(chainId: "${chainIds.WASM}") { transactions(first: 1) { nodes { isSuccessful } } } }`,
    )
    world.sandbox.faults.clear()
    expect(data.chain.transactions.nodes).toEqual([null])
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }])
  },
)

test('an unreadable record has an error at its edge, and a cursor', async () => {
  const body = await world.rest(chainIds.WASM, `${transactions}pagination.limit=3`)
  const [first, , third] = body.txs
  const json = { ...body, txs: [first, { of: 'another kind' }, third] }
  world.sandbox.faults.set(chainIds.WASM, transactions, { kind: 'answer', json })
  const page = (args: string) => `{ chain(chainId: "${chainIds.WASM}") {
    transactions(${args}) { edges { cursor node { hash } } pageInfo { endCursor hasNextPage } }
  } }`
  const { data, errors } = await world.ask(page('first: 2'))
  world.sandbox.faults.clear()
  const { edges, pageInfo } = data.chain.transactions
  expect(edges.map((edge: Data) => edge.node)).toEqual([{ hash: first.txhash }, null])
  expect(errors).toMatchObject([
    {
      path: ['chain', 'transactions', 'edges', 1, 'node'],
      extensions: { code: 'UPSTREAM_INVALID_RESPONSE', service: chainIds.WASM },
    },
  ])
  const next = await world.data(page(`first: 1, after: "${pageInfo.endCursor}"`))
  expect(next.chain.transactions.edges[0].node.hash).toBe(third.txhash)
})

test('an unreadable record makes only its block be read separately', async () => {
  const plain = await world.trace(blocksWithTransactions)
  const body = await world.rest(chainIds.MOVE, `${transactions}pagination.limit=40`)
  const odd = body.txs.findIndex((tx: Data) => tx.height === '57') + 1
  const isOdd = (i: number) => i === odd
  const json = { ...body, txs: body.txs.map((tx: Data, i: number) => (isOdd(i) ? 'odd' : tx)) }
  await using fresh = await startWorld()
  fresh.sandbox.faults.set(chainIds.MOVE, transactions, { kind: 'answer', json })
  const { data, errors, sent } = await fresh.trace(blocksWithTransactions)
  expect(errors).toBeUndefined()
  expect(data).toEqual(plain.data)
  // The list of the block itself is read whole.
  expect(sent.length).toBeGreaterThan(plain.sent.length)
  expect(sent.length).toBeLessThan(plain.sent.length + 5)
})
