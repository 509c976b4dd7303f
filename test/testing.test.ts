import { createClient } from 'graphql-ws'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startTestGateway, type TestGateway } from '../src/testing.ts'

/** The values of a field of the events of a subscription so far. */
function watch({ url }: TestGateway, query: string, read: (data: never) => unknown) {
  const socket = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })
  const values: unknown[] = []
  let isComplete = false
  socket.subscribe(
    { query },
    {
      next: ({ data }) => void values.push(read(data as never)),
      error: (error) => void values.push(error),
      complete: () => {
        isComplete = true
      },
    },
  )
  return { values, isComplete: () => isComplete, close: () => socket.dispose() }
}

const until = (check: () => void) => vi.waitFor(check, 10_000)

test('the clock of a test gateway moves only when advanced', async () => {
  await using gateway = await startTestGateway()
  const heads = watch(
    gateway,
    'subscription { chainHeads(chainIds: ["galley-1"]) { height } }',
    ({ chainHeads }: { chainHeads: { height: number } }) => chainHeads.height,
  )
  await until(() => expect(heads.values).toHaveLength(1))
  const [first] = heads.values
  await gateway.advance(10_000)
  await until(() => expect(heads.values.length).toBeGreaterThan(3))
  expect(heads.values.at(-1)).toBeGreaterThan(Number(first) + 3)
  expect(heads.values).toEqual(heads.values.toSorted((a, b) => Number(a) - Number(b)))
  await heads.close()
})

test('a transfer repeats its scenario each time it is watched', async () => {
  await using gateway = await startTestGateway()
  const hash = `${'ab'.repeat(31)}e0`
  for (let round = 0; round < 2; round++) {
    const transfer = watch(
      gateway,
      `subscription { transfer(chainId: "harbor-1", hash: "${hash}") { state } }`,
      ({ transfer }: { transfer: { state: string } }) => transfer.state,
    )
    await until(() => expect(transfer.values).toEqual(['SUBMITTED']))
    await gateway.advance(20_000)
    await until(() => expect(transfer.isComplete()).toBe(true))
    expect([...new Set(transfer.values)].at(-1)).toBe('COMPLETED_ERROR')
    await transfer.close()
  }
})

test('data and cursors are the same in each test gateway', async () => {
  const query = `{ chain { blocks(first: 2) { edges { cursor node { height hash } } } } }`
  const read = async () => {
    await using gateway = await startTestGateway()
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    return response.json()
  }
  const first = await read()
  expect(first).toMatchObject({ data: { chain: { blocks: { edges: [{}, {}] } } } })
  expect(await read()).toEqual(first)
})
