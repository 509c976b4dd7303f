import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { walk } from './support/walk.ts'
import { address, objectsOf, run, startFolder, startWorld } from './support/world.ts'

let world: TestGateway
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function exported(...argv: string[]): Promise<readonly Record<string, unknown>[]> {
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  const { code, err } = await run([...argv, '--url', world.url, '--format', 'ndjson', '--out', file])
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('rows.\n') })
  return objectsOf(file)
}

test('blocks of a chain are all there, in order', async () => {
  const blocks = await exported('blocks', '--chain', 'galley-1')
  expect(blocks.map(({ height }) => height)).toEqual(blocks.map((_, index) => index + 1))
  expect(blocks.length).toBeGreaterThan(290)
})

test('blocks of a span are those of its first time until before its last', async () => {
  const all = await exported('blocks', '--chain', 'galley-1')
  const [since, until] = [all[100]?.time, all[120]?.time]
  const span = await exported('blocks', '--chain', 'galley-1', '--since', String(since), '--until', String(until))
  expect(span).toEqual(all.slice(100, 120))
})

test('transactions of a chain are as many as its blocks say', async () => {
  const blocks = await exported('blocks', '--chain', 'lantern-1')
  const transactions = await exported('transactions', '--chain', 'lantern-1')
  const count = blocks.reduce((sum, { transaction_count }) => sum + Number(transaction_count), 0)
  expect(transactions).toHaveLength(count)
  expect(new Set(transactions.map(({ hash }) => hash)).size).toBe(count)
})

test('transactions of an account are those of its activity', async () => {
  const transactions = await exported('transactions', '--address', address)
  const walked = await walk(world.url)
  expect(transactions.map(({ hash }) => hash)).toEqual([...new Set(walked.map(({ hash }) => hash))])
})
