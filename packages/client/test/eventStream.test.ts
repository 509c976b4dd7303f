import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BlocksData, blocksDocument, clientOf, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** A client without sockets, whose requests a test sees, and can answer in the place of the gateway. */
function blockedClient(answer: (request: number) => Response | undefined = () => undefined, over = world) {
  const methods: string[] = []
  const client = clientOf(over, {
    webSocketImpl: null,
    async fetch(url, { method = 'GET', ...init } = {}) {
      methods.push(method)
      return answer(methods.length) ?? fetch(url, { method, ...init })
    },
  })
  /** Reads until so many blocks have arrived, and `onBlock` does not return false. */
  const read = async (chainId: string, blocks: number, onBlock: (count: number) => unknown = () => true) => {
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
  return { methods, read }
}

const chains = ['harbor-1', 'galley-1', 'lantern-1', 'harbor-1', 'galley-1', 'lantern-1', 'galley-1']

test('each subscription is one POST, whose answer is its stream', async () => {
  const { methods, read } = blockedClient()
  await Promise.all(chains.map((chain) => read(chain, 2)))
  expect(methods).toEqual(chains.map(() => 'POST'))
})

test('after a cut, each subscription resumes over a new stream', async () => {
  const { methods, read } = blockedClient()
  let begun = 0
  await Promise.all(
    chains.map((chain) =>
      read(chain, 12, (blocks) => {
        if (blocks === 1 && ++begun === chains.length) world.proxy.cut()
      }),
    ),
  )
  expect(new Set(methods)).toEqual(new Set(['POST']))
  expect(methods.length).toBeGreaterThanOrEqual(2 * chains.length)
})

test('a stream refused with status 429 is retried', async () => {
  const { methods, read } = blockedClient((request) => (request < 3 ? new Response('', { status: 429 }) : undefined))
  await read('galley-1', 2)
  expect(methods).toEqual(['POST', 'POST', 'POST'])
})

test('each subscription survives one of two gateways that is killed', async () => {
  await using gateways = await startWorld({}, { gateways: 2 })
  const { methods, read } = blockedClient(() => undefined, gateways)
  let begun = 0
  await Promise.all(
    chains.map((chain) =>
      read(chain, 4, (blocks) => {
        if (blocks === 1 && ++begun === chains.length) void gateways.kill(0)
        // Some streams were those of the gateway, and are opened again.
        return methods.length > chains.length
      }),
    ),
  )
  expect(new Set(methods)).toEqual(new Set(['POST']))
})
