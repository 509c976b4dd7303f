import { expect, test } from 'vitest'
import type { Fault } from '../../../packages/sandbox/src/faults.ts'
import { chainIds, type Data, type ErrorAnswer, startWorld } from '../../support/world.ts'

const page = `{ chains {
  chainId
  status { height }
  averageBlockTimeSeconds
  block(height: 7) { hash }
  blocks(first: 2) { nodes { height } }
  transactions(first: 2) { nodes { hash } }
  evmTransactions(first: 1) { nodes { hash } }
  nftCollections(first: 2) { nodes { name } }
  account(address: "0x1") { address nfts { nodes { tokenId } } }
} }`

const faults: [string, Fault, string][] = [
  ['fails', { kind: 'status', status: 500, body: 'panic at /srv/indexer.go:7' }, 'UPSTREAM_UNAVAILABLE'],
  ['is overloaded', { kind: 'status', status: 503 }, 'UPSTREAM_UNAVAILABLE'],
  ['limits the rate', { kind: 'status', status: 429 }, 'UPSTREAM_UNAVAILABLE'],
  ['refuses', { kind: 'status', status: 400, body: 'see http://10.0.0.7/' }, 'UPSTREAM_REJECTED'],
  [
    'redirects',
    { kind: 'status', status: 302, headers: { location: 'http://169.254.169.254/' } },
    'UPSTREAM_INVALID_RESPONSE',
  ],
  ['hangs', { kind: 'hang' }, 'UPSTREAM_TIMEOUT'],
  ['resets connections', { kind: 'reset' }, 'UPSTREAM_UNAVAILABLE'],
  ['sends garbage', { kind: 'garbage', body: '<html>moved</html>' }, 'UPSTREAM_INVALID_RESPONSE'],
  ['sends an empty body', { kind: 'garbage', body: '' }, 'UPSTREAM_INVALID_RESPONSE'],
  ['sends another shape', { kind: 'answer', json: ['?'] }, 'UPSTREAM_INVALID_RESPONSE'],
  ['sends null', { kind: 'answer', json: null }, 'UPSTREAM_INVALID_RESPONSE'],
]

/** Expects a readable message without internals: no URL, path, file or stack. */
function expectCleanMessage(error: ErrorAnswer) {
  expect(error.message).toMatch(/^[A-Z].*\.$/)
  expect(JSON.stringify(error)).not.toMatch(/https?:|127\.0\.0\.1|169\.254|\/indexer|\.go|\.ts|stack/)
}

test.each(faults)('an indexer that %s affects only the fields of its chain', async (_claim, fault, code) => {
  await using broken = await startWorld({
    limits: { upstreamTimeoutMs: fault.kind === 'hang' ? 1_000 : 5_000 },
  })
  const before = await broken.data(page)
  broken.sandbox.faults.set(chainIds.EVM, '/', fault)
  // Block 7 is in the cache by now. Block 8 needs a request.
  const { data, errors = [] } = await broken.ask(page.replace('height: 7', 'height: 8'))
  const [move, evm, wasm] = data.chains
  const { block: _block, ...expected } = before.chains[0]
  expect(move).toMatchObject(expected)
  expect(wasm.blocks).toEqual(before.chains[2].blocks)
  expect(evm).toEqual({
    chainId: chainIds.EVM,
    status: null,
    averageBlockTimeSeconds: null,
    block: null,
    blocks: null,
    transactions: null,
    evmTransactions: null,
    nftCollections: null,
    account: { address: `0x${'1'.padStart(40, '0')}`, nfts: null },
  })
  expect(errors.map(({ path }) => path?.slice(0, 2).join('.'))).toEqual(Array(8).fill('chains.1'))
  for (const error of errors) {
    expect(error.extensions).toMatchObject({ code, service: chainIds.EVM })
    expectCleanMessage(error)
  }
})

test('a failed join is null, and its record is returned', async () => {
  await using broken = await startWorld()
  broken.sandbox.faults.set('harbor-1', '/indexer/block/v1/', { kind: 'status', status: 500 })
  const { data, errors } = await broken.ask(
    '{ chain { transactions(first: 2) { nodes { hash block { height hash } } } } }',
  )
  expect(data.chain.transactions.nodes).toEqual([
    { hash: expect.any(String), block: null },
    { hash: expect.any(String), block: null },
  ])
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'])
})

test('a failed list is null, and its record is returned', async () => {
  await using broken = await startWorld()
  broken.sandbox.faults.set(chainIds.EVM, '/indexer/tx/v1/evm-', { kind: 'garbage', body: '{' })
  const { data, errors } = await broken.ask(`{ chain(chainId: "${chainIds.EVM}") { block(height: 57) {
    hash
    transactions { nodes { hash evmTransaction { hash } } }
    evmTransactions { nodes { hash } }
    evmInternalTransactions { nodes { index } }
  } } }`)
  const { block } = data.chain
  expect(block.transactions.nodes).toHaveLength(5)
  expect(block).toMatchObject({ evmTransactions: null, evmInternalTransactions: null })
  for (const tx of block.transactions.nodes) expect(tx.evmTransaction).toBeNull()
  expect(new Set(errors?.map(({ extensions }) => extensions?.code))).toEqual(new Set(['UPSTREAM_INVALID_RESPONSE']))
})

test('a failed count is null, and its page is returned', async () => {
  await using broken = await startWorld()
  for (const query of ['limit=1', 'limit=3&pagination.reverse=true']) {
    broken.sandbox.faults.set('harbor-1', `/indexer/tx/v1/txs?pagination.${query}&pagination.count_total=true`, {
      kind: 'status',
      status: 500,
    })
  }
  const { data, errors } = await broken.ask('{ chain { transactions(first: 2) { totalCount nodes { hash } } } }')
  expect(data.chain.transactions).toEqual({
    totalCount: null,
    nodes: [expect.anything(), expect.anything()],
  })
  expect(errors).toMatchObject([
    { path: ['chain', 'transactions', 'totalCount'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
  ])
  // From then on, the page does not wait for the count.
  const { sent } = await broken.trace('{ chain { transactions(first: 4) { totalCount nodes { hash } } } }')
  expect(sent.map((request) => request.split('?')[1]).toSorted()).toEqual([
    'pagination.limit=1&pagination.count_total=true',
    'pagination.limit=5&pagination.reverse=true&pagination.count_total=false',
  ])
})

test('a failed count is null if nothing else is selected', async () => {
  await using broken = await startWorld()
  broken.sandbox.faults.set('harbor-1', '/indexer/tx/v1/txs?', { kind: 'status', status: 500 })
  const { data, errors } = await broken.ask('{ chain { transactions { totalCount } } }')
  expect(data.chain.transactions).toEqual({ totalCount: null })
  expect(errors).toMatchObject([
    { path: ['chain', 'transactions', 'totalCount'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
  ])
})

test('a request that fails once is retried', async () => {
  await using broken = await startWorld()
  broken.sandbox.faults.set('harbor-1', '/status', { kind: 'reset', times: 1 })
  const { sent, errors } = await broken.trace('{ chain { status { height } } }')
  expect(errors).toBeUndefined()
  expect(sent).toHaveLength(2)
})

test('an operation ends at its deadline with the data received so far', async () => {
  await using slow = await startWorld({ limits: { timeoutMs: 300 } })
  slow.sandbox.faults.set(chainIds.EVM, '/', { kind: 'hang' })
  const { data, errors } = await slow.ask('{ chains { chainId status { chainId } } }')
  expect(data.chains.map((chain: Data) => chain.status?.chainId ?? null)).toEqual([chainIds.MOVE, null, chainIds.WASM])
  expect(errors).toMatchObject([{ path: ['chains', 1, 'status'], extensions: { code: 'UPSTREAM_TIMEOUT' } }])
})

test('a record other than the requested one is an error and is not cached', async () => {
  await using wrong = await startWorld()
  const evm = chainIds.EVM
  const [tx, otherTx] = await wrong.rows(evm, '/indexer/tx/v1/txs')
  const [evmTx, otherEvmTx] = await wrong.rows(evm, '/indexer/tx/v1/evm-txs')
  const { faults } = wrong.sandbox
  faults.set(evm, '/indexer/tx/v1/txs/', { kind: 'answer', json: { tx: otherTx } })
  faults.set(evm, '/indexer/tx/v1/evm-txs/', { kind: 'answer', json: { tx: otherEvmTx } })
  faults.set(evm, '/indexer/block/v1/blocks/7', {
    kind: 'answer',
    json: await wrong.rest(evm, '/indexer/block/v1/blocks/8'),
  })
  const query = `{ chain(chainId: "${evm}") {
    block(height: 7) { height }
    transaction(hash: "${tx.txhash}") { hash }
    evmTransaction(hash: "${evmTx.transactionHash}") { hash }
  } }`
  const { data, errors = [] } = await wrong.ask(query)
  expect(data.chain).toEqual({ block: null, transaction: null, evmTransaction: null })
  expect(errors.map(({ extensions }) => extensions?.code)).toEqual(Array(3).fill('UPSTREAM_INVALID_RESPONSE'))
  faults.clear()
  expect((await wrong.data(query)).chain).toEqual({
    block: { height: 7 },
    transaction: { hash: tx.txhash },
    evmTransaction: { hash: evmTx.transactionHash },
  })
})
