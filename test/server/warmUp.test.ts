import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../src/gateway.ts'
import { fakeClock } from '../support/fakeClock.ts'

test('before it listens, a server reads at most 100 pages of its chains without an error', async () => {
  await using sandbox = await startSandbox()
  const chains = sandbox.indexers.map(({ chainId, url, vm }) => ({ chainId, url, vm }))
  await using gateway = await createGateway({ chains }, { server: { warmUpMs: 60_000 } })
  const metrics = await (await fetch(gateway.metricsUrl)).text()
  const operations = [...metrics.matchAll(/^portolan_operations_total{(.*)} (\d+)$/gm)]
  expect(operations.map(([, labels]) => labels)).toEqual([
    'name="WarmUpBlocks",type="query",outcome="ok"',
    'name="WarmUpTransactions",type="query",outcome="ok"',
  ])
  const pages = operations.reduce((sum, [, , count]) => sum + Number(count), 0)
  expect(pages).toBeGreaterThan(50)
  expect(pages).toBeLessThanOrEqual(100)
})

test('a server listens when its time is up, although an indexer is silent', async () => {
  const clock = fakeClock()
  let asked: (() => void) | undefined
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const silent = createServer(() => asked?.()).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as AddressInfo
  const chains = [{ chainId: 'a-1', url: `http://127.0.0.1:${port}` }]
  const opening = createGateway({ chains }, { clock, server: { warmUpMs: 1_000, drain: 0 } })
  await isAsked
  await clock.advance(999)
  let isOpen = false
  void opening.then(() => {
    isOpen = true
  })
  await clock.advance(0)
  expect(isOpen).toBe(false)
  await clock.advance(1)
  await using gateway = await opening
  expect((await fetch(gateway.metricsUrl)).status).toBe(200)
  silent.closeAllConnections()
  silent.close()
})
