import { expect, test } from 'vitest'
import { addressOn, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'
import { testOfPlainRecords } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

const fields = '{ address balances { denom amount usdValue asset { symbol } } }'
const postsOf = (requests: readonly string[]) => requests.filter((request) => request.startsWith('POST'))

plainTest('balances on all routable chains take one request', async () => {
  await using world = await startRouterWorld()
  const chains = ['harbor-1', 'galley-1', 'osmosis-1', 'noble-1', '1']
  const aliases = chains.map(
    (chainId, i) => `c${i}: chain(chainId: "${chainId}") { account(address: "${addressOn('1')}") ${fields} }`,
  )
  const data = await world.data(`{ ${aliases.join(' ')} }`)
  expect(postsOf(world.requests())).toHaveLength(1)
  for (const [i, chainId] of chains.entries()) {
    const { account } = data[`c${i}`]
    expect(account.balances.length).toBeGreaterThan(0)
    const alone = await world.data(
      `{ chain(chainId: "${chainId}") { account(address: "${addressOn('1')}") ${fields} } }`,
    )
    expect(alone.chain.account).toEqual(account)
  }
  expect(data.c2.account.address).toMatch(/^osmo1/)
  expect(data.c4.account.address).toBe(addressOn('1').toLowerCase())
})

plainTest('all spellings of an account are one request for balances', async () => {
  await using world = await startRouterWorld()
  const spellings = [addressOn('harbor-1'), addressOn('1'), addressOn('harbor-1').toUpperCase()]
  const accounts = spellings.map((address, i) => `a${i}: account(address: "${address}") ${fields}`)
  const { chain } = await world.data(`{ chain { ${accounts.join('\n')} } }`)
  expect(postsOf(world.requests())).toHaveLength(1)
  expect(chain.a1).toEqual(chain.a0)
  expect(chain.a2).toEqual(chain.a0)
})

plainTest('each further address on a chain takes one more request for balances, its spellings none', async () => {
  await using world = await startRouterWorld()
  const other = `0x${'7'.repeat(40)}`
  await world.data(`{ chain {
    a: account(address: "${addressOn('1')}") ${fields}
    b: account(address: "${other}") ${fields}
    again: account(address: "${addressOn('harbor-1')}") ${fields}
  } osmosis: chain(chainId: "osmosis-1") { account(address: "${other}") ${fields} }
    galley: chain(chainId: "galley-1") { account(address: "${other}") ${fields} } }`)
  expect(postsOf(world.requests())).toHaveLength(2)
})

const chainList = {
  chains: [
    { chain_id: 'harbor-1', chain_type: 'cosmos', bech32_prefix: 'init' },
    { chain_id: 'galley-1', chain_type: 'cosmos', bech32_prefix: 'init' },
    { chain_id: 'osmosis-1', chain_type: 'cosmos', bech32_prefix: 'osmo' },
  ],
}

/** A router that answers with these balances. */
const routerWith = (reply: (asked: Record<string, { address: string }>) => { status?: number; body: object }) => {
  const asked: Record<string, { address: string }>[] = []
  const router = startFakeRouter((path, body) => {
    if (path.startsWith('/v2/info/chains')) return { body: JSON.stringify(chainList) }
    if (!path.startsWith('/v2/info/balances')) return { body: '{"chain_to_assets_map":{}}' }
    const { chains } = JSON.parse(body ?? '')
    asked.push(chains)
    const answer = reply(chains)
    return { ...answer, body: JSON.stringify(answer.body) }
  })
  return router.then((started) => ({ ...started, asked }))
}

test('a balance that the router cannot read is null with an error, not zero', async () => {
  const failed = { message: 'failed to query balance: timeout' }
  await using router = await routerWith(() => ({
    body: {
      chains: {
        'harbor-1': {
          denoms: {
            uinit: { amount: '0', formatted_amount: '0', value_usd: '0', error: failed },
            uok: { amount: '5', decimals: 6, formatted_amount: '0.000005', error: null },
            uodd: { amount: 'many' },
          },
        },
      },
    },
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { data, errors } = await world.ask(
    `{ chain { account(address: "${addressOn('1')}") { balances { denom amount formattedAmount usdValue } } } }`,
  )
  expect(data?.chain.account.balances).toEqual([
    { denom: 'uinit', amount: null, formattedAmount: null, usdValue: null },
    { denom: 'uok', amount: '5', formattedAmount: '0.000005', usdValue: null },
    { denom: 'uodd', amount: null, formattedAmount: null, usdValue: null },
  ])
  expect(errors?.map(({ path, extensions }) => [path?.slice(-2), (extensions as unknown as Data).code])).toEqual([
    [[0, 'amount'], 'UPSTREAM_UNAVAILABLE'],
    [[2, 'amount'], 'UPSTREAM_INVALID_RESPONSE'],
    [[2, 'formattedAmount'], 'UPSTREAM_INVALID_RESPONSE'],
  ])
  expect(errors?.[0]?.extensions).toMatchObject({ upstreamMessage: failed.message })
})

test("amounts are formatted from amount and decimals, never by the router's text", async () => {
  const denoms = {
    ufalse: { amount: '5555', decimals: 6, formatted_amount: '1' },
    ubare: { amount: '5555', decimals: null, formatted_amount: '1' },
  }
  await using router = await routerWith(() => ({ body: { chains: { 'harbor-1': { denoms } } } }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { chain } = await world.data(
    `{ chain { account(address: "${addressOn('1')}") { balances { decimals formattedAmount } } } }`,
  )
  expect(chain.account.balances).toEqual([
    { decimals: 6, formattedAmount: '0.005555' },
    { decimals: null, formattedAmount: null },
  ])
})

/** Asks for balances on two chains, of which only the first can be read. Gives the errors beside them. */
async function errorsBesideBalances(routerUrl: string) {
  await using world = await startRouterWorld({ routerUrl })
  const account = `account(address: "${addressOn('1')}") { balances { amount } }`
  const { data, errors } = await world.ask(`{ chain { ${account} } galley: chain(chainId: "galley-1") { ${account} } }`)
  expect(data).toEqual({
    chain: { account: { balances: [{ amount: '7' }] } },
    galley: { account: { balances: null } },
  })
  return errors
}

test('balances of a chain that the router cannot read are an error of that chain only', async () => {
  await using router = await routerWith(() => ({
    body: {
      chains: {
        'harbor-1': { denoms: { uinit: { amount: '7' } } },
        'galley-1': { denoms: {}, error: { message: 'node is down, see https://node.example' } },
      },
    },
  }))
  const errors = await errorsBesideBalances(router.url)
  expect(errors?.map(({ extensions }) => extensions)).toMatchObject([
    { code: 'UPSTREAM_UNAVAILABLE', service: 'router', upstreamMessage: 'node is down, see' },
  ])
})

test('balances on a chain that the router does not reach are null', async () => {
  const query = (chainId: string) =>
    `{ chain(chainId: "${chainId}") { account(address: "${addressOn('1')}") { balances { amount } } } }`
  for (const answer of [
    { status: 404, body: { code: 5, message: 'chain ID not supported' } },
    { status: 400, body: { code: 3, message: 'Invalid chain_id' } },
    { body: { chains: {} } },
  ]) {
    await using router = await routerWith(() => answer)
    await using world = await startRouterWorld({ routerUrl: router.url })
    const { chain } = await world.data(query('lantern-1'))
    expect(chain.account.balances).toBeNull()
    if (answer.status) expect(await world.fault(query('harbor-1'))).toEqual(['UPSTREAM_REJECTED'])
  }
})

test('balances of a bech32 chain are never requested with a hex address', async () => {
  await using router = await routerWith(() => ({ body: { chains: {} } }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const account = `account(address: "${addressOn('1')}") { balances { amount } }`
  await world.data(`{ chain { ${account} } osmosis: chain(chainId: "osmosis-1") { ${account} } }`)
  const addresses = router.asked.flatMap((chains) => Object.values(chains))
  expect(addresses.map(({ address }) => address.slice(0, 5))).toEqual(['init1', 'osmo1'])
})

test('no balances are requested while the bech32 prefix is unknown', async () => {
  await using router = await startFakeRouter((path) =>
    path.startsWith('/v2/info/chains')
      ? { status: 500, body: '{}' }
      : { body: '{"chains":{"harbor-1":{"denoms":{}}}}' },
  )
  await using world = await startRouterWorld({
    routerUrl: router.url,
    listing: { bech32Prefix: undefined },
  })
  const query = `{ chain { account(address: "${addressOn('1')}") { balances { amount } } } }`
  world.sandbox.faults.set('harbor-1', '/indexer', { kind: 'status', status: 404 })
  expect(await world.fault(query)).toEqual(['UPSTREAM_UNAVAILABLE'])
  expect(router.bodies.filter((body) => body !== '')).toEqual([])
})

test('an account that the router refuses does not fail others in the request', async () => {
  await using router = await routerWith((asked) =>
    'galley-1' in asked
      ? { status: 400, body: { code: 3, message: 'invalid address' } }
      : { body: { chains: { 'harbor-1': { denoms: { uinit: { amount: '7' } } } } } },
  )
  const errors = await errorsBesideBalances(router.url)
  expect(errors?.map(({ path }) => path?.[0])).toEqual(['galley'])
  expect(router.asked.map((chains) => Object.keys(chains))).toEqual([
    ['harbor-1', 'galley-1'],
    ['harbor-1'],
    ['galley-1'],
  ])
})
