import { bech32 } from '@scure/base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../src/sandbox.ts'
import {
  at,
  blocks,
  chainOf,
  get,
  indexerUrl,
  key,
  list,
  listPaths,
  now,
  startTestSandbox,
  world,
} from './support/sandboxIndexer.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

test('equal seeds give equal responses, and different seeds different ones', async () => {
  const equal = await startTestSandbox()
  const other = await startTestSandbox({ seed: 'other' })
  try {
    for (const vm of ['move', 'evm', 'wasm']) {
      for (const path of listPaths(vm)) {
        const answer = await get(`${indexerUrl(vm, sandbox)}${path}`)
        expect(await get(`${indexerUrl(vm, equal)}${path}`)).toEqual(answer)
      }
      const path = '/indexer/tx/v1/txs?pagination.limit=2'
      expect(await get(`${indexerUrl(vm, other)}${path}`)).not.toEqual(await get(`${indexerUrl(vm, sandbox)}${path}`))
    }
  } finally {
    await Promise.all([equal.close(), other.close()])
  }
})

test('blocks, transactions and lagging heights advance with the clock', async () => {
  const chain = chainOf('evm')
  let time = chain.genesis - 1
  const growing = await startSandbox({ chains: [chain], clock: () => time })
  try {
    const url = indexerUrl('evm', growing)
    expect((await get(`${url}/status`)).status).toBe(500)
    time = chain.genesis
    const first = JSON.parse((await get(`${url}/status`)).text)
    expect([first.height, 'internal_tx_height' in first, 'rich_list_height' in first]).toEqual([1, false, false])
    expect(await get(`${url}/indexer/block/v1/avg_blocktime`)).toMatchObject({
      text: '{"avg_block_time":0}',
    })
    expect((await list(`${url}/indexer/tx/v1/evm-internal-txs`)).rows).toEqual([])
    expect((await list(`${url}/indexer/nft/v1/collections`)).rows).toHaveLength(2)

    const tail = (await list(`${url}/indexer/tx/v1/txs`)).total
    time += 6 * chain.blockTime
    const status = JSON.parse((await get(`${url}/status`)).text)
    expect(status).toMatchObject({ height: 7, internal_tx_height: 6, rich_list_height: 2 })
    const after = `pagination.reverse=false&pagination.key=${key(`{"sequence":${tail}}`)}`
    expect((await list(`${url}/indexer/tx/v1/txs?${after}`)).rows).toHaveLength(10)
  } finally {
    await growing.close()
  }
})

test('every hash finds its transaction at any height', () => {
  for (const vm of ['move', 'evm', 'wasm']) {
    const tall = world(vm, () => now + 10 ** 10)
    const empty = world(vm, () => 0)
    for (const height of [1, 7, 60, 1_000_004, tall.height()]) {
      for (const transaction of tall.transactionsAt(height)) {
        expect(tall.findTransaction(transaction.hash)).toEqual(transaction)
        expect(tall.findTransaction(`0x${transaction.hash.toLowerCase()}`)).toEqual(transaction)
        expect(empty.findTransaction(transaction.hash)).toBeUndefined()
      }
      const relay = tall.relayTransaction(height)
      expect(relay.height).toBeLessThanOrEqual(height)
      expect(tall.findTransaction(relay.hash)).toEqual(relay)
    }
    expect(tall.findTransaction('ab'.repeat(32))).toBeUndefined()
  }
})

test('a transaction and its EVM receipt have the same place, gas and status', () => {
  const evm = world('evm')
  for (let height = 1; height <= blocks; height++) {
    for (const { hash, evmHash } of evm.transactionsAt(height)) {
      const record = evm.transactions.record(evm.transactions.find(hash) ?? 0)
      const signed = JSON.stringify(record.tx).includes('"SIGN_MODE_ETHEREUM"')
      const emitsLog = record.events.some(({ type }) => type === 'evm')
      const isCarrier = signed || (record.code === 0 && emitsLog)
      expect(isCarrier).toBe(evmHash !== undefined)
      if (!evmHash) continue
      // No event of a real chain names it.
      expect(JSON.stringify(record)).not.toContain(evmHash.slice(2))
      const receipt = evm.evm.record(evm.evm.find(evmHash.slice(2)) ?? 0)
      expect(BigInt(receipt.gasUsed)).toBe(BigInt(record.gas_used))
      expect(receipt.status === '0x1').toBe(record.code === 0)
      expect(Number(receipt.blockNumber)).toBe(height)
    }
  }
})

test('gas and fees of a block are sums over its transactions', async () => {
  const base = `${indexerUrl('wasm', sandbox)}/indexer`
  for (let height = 1; height <= 20; height++) {
    const { block } = JSON.parse((await get(`${base}/block/v1/blocks/${height}`)).text)
    const { rows } = await list(`${base}/tx/v1/txs/by_height/${height}`)
    const sum = (of: (row: unknown) => unknown) =>
      String(rows.reduce((total: bigint, row) => total + BigInt(String(of(row))), 0n))
    expect(block.tx_count).toBe(String(rows.length))
    expect(block.gas_used).toBe(sum((row) => at(row, 'gas_used')))
    for (const { denom, amount } of block.total_fee) {
      const paid = (row: unknown) => at(row, 'tx', 'auth_info', 'fee', 'amount', '0')
      expect(amount).toBe(sum((row) => (at(paid(row), 'denom') === denom ? at(paid(row), 'amount') : 0)))
    }
  }
})

test('every bech32 address of a chain has a valid checksum', () => {
  for (const vm of ['move', 'evm', 'wasm']) {
    const { transactions, nfts } = world(vm)
    const text = JSON.stringify([
      Array.from({ length: 90 }, (_, index) => transactions.record(index + 1)),
      nfts.tokens(90),
    ])
    const addresses = new Set(text.match(/\b(init|initvaloper|osmo)1[0-9a-z]{38,58}\b/g))
    expect(addresses.size).toBeGreaterThan(40)
    for (const address of addresses) expect(bech32.decodeUnsafe(address, 90), address).toBeDefined()
  }
})

test('a sandbox closes at the end of its scope', async () => {
  const started = await startTestSandbox()
  const url = `${indexerUrl('evm', started)}/status`
  expect((await get(url)).status).toBe(200)
  await started[Symbol.asyncDispose]()
  await expect(get(url)).rejects.toThrow()
  await started.close()
})

test('requests are logged, and faults replace responses until they end', async () => {
  const started = await startTestSandbox()
  try {
    const url = `${indexerUrl('evm', started)}/status`
    const { faults, requests } = started
    faults.set('galley-1', '/status', {
      kind: 'status',
      status: 503,
      body: 'later',
      headers: { 'retry-after': '1' },
      times: 1,
    })
    expect(await get(url)).toMatchObject({ status: 503, text: 'later' })
    expect((await get(`${url}?a=%20b`)).status).toBe(200)
    expect(requests).toEqual(['galley-1 GET /status', 'galley-1 GET /status?a=%20b'])
    faults.set('galley-1', '/', { kind: 'garbage', body: '{' })
    expect(await get(url)).toEqual({ status: 200, type: 'application/json', text: '{' })
    faults.set('galley-1', '/', { kind: 'answer', json: { height: 'x' } })
    expect((await get(url)).text).toBe('{"height":"x"}')
    expect((await get(`${indexerUrl('move', started)}/status`)).text).toContain('harbor-1')
    faults.set('galley-1', '/', { kind: 'reset' })
    await expect(get(url)).rejects.toThrow()
    faults.clear()
    expect((await get(url)).text).toContain('galley-1')
    requests.length = 0
    faults.set('galley-1', '/', { kind: 'hang' })
    const hanging = get(url).catch(() => 'cut')
    await get(`${indexerUrl('move', started)}/status`)
    expect(requests).toContain('galley-1 GET /status')
    await started.close()
    expect(await hanging).toBe('cut')
  } finally {
    await started.close()
  }
})

test('an internal call uses less gas than the call and transaction around it', () => {
  const { evm, calls } = world('evm')
  let nested = 0
  for (let evmSequence = 1; evmSequence <= 200; evmSequence++) {
    const around = new Map<number, { gas: bigint; gasUsed: bigint }>()
    const transaction = evm.record(evmSequence)
    let children = new Map<number, bigint>()
    for (let number = calls.lastOf(evmSequence - 1) + 1; number <= calls.lastOf(evmSequence); number++) {
      const call = calls.record(number)
      expect(call.hash).toBe(transaction.transactionHash)
      const [gas, gasUsed] = [BigInt(call.gas), BigInt(call.gasUsed)]
      const parent = around.get(call.parent_index) ?? {
        gas: gas + 1n,
        gasUsed: BigInt(transaction.gasUsed),
      }
      expect(gas).toBeLessThan(parent.gas)
      expect(gasUsed).toBeLessThan(parent.gasUsed)
      expect(gasUsed).toBeLessThanOrEqual(gas)
      around.set(call.index, { gas, gasUsed })
      const sum = (children.get(call.parent_index) ?? 0n) + gasUsed
      children = children.set(call.parent_index, sum)
      expect(sum).toBeLessThan(parent.gasUsed)
      if (call.parent_index >= 0) nested++
    }
  }
  expect(nested).toBeGreaterThan(50)
})

test('block times of two chains vary, in order, and have the same mean', () => {
  const uneven = ['move', 'evm', 'wasm'].filter((vm) => {
    const { timeOf, heightAt, chain } = world(vm)
    const times = Array.from({ length: 2_000 }, (_, index) => timeOf(index + 1))
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.min(...steps)).toBeGreaterThan(0)
    const mean = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / steps.length
    expect(Math.abs(mean / chain.blockTime - 1)).toBeLessThan(0.01)
    for (const [index, time] of times.entries()) {
      expect(heightAt(time)).toBe(index + 1)
      expect(heightAt(time - 1)).toBe(index)
    }
    return new Set(steps).size > 100
  })
  expect(uneven).toEqual(['move', 'wasm'])
})
