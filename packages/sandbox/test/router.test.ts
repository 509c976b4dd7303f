import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../support/property.ts'
import { makeAccount } from '../src/address.ts'
import { assetKey } from '../src/router/assets.ts'
import { type Edge, quote } from '../src/router/edges.ts'
import { bestPath, maxHops } from '../src/router/search.ts'
import { assets, denom, dig, kinds, list, network, start } from './support/sandboxRouter.ts'

/** The best amount out of all simple paths, with the same rule for new transactions. */
function bruteForce(goal: string, edges: readonly Edge[], maxTxs: number) {
  const bestFrom = (key: string, amount: bigint, txs: number, open: boolean, past: readonly string[]): bigint => {
    if (key === goal && past.length > 0) return amount
    if (past.length === maxHops) return 0n
    let best = 0n
    for (const edge of edges) {
      const to = assetKey(edge.to.chainId, edge.to.denom)
      if (assetKey(edge.from.chainId, edge.from.denom) !== key || to === key) continue
      const next = open ? txs : txs + 1
      const out = quote(edge, amount)
      if (past.includes(to) || next > maxTxs || out <= 0n) continue
      const amountOut = bestFrom(to, out, next, edge.carriesOn, [...past, key])
      if (amountOut > best) best = amountOut
    }
    return best
  }
  return bestFrom
}

test('the best path delivers as much as the best of all simple paths', () => {
  const asset = fc.constantFrom(...assets)
  const cents = fc.integer({ min: 100, max: 100_000_000 })
  fc.assert(
    fc.property(asset, asset, cents, fc.constantFrom(1, 2), (from, to, worth, maxTxs) => {
      fc.pre(from !== to)
      const micros = Math.round((worth / 100 / from.token.usd) * 1e6)
      const amount = (BigInt(micros) * 10n ** BigInt(from.decimals)) / 1_000_000n
      const path = bestPath(network, from, to, amount, { maxTxs, allowed: () => true })
      const search = bruteForce(assetKey(to.chainId, to.denom), network.edges, maxTxs)
      const best = search(assetKey(from.chainId, from.denom), amount, 1, true, [])
      expect(path?.at(-1)?.amountOut ?? 0n).toBe(best)
    }),
    { numRuns: runs(60), seed: 7 },
  )
})

test('every bridge has an operation with its own fields', async () => {
  const { route } = start()
  const hub = 'harbor-1'
  const usdc = denom('1', 'USDC')
  const cases: [string, [string, string], [string, string], string[], object?][] = [
    ['transfer', [hub, 'uinit'], ['osmosis-1', denom('osmosis-1', 'INIT')], ['channel', 'port']],
    ['op_init_transfer', [hub, 'uinit'], ['lantern-1', denom('lantern-1', 'INIT')], ['op_init_bridge_id']],
    ['cctp_transfer', ['noble-1', 'uusdc'], ['1', usdc], ['burn_token', 'smart_relay_fee_quote']],
    [
      'stargate_transfer',
      ['1', usdc],
      ['galley-1', denom('galley-1', 'USDC', 'evm/')],
      ['pool_address', 'oft_fee_amount', 'messaging_fee_asset'],
      { bridges: ['STARGATE'] },
    ],
    [
      'layer_zero_transfer',
      [hub, 'uinit'],
      ['1', denom('1', 'INIT')],
      ['source_oft_contract_address', 'destination_endpoint_id'],
    ],
    [
      'hyperlane_transfer',
      ['1', 'ethereum-native'],
      ['lantern-1', denom('lantern-1', 'ETH')],
      ['hyperlane_contract_address', 'fee_asset'],
    ],
    [
      'axelar_transfer',
      ['1', 'ethereum-native'],
      ['osmosis-1', denom('osmosis-1', 'ETH')],
      ['asset', 'should_unwrap', 'fee_amount'],
    ],
    ['eureka_transfer', ['osmosis-1', 'uosmo'], ['1', denom('1', 'OSMO')], ['source_client', 'entry_contract_address']],
    [
      'go_fast_transfer',
      ['1', usdc],
      ['osmosis-1', denom('osmosis-1', 'USDC')],
      ['fee', 'source_domain'],
      { go_fast: true },
    ],
    [
      'swap',
      ['osmosis-1', 'uosmo'],
      ['osmosis-1', denom('osmosis-1', 'USDC')],
      ['swap_in', 'swap_venues', 'estimated_affiliate_fee'],
    ],
    ['evm_swap', ['1', 'ethereum-native'], ['1', usdc], ['input_token', 'swap_calldata', 'amount_out']],
    ['bank_send', [hub, 'uinit'], [hub, 'uinit'], ['chain_id', 'denom']],
  ]
  for (const [kind, from, to, fields, more] of cases) {
    const amount = from[1] === 'ethereum-native' ? '1000000000000000000' : '250000000'
    const reply = await route(from, to, { amount_in: amount, ...more })
    expect(reply.status, kind).toBe(200)
    expect(kinds(reply), kind).toEqual([kind])
    for (const field of fields) {
      expect(dig(reply.json, 'operations', 0, kind, field), `${kind}.${field}`).toBeDefined()
    }
    expect(dig(reply.json, 'operations', 0, 'amount_in')).toBe(amount)
  }
})

test('routes combine bridges and swaps, and list required user actions', async () => {
  const { route } = start()
  const erc20 = ['galley-1', denom('galley-1', 'INIT', 'evm/')] as const
  const l2 = ['galley-1', denom('galley-1', 'INIT', 'l2/')] as const
  const hub = ['harbor-1', 'uinit'] as const
  const joined = await route(['osmosis-1', 'uosmo'], erc20, { amount_in: '2500000' })
  expect(kinds(joined)).toEqual(['swap', 'transfer', 'op_init_transfer'])
  expect(joined.json).toMatchObject({
    required_op_hook: true,
    chain_ids: ['osmosis-1', 'harbor-1', 'galley-1'],
    required_chain_addresses: ['osmosis-1', 'harbor-1', 'galley-1'],
    does_swap: true,
    txs_required: 1,
    swap_venues: [{ name: 'osmosis-poolmanager', chain_id: 'osmosis-1' }],
  })
  expect((await route(hub, l2, { amount_in: '9' })).json).toMatchObject({ required_op_hook: false })

  const ether = ['1', 'ethereum-native'] as const
  const lant = { amount_in: '100000000' }
  expect((await route(['lantern-1', 'ulant'], ether, lant)).json).toMatchObject({
    message: 'amount in is less than the fees of the route',
    info: expect.stringMatching(/^Send at least \d+ ulant\.$/),
  })
  const two = await route(['lantern-1', 'ulant'], ether, { ...lant, allow_multi_tx: true })
  expect(two.json).toMatchObject({ txs_required: 2 })

  const quick = await route(l2, hub, { amount_in: '2500000' })
  expect(kinds(quick)).toEqual(['transfer', 'swap'])
  const slow = await route(l2, hub, { amount_in: '2500000', is_op_withdraw: true })
  expect(slow.json).toMatchObject({
    amount_out: '2500000',
    estimated_route_duration_seconds: 604_800,
    extra_warnings: [expect.stringContaining('7 days')],
  })
})

test('the options of a request restrict the search', async () => {
  const { route } = start()
  const [osmo, init] = [['osmosis-1', 'uosmo'] as const, ['harbor-1', 'uinit'] as const]
  const amount_in = '5000000'
  expect((await route(osmo, init, { amount_in, allow_swaps: false })).json).toEqual({
    code: 5,
    message: 'no routes found',
    details: [],
  })
  expect((await route(osmo, init, { amount_in, bridges: ['AXELAR'] })).status).toBe(404)
  const venue = { name: 'harbor-dex', chain_id: 'harbor-1' }
  const there = await route(osmo, init, { amount_in, swap_venues: [venue] })
  expect(there.json).toMatchObject({ swap_venues: [venue] })
  const usdc = ['1', denom('1', 'USDC')] as const
  const fast = await route(usdc, osmo, { amount_in, go_fast: true })
  expect(kinds(fast)).toEqual(['go_fast_transfer', 'swap'])
  expect(kinds(await route(usdc, osmo, { amount_in, go_fast: false }))[0]).toBe('cctp_transfer')
})

test('an exact-out quote has the smallest amount in that delivers', async () => {
  const { route } = start()
  const [init, osmo] = [['harbor-1', 'uinit'] as const, ['osmosis-1', 'uosmo'] as const]
  const reply = await route(init, osmo, { amount_out: '5000000' })
  expect(dig(reply.json, 'amount_out')).toBe('5000000')
  const amountIn = BigInt(`${dig(reply.json, 'amount_in')}`)
  const exact = await route(init, osmo, { amount_in: `${amountIn}` })
  const less = await route(init, osmo, { amount_in: `${amountIn - 1n}` })
  expect(BigInt(`${dig(exact.json, 'amount_out')}`)).toBeGreaterThanOrEqual(5_000_000n)
  expect(BigInt(`${dig(less.json, 'amount_out')}`)).toBeLessThan(5_000_000n)
  const tooMuch = await route(init, osmo, { amount_out: '999999999999999999' })
  expect(tooMuch.json).toMatchObject({ code: 5 })
})

test('unsafe prices have a warning, or are rejected with allow_unsafe=false', async () => {
  const { route } = start()
  const [init, osmo] = [['harbor-1', 'uinit'] as const, ['osmosis-1', 'uosmo'] as const]
  const lant = ['lantern-1', 'ulant'] as const
  for (const [from, to, amount_in, warning, reason] of [
    [init, osmo, '500000000000', 'BAD_PRICE_WARNING', 'BAD_PRICE_ERROR'],
    [init, osmo, '50000000000000', 'BAD_PRICE_WARNING', 'HIGH_LOSS_ERROR'],
    [osmo, lant, '5000000', 'LOW_INFO_WARNING', 'LOW_INFO_ERROR'],
  ] as const) {
    const warned = await route(from, to, { amount_in })
    expect(warned.json).toMatchObject({ warning: { type: warning } })
    const refused = await route(from, to, { amount_in, allow_unsafe: false })
    expect(refused).toMatchObject({ status: 400, json: { code: 3, details: [{ reason }] } })
  }
  const unpriced = await route(osmo, lant, { amount_in: '5000000' })
  expect(dig(unpriced.json, 'usd_amount_in')).toBe('1.20')
  expect(dig(unpriced.json, 'usd_amount_out')).toBeUndefined()
})

test('each kind of invalid request has its own form of error', async () => {
  const { route, post, get } = start({ successStatus: 201 })
  const osmo = ['osmosis-1', 'uosmo'] as const
  expect(await route(osmo, ['osmosis-1', ''], { amount_in: 'ten' })).toEqual({
    status: 400,
    json: {
      statusCode: 400,
      message: ['amount_in must be a positive number string', 'dest_asset_denom should not be empty'],
      error: 'Bad Request',
    },
  })
  expect(await route(osmo, ['atlantis-1', 'u'], { amount_in: '1' })).toMatchObject({
    status: 400,
    json: { code: 3, message: 'Invalid dest_asset_chain_id' },
  })
  const huge = await route(osmo, ['harbor-1', 'uinit'], { amount_in: '9'.repeat(50) })
  expect(huge).toMatchObject({ status: 500, json: { error_message: expect.any(String) } })
  const both = { amount_in: '1', amount_out: '1' }
  expect((await route(osmo, ['harbor-1', 'uinit'], both)).json).toMatchObject({ code: 3 })
  expect((await route(osmo, osmo, { amount_in: '1', client_id: 7 })).status).toBe(201)
  expect((await post('/v2/fungible/route', [])).status).toBe(400)
  expect((await get('/v3')).status).toBe(404)
  expect(await get('/health')).toEqual({ status: 200, text: 'OK' })
})

test('chains and assets are selected by repeated or comma-separated ids', async () => {
  const { get } = start()
  const ids = async (query: string) =>
    list(dig((await get(`/v2/info/chains${query}`)).json, 'chains')).map((chain) => dig(chain, 'chain_id'))
  expect((await ids('')).length).toBe(6)
  expect(await ids('?chain_ids=harbor-1,1')).toEqual(['harbor-1', '1'])
  expect(await ids('?chain_ids=harbor-1&chain_ids=1')).toEqual(['harbor-1', '1'])
  expect((await get('/v2/info/chains?chain_ids=atlantis-1')).status).toBe(400)
  const { json } = await get('/v2/fungible/assets?chain_ids=noble-1')
  expect(Object.keys(dig(json, 'chain_to_assets_map') ?? {})).toEqual(['noble-1'])
  expect(list(dig((await get('/v2/info/bridges')).json, 'bridges')).length).toBe(9)
  expect(list(dig((await get('/v2/fungible/venues')).json, 'venues')).length).toBe(3)
})

test('both forms of an address have the same balances', async () => {
  const { post } = start()
  const account = makeAccount('init', 20, 'traveller')
  const of = async (address: string, denoms: readonly string[] = []) =>
    dig(
      (await post('/v2/info/balances', { chains: { 'galley-1': { address, denoms } } })).json,
      'chains',
      'galley-1',
      'denoms',
    )
  const all = await of(account.bech32)
  expect(await of(account.hex)).toEqual(all)
  const [[held, entry] = []] = Object.entries(all ?? {})
  expect(entry).toMatchObject({ amount: expect.stringMatching(/^[1-9]\d*$/) })
  expect(await of(account.bech32, [`${held}`, 'unknown'])).toEqual({ [`${held}`]: entry })
  const bad = { chains: { '1': { address: account.bech32, denoms: [] } } }
  expect((await post('/v2/info/balances', bad)).json).toMatchObject({ code: 3 })
})

test('accounts hold an unlisted coin with the symbol of the hub coin', async () => {
  const { post, get } = start()
  const denoms = []
  for (const name of ['a', 'b', 'c', 'd']) {
    const { bech32: address } = makeAccount('init', 20, name)
    const chains = { 'lantern-1': { address, denoms: [] } }
    const held = dig((await post('/v2/info/balances', { chains })).json, 'chains', 'lantern-1', 'denoms')
    for (const [denom, entry] of Object.entries(held ?? {})) {
      if (!denom.startsWith('factory/')) continue
      denoms.push(denom)
      expect(entry).not.toHaveProperty('value_usd')
    }
  }
  expect(denoms).toHaveLength(4)
  expect(new Set(denoms).size).toBe(1)
  expect(denoms[0]).toMatch(/^factory\/init1[a-z\d]+\/uinit$/)
  const listed = JSON.stringify((await get('/v2/fungible/assets?chain_ids=lantern-1')).json)
  expect(listed).toContain('INIT')
  expect(listed).not.toContain('factory/')
})
