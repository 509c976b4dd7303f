import { expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import type { KoinlyAsset, KoinlyEdge } from '../src/koinly/koinlyEdge.ts'
import type { Ledger } from '../src/table.ts'
import { action, change, edge, nowhere, writeAsked } from './support/koinlyRows.ts'
import { address, run, startFolder, startWorld, textOf } from './support/world.ts'

/** An asset that was issued with this symbol on a chain, by default the one where it is. */
const issued = (symbol: string | null, origin = nowhere, decimals = 6): KoinlyAsset => ({
  ...{ symbol, decimals, ...origin },
  origin: null,
})
const noble = { originChainId: 'noble-1', originDenom: 'uusdc' }
const receipt = (denom: string, asset: KoinlyAsset | null, chainId = 'hub-1') => ({
  ...edge([action('SEND')], [change('1000000', { denom, asset })]),
  chain: { chainId },
})
const receipts = {
  noble: receipt('ibc/1', issued('USDC', noble)),
  other: receipt('factory/other/usdc', issued('USDC')),
  elsewhere: receipt('ibc/7', issued('USDC', noble), 'galley-1'),
  lower: receipt('factory/other/lower', issued('usdc')),
}
const newLedger = (): Ledger => ({ lists: {}, notes: {} })
async function named(edges: readonly KoinlyEdge[], ledger = newLedger(), owners: Record<string, string> = {}) {
  const { rows, notes } = await writeAsked(edges, owners, ledger)
  return { names: rows.map((row) => row.split('|')[3]), notes, rows }
}

test('two assets of one symbol are two currencies, on one chain or several and in any case, with a note', async () => {
  const { names, notes, rows } = await named(Object.values(receipts))
  const [first, other, elsewhere, lower] = names
  expect([first, elsewhere]).toEqual(['USDC', 'USDC'])
  expect(new Set([other, lower]).size).toBe(2)
  for (const name of [other, lower]) expect(name).toMatch(/^NULL\d+$/)
  expect(notes).toEqual({ sharedSymbols: 2 })
  expect(rows[1]).toContain(`${other} is hub-1/factory/other/usdc`)
})

test('the lists say whose a symbol is, so that an asset has one name whatever came before it', async () => {
  const owners = { USDC: 'noble-1/uusdc' }
  const all = await named([receipts.other, receipts.noble], newLedger(), owners)
  const again = await named([receipts.noble, receipts.other], newLedger(), owners)
  expect(all.names[1]).toBe('USDC')
  expect(again.names).toEqual([all.names[1], all.names[0]])
  expect((await named([receipts.other], newLedger(), owners)).names).toEqual([all.names[0]])
})

test('a later run names an asset as the file has it, whatever the lists say by then', async () => {
  const ledger = newLedger()
  const before = await named([receipts.other, receipts.noble], ledger, { USDC: 'noble-1/uusdc' })
  const kept: Ledger = structuredClone(ledger)
  const renamed = receipt('ibc/1', issued('USDN', noble))
  const later = await named([receipts.other, receipts.noble, renamed, receipts.elsewhere], kept, {
    USDC: 'hub-1/factory/other/usdc',
  })
  expect(later.names).toEqual([...before.names, 'USDC', 'USDC'])
  expect(later.notes).toEqual({ sharedSymbols: 1 })
})

test('amounts in base units and in whole units are not of one currency, and an asset keeps its units', async () => {
  const late = [receipt('u1', null), receipt('u1', issued('ONE'))]
  const { rows } = await named(late)
  expect(rows[0]?.split('|').slice(2, 4)).toEqual(rows[1]?.split('|').slice(2, 4))
  const abroad = await named([
    receipt('u2', null),
    receipt('ibc/2', issued(null, { originChainId: 'hub-1', originDenom: 'u2' })),
  ])
  expect(new Set(abroad.names).size).toBe(2)
})

test.each([
  ['with a letter of another alphabet', 'USD\u0421'],
  ['with an invisible character', 'US\u200bDC'],
  ['with a space', 'US DC'],
  ['like a number of ours', 'NULL4711'],
  ['like an id of the importer', 'ID:1'],
  ['', ''],
])('a symbol %s has a number', async (_what, symbol) => {
  const { names, notes } = await named([receipt('u1', issued(symbol))])
  expect(names[0]).toMatch(/^NULL\d+$/)
  expect(names[0]).not.toBe(symbol)
  expect(notes).toEqual({ unnamed: 1 })
})

test('addresses of contracts are one asset in any case', async () => {
  const onEthereum = (originDenom: string) => issued('USDC', { originChainId: '1', originDenom })
  const edges = [receipt('a', onEthereum('0xABCD')), receipt('b', onEthereum('0xabcd'))]
  expect((await named(edges)).names).toEqual(['USDC', 'USDC'])
})

/** The router's list of all assets with a second asset of each symbol, which is first in the list. */
function withTwins(world: TestGateway): void {
  const twinOf = (asset: Record<string, unknown>) => ({
    ...asset,
    denom: `factory/twin/${String(asset.symbol).toLowerCase()}`,
    origin_denom: `factory/twin/${String(asset.symbol).toLowerCase()}`,
    origin_chain_id: asset.chain_id,
    coingecko_id: null,
    trace: '',
  })
  world.sandbox.faults.set('router', '/v2/fungible/assets', {
    kind: 'change',
    change: (json) => {
      const lists = (json as { chain_to_assets_map: Record<string, { assets: Record<string, unknown>[] }> })
        .chain_to_assets_map
      return {
        chain_to_assets_map: Object.fromEntries(
          Object.entries(lists).map(([chainId, { assets }]) => [
            chainId,
            { assets: [...assets.map(twinOf), ...assets] },
          ]),
        ),
      }
    },
  })
}

test('an export asks the lists of all chains: an unpriced twin of a known asset does not take its name', async () => {
  await using plain = await startWorld()
  await using twins = await startWorld()
  withTwins(twins)
  using folder = startFolder()
  const files = []
  for (const [index, world] of [plain, twins].entries()) {
    const file = folder.fileOf(`${index}.csv`)
    const argv = ['activity', '--url', world.url, '--address', address, '--format', 'koinly', '--out', file]
    expect((await run(argv)).code).toBe(0)
    files.push(textOf(file))
  }
  const query = '{ assets(first: 20, filter: { symbols: ["INIT"] }) { nodes { denom } } }'
  const headers = { 'content-type': 'application/json' }
  const listed = await fetch(twins.url, { method: 'POST', headers, body: JSON.stringify({ query }) })
  expect(await listed.text()).toContain('factory/twin/init')
  expect(files[0]).toMatch(/,INIT,/)
  const priced = (text: string) => text.split('\r\n').filter((line) => /,(INIT|USDC|OSMO),/.test(line))
  expect(priced(files[1] ?? '').length).toBe(priced(files[0] ?? '').length)
})
