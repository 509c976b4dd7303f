import { expect, test } from 'vitest'
import { addressOn, startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

const document = `query($address: Address!) { account(address: $address) {
  chainAccounts { chain { chainId } }
  routableChainAccounts { chain { chainId isIndexed isRoutable } address }
} }`

test('routableChainAccounts has an account per chain of the router, in its address form', async () => {
  await using world = await startRouterWorld()
  const { account } = await world.data(document, { address: addressOn('harbor-1') })
  const accounts = new Map(account.routableChainAccounts.map(({ chain, address }: Data) => [chain.chainId, address]))
  for (const chainId of ['osmosis-1', '1']) expect(accounts.get(chainId)).toBe(addressOn(chainId))
  const { routableChains } = await world.data('{ routableChains(first: 100) { nodes { chainId kind isIndexed } } }')
  const others = routableChains.nodes.filter(
    // Addresses of Solana have 32 bytes.
    ({ kind, isIndexed }: Data) => kind !== 'SVM' && !isIndexed,
  )
  expect([...accounts.keys()]).toEqual(others.map(({ chainId }: Data) => chainId))
  expect(account.chainAccounts).toHaveLength(3)
})

test('a 32 byte address has accounts only on chains that allow this length', async () => {
  await using world = await startRouterWorld()
  const { account } = await world.data(document, { address: `0x${'7'.repeat(64)}` })
  const ids = account.routableChainAccounts.map(({ chain }: Data) => chain.chainId)
  expect(ids).toContain('osmosis-1')
  expect(ids).not.toContain('1')
})

test('without the router, chainAccounts is returned and routableChainAccounts an error', async () => {
  await using alone = await startRouterWorld({ routerUrl: null })
  await using broken = await startRouterWorld({ routerUrl: 'http://127.0.0.1:9' })
  for (const world of [alone, broken]) {
    const { data, errors } = await world.ask(document, { address: addressOn('harbor-1') })
    expect(data.account).toMatchObject({ chainAccounts: [{}, {}, {}], routableChainAccounts: null })
    expect(errors?.map(({ path }) => path)).toEqual([['account', 'routableChainAccounts']])
  }
})
