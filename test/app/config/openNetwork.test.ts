import { expect, test } from 'vitest'
import { startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../../src/gateway.ts'
import { post } from '../../support/http.ts'

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
    limits: { timeoutMs: 300_000, upstreamTimeoutMs: 120_000 },
  })
  const ask = ({ chainId }: { readonly chainId: string }, signal: AbortSignal | null) => {
    const blocks = [1, 50_000, 100_000].map((height) => `b${height}: block(height: ${height}) { hash }`)
    return fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ chain(chainId: "${chainId}") { ${blocks.join(' ')} } }` }),
      signal,
    })
  }
  const leave = new AbortController()
  const unanswered = ask(second, leave.signal).catch((error: Error) => error.name)
  // Each request to the first is given up after 100 ms. The only one to the second is never answered.
  const { errors } = await (await ask(first, null)).json()
  const late = { extensions: { code: 'UPSTREAM_TIMEOUT', service: first.chainId } }
  expect(errors).toMatchObject([late, late, late])
  const sent = () => sandbox.requests.filter((line) => line.startsWith(second.chainId)).length
  while (sent() === 0) await new Promise((done) => setImmediate(done))
  expect(sent()).toBe(1)
  leave.abort()
  expect(await unanswered).toBe('AbortError')
})

test('updateChains replaces chains, and keeps the clients of unchanged ones', async () => {
  await using sandbox = await startSandbox()
  const [first, second] = sandbox.indexers
  if (!first || !second) throw new Error('two chains are needed')
  await using gateway = await createGateway({ chains: [first] })
  const idsOf = async () => {
    const { body } = await post(gateway.url, { query: '{ chain { chainId } chains { chainId } }' })
    return [body.data.chain, ...body.data.chains].map(({ chainId }) => chainId)
  }
  const client = gateway.shared.network.chains.get(first.chainId)
  expect(await idsOf()).toEqual([first.chainId, first.chainId])

  gateway.updateChains({ chains: [second, first] })
  expect(await idsOf()).toEqual([second.chainId, second.chainId, first.chainId])
  expect(gateway.shared.network.chains.get(first.chainId)).toBe(client)
  const ready = await (await fetch(new URL('/ready', gateway.url))).json()
  expect(JSON.stringify(ready)).toContain(second.chainId)

  const { size } = gateway.shared.cache.regions.get('documents') ?? {}
  gateway.updateChains({ chains: [second, first] })
  expect(size).toBeGreaterThan(0)
  expect(gateway.shared.cache.regions.get('documents')?.size).toBe(size)

  const unknown = () => gateway.updateChains({ chains: [first], defaultChain: 'x-1' })
  expect(unknown).toThrow('The default chain x-1 is not one of the chains.')
  expect(() => gateway.updateChains({ chains: [] })).toThrow('at least one chain')
  expect(await idsOf()).toEqual([second.chainId, second.chainId, first.chainId])

  gateway.updateChains({ chains: [{ ...first, name: 'Renamed' }] })
  expect(await idsOf()).toEqual([first.chainId, first.chainId])
  const renamed = gateway.shared.network.chains.get(first.chainId)
  expect(renamed).toMatchObject({ name: 'Renamed' })
  expect(renamed?.indexer).toBe(client?.indexer)

  gateway.updateChains({ chains: [{ ...first, timeoutMs: 3_000 }] })
  const slower = gateway.shared.network.chains.get(first.chainId)
  expect(slower?.indexer).not.toBe(client?.indexer)
})

test('an operation is charged for the chains served now', async () => {
  await using sandbox = await startSandbox()
  const [first, second] = sandbox.indexers
  if (!first || !second) throw new Error('two chains are needed')
  await using gateway = await createGateway({ chains: [first], limits: { maxCost: 100 } })
  const query = '{ chains { blocks(first: 30) { nodes { height } } } }'
  expect((await post(gateway.url, { query })).body.errors).toBeUndefined()
  gateway.updateChains({ chains: [first, second] })
  const { body } = await post(gateway.url, { query })
  expect(body.errors?.[0].extensions.code).toBe('QUERY_TOO_COMPLEX')
})
