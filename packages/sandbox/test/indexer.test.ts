import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../src/sandbox.ts'
import {
  at,
  chains,
  decodeKey,
  get,
  indexerUrl,
  inProcess,
  key,
  list,
  listPaths,
  readAll,
  startTestSandbox,
  world,
} from './support/sandboxIndexer.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

for (const vm of ['move', 'evm', 'wasm']) {
  test(`pages of any size hold every record of the ${vm} chain's lists once, in both directions`, async () => {
    const send = inProcess(vm)
    for (const path of listPaths(vm)) {
      const all = await list(`${path}?pagination.limit=1000`, send)
      expect(all.rows.length, path).toBeGreaterThan(0)
      expect(new Set(all.rows.map((row) => JSON.stringify(row))).size).toBe(all.rows.length)
      for (const limit of [1, 3, 7, 100]) {
        const descending = await readAll(send, path, limit, true)
        expect(descending, `${path} by ${limit}`).toEqual(all.rows)
        const ascending = await readAll(send, path, limit, false)
        expect(ascending.toReversed(), `${path} by ${limit}, ascending`).toEqual(all.rows)
      }
    }
  })
}

test('next_key: keyset lists have it on the last page, offset lists on full pages', async () => {
  const txs = await list(`${indexerUrl('evm', sandbox)}/indexer/tx/v1/txs?pagination.limit=1000`)
  expect(decodeKey(txs.nextKey)).toBe('{"sequence":1}')
  const after = await list(`${indexerUrl('evm', sandbox)}/indexer/tx/v1/txs?pagination.key=${txs.nextKey}`)
  expect(after).toEqual({ rows: [], previousKey: null, nextKey: null, total: '90' })

  const path = `${indexerUrl('evm', sandbox)}/indexer/nft/v1/collections?pagination.limit=4`
  expect(decodeKey((await list(path)).nextKey)).toBe('4')
  const last = await list(`${path}&pagination.key=${key('8')}`)
  expect([last.rows.length, decodeKey(last.previousKey)]).toEqual([4, '4'])
  expect(decodeKey(last.nextKey)).toBe('12')
  expect((await list(`${path}&pagination.key=${key('10')}`)).nextKey).toBeNull()
})

test('a page key with the direction reversed continues from the same row', async () => {
  const heights = async (reverse: boolean) => {
    const query = `pagination.limit=2&pagination.reverse=${reverse}&pagination.key=${key('{"height":30}')}`
    const { rows } = await list(`${indexerUrl('evm', sandbox)}/indexer/block/v1/blocks?${query}`)
    return rows.map((row) => at(row, 'height'))
  }
  expect(await heights(true)).toEqual(['29', '28'])
  expect(await heights(false)).toEqual(['31', '32'])
})

test('a page key of the wrong kind returns the first page', async () => {
  for (const [path, text] of [
    ['/indexer/tx/v1/txs', '{"height":9}'],
    ['/indexer/block/v1/blocks', '{"sequence":9}'],
    ['/indexer/tx/v1/txs', '{"sequence":"9"}'],
    ['/indexer/tx/v1/txs', '{"sequence":9.5}'],
    ['/indexer/nft/v1/collections', '{"sequence":9}'],
    ['/indexer/richlist/v1/evm%2F4f3edf983ac636a65a842ce7c78d9aa706d3b113', '{"height":9}'],
  ] as const) {
    const url = `${indexerUrl('evm', sandbox)}${path}?pagination.limit=3`
    expect(await list(`${url}&pagination.key=${key(text)}`), path).toEqual(await list(url))
  }
  const bare = `${indexerUrl('evm', sandbox)}/indexer/tx/v1/txs?pagination.limit=3&pagination.key=${key('{}')}`
  expect(decodeKey((await list(bare)).nextKey)).toBe('3')
})

test('a composite page key continues a list of tokens in either order', async () => {
  const [, collection] = world('wasm').fixtures.collections
  for (const order of ['token_id', 'height']) {
    const base = `${indexerUrl('wasm', sandbox)}/indexer/nft/v1/tokens/by_collection/${collection?.address.hex}?order_by=${order}`
    const { rows } = await list(base)
    const cursorOf = (row: unknown) =>
      JSON.stringify({ height: at(row, 'height'), token_id: at(row, 'nft', 'token_id') })
    const next = await list(`${base}&pagination.limit=4&pagination.key=${key(cursorOf(rows[2]))}`)
    expect(next.rows).toEqual(rows.slice(3, 7))
    expect(decodeKey(next.nextKey)).toBe(cursorOf(next.rows[3]))
  }
})

test('totals are exact, estimated, the newest height, or zero if not requested', async () => {
  const total = async (path: string) => (await list(`${indexerUrl('evm', sandbox)}${path}`)).total
  expect(await total('/indexer/block/v1/blocks?pagination.count_total=false')).toBe('60')
  expect(await total('/indexer/tx/v1/txs')).toBe('90')
  expect(await total('/indexer/tx/v1/txs?pagination.count_total=f')).toBe('0')
  expect(await total('/indexer/tx/v1/txs?pagination.count_total=no')).toBe('90')
  expect(await total('/indexer/nft/v1/collections')).toBe('11')
  expect(await total('/indexer/nft/v1/collections/by_name/harbour?pagination.count_total=0')).toBe('2')
})

test('each quirk changes the indexer as documented', async () => {
  const quirks = {
    maxLimit: 5,
    opaqueKeys: true,
    internalTxOff: true,
    richListOff: true,
    totals: 'timeout',
  } as const
  const odd = await startTestSandbox({
    chains: chains.map((chain) => ({ ...chain, quirks })),
  })
  try {
    const url = indexerUrl('evm', odd)
    const page = await list(`${url}/indexer/tx/v1/txs/by_height/57?pagination.limit=1000`)
    expect([page.rows.length, page.total]).toEqual([5, '-1'])
    for (const path of ['/indexer/tx/v1/txs', '/indexer/nft/v1/collections']) {
      const all = await list(`${indexerUrl('evm', sandbox)}${path}?pagination.limit=1000`)
      expect(await readAll((target) => get(`${url}${target}`), path, 7, true)).toEqual(all.rows)
      const { nextKey } = await list(`${url}${path}?pagination.limit=3`)
      const turned = `pagination.reverse=false&pagination.key=${encodeURIComponent(nextKey ?? '')}`
      expect((await get(`${url}${path}?${turned}`)).status).toBe(400)
      expect((await get(`${url}${path}?pagination.key=${key('3')}`)).status).toBe(400)
    }
    expect((await get(`${url}/indexer/tx/v1/evm-internal-txs`)).status).toBe(404)
    expect((await get(`${url}/indexer/tx/v1/evm-txs`)).status).toBe(200)
    expect((await get(`${url}/indexer/richlist/v1/0x1`)).status).toBe(404)
    expect(Object.keys(JSON.parse((await get(`${url}/status`)).text))).not.toContain('rich_list_height')
  } finally {
    await odd.close()
  }
})
