import { expect, test } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { post } from '../support/testServer.ts'

test('a service has its own timeout and concurrency', async () => {
  await using sandbox = await startSandbox()
  const [first, second] = sandbox.indexers
  if (!first || !second) throw new Error('two chains are needed')
  for (const { chainId } of [first, second]) sandbox.faults.set(chainId, '/', { kind: 'hang' })
  await using gateway = await createGateway({
    chains: [
      { ...first, timeoutMs: 100 },
      { ...second, maxRequests: 1 },
    ],
    limits: { timeoutMs: 2_000, upstreamTimeoutMs: 120_000, maxIndexerRequests: 2 },
  })
  const blocks = [1, 50_000, 100_000].map(
    (height) => `b${height}: block(height: ${height}) { hash }`,
  )
  const chains = [first, second].map(
    ({ chainId }, index) => `c${index}: chain(chainId: "${chainId}") { ${blocks.join(' ')} }`,
  )
  const { body } = await post(gateway.url, { query: `{ ${chains.join(' ')} }` })
  expect(body.errors).toHaveLength(6)
  const sent = (chainId: string) =>
    sandbox.requests.filter((request) => request.startsWith(chainId)).length
  // Each request to the first is given up after 100 ms. The only one to the second is never answered.
  expect(sent(first.chainId)).toBeGreaterThan(2)
  expect(sent(second.chainId)).toBe(1)
})
