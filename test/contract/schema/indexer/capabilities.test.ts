import { expect, test } from 'vitest'
import { chainIds, everyChain, startWorld, youngChains } from '../../../support/world.ts'

const document = `query ($chainId: ChainId!) { chain(chainId: $chainId) {
  capabilities
  evmTransactions(first: 1) { nodes { hash } }
  evmInternalTransactions(first: 1) { nodes { id } }
} }`

test.each(everyChain)('$vm: lists that the chain lacks are null without an error', async ({ vm, chainId }) => {
  await using world = await startWorld({ chains: youngChains(20), vms: 'probed' })
  const { chain } = await world.data(document, { chainId })
  const isEvm = vm === 'EVM'
  expect(chain.capabilities).toEqual([
    ...(isEvm ? ['EVM_TRANSACTIONS', 'EVM_INTERNAL_TRANSACTIONS'] : []),
    ...['RICH_LIST', 'NUMBERED_PAGES', 'MESSAGE_TYPE_FILTER'],
  ])
  expect(chain.evmTransactions === null).toBe(!isEvm)
  expect(chain.evmInternalTransactions === null).toBe(!isEvm)
})

test('missing traces and rich lists are detected once', async () => {
  const quirks = { internalTxOff: true, richListOff: true }
  const chains = youngChains(20).map((chain) => ({ ...chain, quirks }))
  await using world = await startWorld({ chains })
  const { chain } = await world.data(document, { chainId: chainIds.EVM })
  expect(chain.capabilities).toEqual(['EVM_TRANSACTIONS', 'NUMBERED_PAGES', 'MESSAGE_TYPE_FILTER'])
  expect(chain.evmInternalTransactions).toBeNull()
  const again = await world.trace(`{ chain(chainId: "${chainIds.EVM}") { capabilities } }`)
  expect(again.sent.filter((request) => !request.endsWith('/status'))).toEqual([])
})

test('capabilities of an indexer that fails are an error', async () => {
  await using world = await startWorld({ chains: youngChains(20), vms: 'probed' })
  world.sandbox.faults.set(chainIds.EVM, '/indexer/tx/v1/evm-internal-txs/by_account', {
    kind: 'status',
    status: 500,
  })
  const errors = await world.errors(`{ chain(chainId: "${chainIds.EVM}") { capabilities } }`)
  expect(errors[0]?.extensions).toMatchObject({ service: chainIds.EVM })
})

test('the schema has a short description', async () => {
  await using world = await startWorld({ chains: youngChains(5) })
  const { __schema } = await world.data('{ __schema { description } }')
  expect(__schema.description).toMatch(/^One graph over/)
  expect(__schema.description.split(/\s+/).length).toBeLessThan(170)
})
