import { expect, test } from 'vitest'
import { createGateway } from '../src/gateway.ts'
import { heapInUse } from './support/heap.ts'

/** Starts and closes gateways one after the other. Resolves to the heap in use afterwards, in bytes. */
async function heapAfter(count: number): Promise<number> {
  const chains = [{ chainId: 'a-1', url: 'http://127.0.0.1:1' }]
  for (let i = 0; i < count; i += 1) await (await createGateway({ chains })).close()
  return heapInUse()
}

test('a closed gateway leaves nothing in memory', async () => {
  // The first ones fill what the process keeps, such as compiled code.
  const before = await heapAfter(5)
  const after = await heapAfter(10)
  expect((after - before) / 10).toBeLessThan(500_000)
})
