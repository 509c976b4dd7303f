import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Data, startWorld, type World } from '../../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const labels = async (chainId: string, symbol: string): Promise<string[]> => {
  const query = `query ($chainId: ChainId!, $symbol: String!) {
    assets(chainId: $chainId, search: $symbol, first: 20, filter: { includeHidden: true }) { nodes { symbol denom originLabel isListed sharesSymbol } } }`
  const { assets } = await world.data(query, { chainId, symbol })
  return assets.nodes
    .filter((node: Data) => node.symbol === symbol)
    .map(
      ({ denom, originLabel, isListed, sharesSymbol }: Data) =>
        `${denom.slice(0, 4)} ${originLabel}${isListed ? '' : ', unlisted'}${sharesSymbol ? ', shared' : ''}`,
    )
    .toSorted()
}

test.each([
  ['harbor-1', 'OSMO', ['ibc/ from Osmosis over IBC']],
  ['harbor-1', 'GAL', ['ibc/ from Galley over IBC']],
  [
    'harbor-1',
    'INIT',
    ['ibc/ via Galley over IBC, shared', 'ibc/ via Lantern over IBC, shared', 'uini native, shared'],
  ],
  ['galley-1', 'GAL', ['evm/ native']],
  ['galley-1', 'INIT', ['evm/ from Harbor, shared', 'l2/7 from Harbor over its OPinit bridge, shared']],
  ['lantern-1', 'ETH', ['hype from Ethereum over Hyperlane']],
  ['osmosis-1', 'INIT', ['ibc/ from Harbor over IBC']],
])('on %s, originLabel of %s assets names their origin', async (chainId, symbol, expected) => {
  expect(await labels(chainId, symbol)).toEqual(expected)
})

test('assets of a chain differ in symbol or originLabel', async () => {
  for (const chainId of ['harbor-1', 'galley-1', 'lantern-1', 'osmosis-1', '1']) {
    const query = `{ assets(chainId: "${chainId}", first: 100, filter: { includeHidden: true }) { nodes { symbol originLabel } } }`
    const { assets } = await world.data(query)
    const shown = assets.nodes.map(({ symbol, originLabel }: Data) => `${symbol} ${originLabel}`)
    expect(shown.length).toBeGreaterThan(1)
    expect([chainId, shown.toSorted()]).toEqual([chainId, [...new Set(shown)].toSorted()])
  }
})

test('originLabel shows the number of IBC hops', async () => {
  await using other = await startWorld()
  other.sandbox.faults.set('router', '/v2/fungible/assets', {
    kind: 'change',
    change: (json) => {
      const { chain_to_assets_map: map } = json as Data
      const straight = map['osmosis-1'].assets.find(
        ({ symbol, denom }: Data) => symbol === 'INIT' && denom.startsWith('ibc/'),
      )
      const trace = `${straight.trace}/transfer/channel-20`
      map['osmosis-1'].assets.push({ ...straight, denom: `ibc/${'A'.repeat(64)}`, trace })
      return json
    },
  })
  const query = `{ assets(chainId: "osmosis-1", search: "INIT", first: 20) { nodes { originLabel } } }`
  const { assets } = await other.data(query)
  expect(assets.nodes.map(({ originLabel }: Data) => originLabel)).toEqual([
    'from Harbor over IBC',
    'from Harbor over IBC in 2 hops',
  ])
})
