import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../src/sandbox.ts'
import { at, get, indexerUrl, key, list, startTestSandbox, world } from './support/sandboxIndexer.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

test('errors are plain text with the status and message of the real indexer', async () => {
  const person = world('evm').fixtures.users[0]?.bech32 ?? ''
  const limits = 'pagination.limit must be between 1 and 1000'
  const table: readonly (readonly [path: string, status: number, text: string])[] = [
    ['/indexer/tx/v1/txs?pagination.limit=0', 400, limits],
    ['/indexer/tx/v1/txs?pagination.limit=1001', 400, limits],
    ['/indexer/tx/v1/txs?pagination.offset=-1', 400, 'pagination.offset cannot be negative'],
    ['/indexer/tx/v1/txs?pagination.key=%25', 400, 'pagination.key must be a valid base64 encoded string'],
    ['/indexer/tx/v1/txs?pagination.key=MQ', 400, 'pagination.key must be a valid base64 encoded string'],
    ['/indexer/tx/v1/txs?pagination.key=YWJj', 400, 'pagination.key must decode to a nonnegative integer'],
    [`/indexer/tx/v1/txs?pagination.key=${key('{"a')}`, 400, 'invalid pagination.key format'],
    ['/indexer/block/v1/blocks/999', 404, '[NOT_FOUND] block not found'],
    ['/indexer/block/v1/blocks/abc', 400, '[INVALID_VALUE] invalid value for height: abc (must be a valid integer)'],
    ['/indexer/tx/v1/txs/by_height/0', 400, '[INVALID_VALUE] invalid value for height: 0 (must be a positive integer)'],
    [
      '/indexer/tx/v1/txs/by_account/not-one',
      400,
      '[INVALID_VALUE] invalid value for account: not-one (invalid address format)',
    ],
    ['/indexer/tx/v1/txs/zz', 400, 'invalid hash format'],
    [`/indexer/tx/v1/txs/${'0'.repeat(64)}`, 404, '[NOT_FOUND] transaction not found'],
    ['/indexer/tx/v1/evm-txs/0xabc', 404, 'tx not found'],
    ['/indexer/tx/v1/evm-internal-txs/0xabc', 404, 'transaction not found'],
    ['/indexer/nft/v1/collections/0x9', 404, 'nft collection not found'],
    ['/indexer/nft/v1/collections/by_name/', 400, "encoding/hex: invalid byte: U+0079 'y'"],
    [
      `/indexer/nft/v1/tokens/by_account/${person}?order_by=nope`,
      400,
      "invalid order_by value 'nope', must be one of: token_id, height",
    ],
    [`/indexer/nft/v1/tokens/by_account/${person}?token_id=%00`, 500, 'Internal Server Error'],
    [
      `/indexer/nft/v1/collections/by_account/${person}?pagination.key=${key('{"height":"4"}')}`,
      500,
      'Internal Server Error',
    ],
    [`/indexer/tx/v1/txs/by_account/${person}?msgs=cosmos.bank.v1beta1.MsgSend`, 500, 'Internal Server Error'],
    [
      `/indexer/tx/v1/txs/by_height/57?msgs=cosmos.bank.v1beta1.MsgSend&pagination.key=${key('{"sequence":88}')}`,
      500,
      'Internal Server Error',
    ],
    ['/indexer/nope', 404, 'Cannot GET /indexer/nope'],
    ['/indexer/nft/v1/txs/0x1/a%2Fb/c', 404, 'Cannot GET /indexer/nft/v1/txs/0x1/a%2Fb/c'],
  ]
  for (const [path, status, text] of table) {
    const type = 'text/plain; charset=utf-8'
    expect(await get(`${indexerUrl('evm', sandbox)}${path}`), path).toEqual({ status, type, text })
  }
  const denom = await get(`${indexerUrl('evm', sandbox)}/indexer/richlist/v1/nothing`)
  expect([denom.status, denom.text.split(':')[0]]).toEqual([400, 'exhausted all endpoints'])
  for (const [vm, path] of [
    ['evm', '0x123'],
    ['move', 'nothing'],
  ] as const) {
    expect((await list(`${indexerUrl(vm, sandbox)}/indexer/richlist/v1/${path}`)).rows).toEqual([])
  }
  const posted = await fetch(`${indexerUrl('evm', sandbox)}/status`, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('EVM routes of a chain without an EVM are 404 for every method', async () => {
  for (const path of ['evm-txs', 'evm-txs/x', 'evm-internal-txs/by_height/1']) {
    const response = await fetch(`${indexerUrl('move', sandbox)}/indexer/tx/v1/${path}`, {
      method: 'POST',
    })
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('evm routes are not available on this chain')
  }
  const { text } = await get(`${indexerUrl('wasm', sandbox)}/swagger/doc.json`)
  expect(text).toContain('/indexer/richlist/v1/{denom}')
  expect(text).not.toContain('/evm-')
  expect((await get(`${indexerUrl('evm', sandbox)}/swagger/doc.json`)).text).toContain('/evm-internal-txs')
})

test('a filter by message types applies to known types and is ignored for unknown types', async () => {
  const txs = `${indexerUrl('evm', sandbox)}/indexer/tx/v1/txs?pagination.limit=1000`
  const send = await list(`${txs}&msgs=cosmos.bank.v1beta1.MsgSend&msgs=no.Such`)
  expect(send.rows.length).toBeGreaterThan(2)
  expect(send.total).toBe(String(send.rows.length))
  for (const row of send.rows) expect(JSON.stringify(row)).toContain('/cosmos.bank.v1beta1.MsgSend')
  for (const unknown of ['no.Such', '/cosmos.bank.v1beta1.MsgSend', 'cosmos.bank.v1beta1.MsgSend,x']) {
    expect((await list(`${txs}&msgs=${unknown}`)).rows.length).toBe(90)
  }
})

test('every form of an address finds the account; is_signer=true filters by signer', async () => {
  const [person] = world('evm').fixtures.users
  if (!person) throw new Error('no user')
  const by = async (account: string, query = '') =>
    (await list(`${indexerUrl('evm', sandbox)}/indexer/tx/v1/txs/by_account/${account}?${query}`)).rows
  const touched = await by(person.bech32)
  for (const spelling of [
    person.hex,
    person.hex.slice(2).toUpperCase(),
    `0x${person.hex.slice(2).padStart(64, '0')}`,
    person.bech32.toUpperCase(),
  ]) {
    expect(await by(spelling)).toEqual(touched)
  }
  for (const row of touched) {
    expect(JSON.stringify(row)).toMatch(new RegExp(`${person.bech32}|${person.hex.slice(2)}`))
  }
  const signed = await by(person.bech32, 'is_signer=true')
  expect(signed.length).toBeLessThan(touched.length)
  expect(await by(person.bech32, 'is_signer=1')).toEqual(touched)
})

test('by_name compares letters and digits only, and does not percent-decode', async () => {
  const names = async (vm: string, name: string) => {
    const { rows } = await list(`${indexerUrl(vm, sandbox)}/indexer/nft/v1/collections/by_name/${name}`)
    return rows.map((row) => at(row, 'collection', 'name'))
  }
  expect(await names('move', 'HARBOUR-cats')).toEqual(['Harbour Cats #2', 'Harbour Cats #1'])
  expect(await names('move', 'ghostsh')).toEqual(['ibc/Ghost Ships'])
  expect(await names('move', 'Harbour%20Cats')).toEqual([])
  expect(await names('move', '---')).toHaveLength(12)
  expect(await names('move', encodeURIComponent('고래'))).toEqual([])
  const raw = Buffer.from('/indexer/nft/v1/collections/by_name/고래').toString('latin1')
  expect(await getRaw(indexerUrl('move', sandbox), raw)).toContain('고래 클럽')
})

/** Sends a target with raw bytes, which a URL would percent-encode. */
function getRaw(base: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    // Node rejects such a path as an option, but sends it unchanged if it is set afterwards.
    const outgoing = request({ hostname, port }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
    })
    outgoing.path = path
    outgoing.on('error', reject).end()
  })
}
