import { afterAll, expect, test } from 'vitest'
import { chainIds, everyChain, startWorld, testOfPlainRecords, youngChains } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const statusQuery = `query ($chainId: ChainId) {
  chain(chainId: $chainId) {
    chainId name isDefault vm bech32Prefix
    status { chainId version commit height internalTransactionHeight richListHeight }
    averageBlockTimeSeconds
  }
}`

const whole = (value: unknown) => (value === undefined ? null : Number(value))

test.each(everyChain)('$vm: status equals that of the indexer', async ({ vm, chainId }) => {
  const { chain } = await world.data(statusQuery, { chainId })
  const rest = await world.rest(chainId, '/status')
  expect(chain).toMatchObject({ chainId, vm, bech32Prefix: 'init' })
  expect(chain.status).toEqual({
    chainId,
    version: rest.version,
    commit: rest.commit_hash,
    height: whole(rest.height),
    internalTransactionHeight: whole(rest.internal_tx_height),
    richListHeight: whole(rest.rich_list_height),
  })
  expect(chain.status.internalTransactionHeight === null).toBe(vm !== 'EVM')
  const { avg_block_time } = await world.rest(chainId, '/indexer/block/v1/avg_blocktime')
  expect(chain.averageBlockTimeSeconds).toBe(avg_block_time)
})

test('heights that the indexer omits are null', async () => {
  const chains = youngChains(60).map((chain) => ({
    ...chain,
    quirks: { internalTxOff: true, richListOff: true },
  }))
  await using bare = await startWorld({ chains })
  const { chain } = await bare.data(statusQuery, { chainId: chainIds.EVM })
  expect(chain.status).toMatchObject({ internalTransactionHeight: null, richListHeight: null })
})

test('chains are listed in the order of the configuration', async () => {
  const { chains } = await world.data('{ chains { chainId isDefault } }')
  expect(chains).toEqual([
    { chainId: 'harbor-1', isDefault: true },
    { chainId: 'galley-1', isDefault: false },
    { chainId: 'lantern-1', isDefault: false },
  ])
})

plainTest('chain defaults to the default chain, and an unknown chain is null', async () => {
  const query = '{ chain { chainId } unknown: chain(chainId: "atlantis-1") { chainId } }'
  const { data, errors, sent } = await world.trace(query)
  expect(data).toEqual({ chain: { chainId: 'harbor-1' }, unknown: null })
  expect(errors).toBeUndefined()
  expect(sent).toEqual([expect.stringMatching(/^router GET \/v2\/info\/chains/)])
})

test('a query over all chains takes one request per chain and endpoint', async () => {
  const { data, sent } = await world.trace(
    '{ chains { chainId status { height } again: status { version } averageBlockTimeSeconds } }',
  )
  expect(data.chains.map((chain: { status: unknown }) => chain.status)).not.toContain(null)
  expect(sent.toSorted()).toEqual(
    Object.values(chainIds)
      .flatMap((chainId) => [`${chainId} GET /indexer/block/v1/avg_blocktime`, `${chainId} GET /status`])
      .toSorted(),
  )
})

test('an unconfigured VM is probed once', async () => {
  await using probed = await startWorld({ vms: 'probed' })
  const query = `{ chains {
    vm
    evmTransactions(first: 1) { nodes { hash } }
    evmInternalTransactions(first: 1) { nodes { index } }
  } }`
  const probes = (sent: string[]) => sent.filter((request) => request.includes('/by_account/0x000'))
  const first = await probed.trace(query)
  expect(first.errors).toBeUndefined()
  const [move, evm, wasm] = first.data.chains
  expect(move).toEqual({ vm: null, evmTransactions: null, evmInternalTransactions: null })
  expect(wasm).toEqual(move)
  expect(evm.vm).toBe('EVM')
  expect(evm.evmTransactions.nodes).toHaveLength(1)
  expect(probes(first.sent)).toHaveLength(3)
  const second = await probed.trace(query)
  expect(second.data).toEqual(first.data)
  expect(probes(second.sent)).toEqual([])
})

test('internal transactions are null on an EVM chain without traces', async () => {
  const chains = youngChains(60).map((chain) => ({ ...chain, quirks: { internalTxOff: true } }))
  await using untraced = await startWorld({ chains, vms: 'probed' })
  const { chain } = await untraced.data(`{ chain(chainId: "${chainIds.EVM}") {
    evmTransactions(first: 2) { nodes { hash internalTransactions { totalCount } } }
    evmInternalTransactions { totalCount }
    block(height: 57) { evmTransactions { totalCount } evmInternalTransactions { totalCount } }
  } }`)
  expect(chain.evmInternalTransactions).toBeNull()
  expect(chain.block.evmInternalTransactions).toBeNull()
  expect(chain.block.evmTransactions).not.toBeNull()
  for (const tx of chain.evmTransactions.nodes) expect(tx.internalTransactions).toBeNull()
})

test('service.limits has the limits of the gateway', async () => {
  const { service } = await world.data('{ service { limits { maxPageSize maxCost timeoutMs } } }')
  expect(service.limits).toEqual({ maxPageSize: 100, maxCost: 20_000, timeoutMs: 15_000 })
})
