import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileProgram, killPrograms } from '../../../test/support/program.ts'
import {
  type BlocksData,
  blocksDocument,
  clientOf,
  startWorld,
  type World,
} from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** A client without sockets, whose requests a test sees, and can answer in the place of the gateway. */
function blockedClient(
  answer: (method: string, request: number) => Response | undefined = () => undefined,
  over = world,
) {
  const requests: string[] = []
  const client = clientOf(over, {
    ...{ webSocketImpl: null, keepAlive: 5_000, timeout: 15_000 },
    async fetch(url, { method = 'GET', ...init } = {}) {
      requests.push(method)
      const count = requests.filter((one) => one === method).length
      return answer(method, count) ?? fetch(url, { method, ...init })
    },
  })
  /** Reads until so many blocks have arrived, and `onBlock` does not return false. */
  const read = async (
    chainId: string,
    blocks: number,
    onBlock: (count: number) => unknown = () => true,
  ) => {
    const live = client.subscribe<BlocksData, { chainId: string }>(blocksDocument, { chainId })
    const heights: number[] = []
    for await (const event of live) {
      if (event.kind === 'notice') continue
      if (event.kind !== 'data') throw new Error(JSON.stringify(event))
      heights.push(Number(event.data.blocks.node?.height))
      const isEnough = onBlock(heights.length) !== false
      if (isEnough && heights.length >= blocks) break
    }
    expect(heights).toEqual(heights.map((_, index) => Number(heights[0]) + index))
  }
  const count = (method: string) => requests.filter((one) => one === method).length
  return { count, read }
}

const chains = [
  'harbor-1',
  'galley-1',
  'lantern-1',
  'harbor-1',
  'galley-1',
  'lantern-1',
  'galley-1',
]

/** Resolves when it is so. The requests that end operations are sent without waiting for their answers. */
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

test('all subscriptions share one stream, and each is deleted when it ends', async () => {
  const { count, read } = blockedClient()
  await Promise.all(chains.map((chain) => read(chain, 2)))
  expect([count('PUT'), count('GET'), count('POST')]).toEqual([1, 1, chains.length])
  await until(() => count('DELETE') === chains.length)
})

test('after a cut, all subscriptions resume over one new stream', async () => {
  const { count, read } = blockedClient()
  let begun = 0
  await Promise.all(
    chains.map((chain) =>
      read(chain, 12, (blocks) => {
        if (blocks === 1 && ++begun === chains.length) world.proxy.cut()
      }),
    ),
  )
  expect(count('GET')).toBe(2)
  expect(count('POST')).toBeGreaterThan(chains.length)
})

test('without shared streams, each subscription has a separate stream', async () => {
  const { count, read } = blockedClient((method) =>
    method === 'PUT' ? new Response('', { status: 405 }) : undefined,
  )
  await Promise.all(chains.map((chain) => read(chain, 2)))
  await read('galley-1', 2)
  expect([count('PUT'), count('GET'), count('POST')]).toEqual([1, 0, chains.length + 1])
})

test.each(['GET', 'POST'])(
  'a subscription whose %s reaches another gateway gets a separate stream',
  async (other) => {
    const { count, read } = blockedClient((method, request) =>
      method === other && request === 1 ? new Response('', { status: 404 }) : undefined,
    )
    await Promise.all([read('galley-1', 3), read('harbor-1', 3)])
    expect(count('PUT')).toBe(1)
    expect(count('POST')).toBe(other === 'GET' ? 2 : 3)
  },
)

test('a reservation refused with status 429 is retried', async () => {
  const { count, read } = blockedClient((method, request) =>
    method === 'PUT' && request < 3 ? new Response('', { status: 429 }) : undefined,
  )
  await read('galley-1', 2)
  expect([count('PUT'), count('GET')]).toEqual([3, 1])
})

describe('with two workers', () => {
  beforeAll(compileProgram, 240_000)
  afterAll(killPrograms)

  test('each subscription has a separate stream and survives a killed worker', async () => {
    await using workers = await startWorld({}, { workers: 2 })
    const { count, read } = blockedClient(() => undefined, workers)
    let begun = 0
    await Promise.all(
      chains.map((chain) =>
        read(chain, 4, (blocks) => {
          if (blocks === 1 && ++begun === chains.length) workers.killWorker(0)
          // Some streams were those of the worker, and are opened again.
          return count('POST') > chains.length
        }),
      ),
    )
    expect([count('PUT'), count('GET')]).toEqual([1, 0])
  }, 90_000)
})
