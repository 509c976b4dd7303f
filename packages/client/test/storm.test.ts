import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BlocksData, clientOf, startWorld, type World } from './support/world.ts'

/** How many random runs. `npm run storm` makes 500. */
const runs = Number(process.env.STORM_RUNS ?? 12)

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const chains = ['harbor-1', 'galley-1', 'lantern-1']
const behind = 25

const blocksWithHoles = `subscription LiveBlocks($chainId: ChainId!, $after: String) {
  blocks(chainId: $chainId, after: $after) {
    cursor
    node { height }
    notice { kind firstMissingHeight lastMissingHeight }
  }
}`

/** The cursor of a block some way behind the newest one, and its height. */
async function place(client: ReturnType<typeof clientOf>, chainId: string) {
  const { chain } = await client.query<
    { chain: { blocks: { edges: { cursor: string; node: { height: number } }[] } } },
    object
  >(
    'query ($chainId: ChainId!, $first: Int!) { chain(chainId: $chainId) { blocks(first: $first) { edges { cursor node { height } } } } }',
    { chainId, first: behind },
  )
  const edge = chain.blocks.edges.at(-1)
  return { resume: String(edge?.cursor), height: Number(edge?.node.height) }
}

const faults = ['cut', 'halfClose', 'freeze', 'delay', 'down', 'restart'] as const

let restarts = Promise.resolve()

async function strike(fault: (typeof faults)[number]) {
  const { proxy } = world
  if (fault === 'delay') proxy.delay = 5
  else if (fault === 'restart') {
    restarts = restarts.then(world.stop).then(() => world.start())
    await restarts
  } else if (fault === 'down') {
    proxy.isDown = true
    proxy.cut()
    await new Promise((resolve) => setTimeout(resolve, 30))
    proxy.isDown = false
  } else proxy[fault]()
}

test(
  'whatever the network does, every block arrives once and in order',
  async () => {
    const strikes = fc.array(
      fc.record({ at: fc.integer({ min: 1, max: behind * 3 }), fault: fc.constantFrom(...faults) }),
      { minLength: 1, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(strikes, fc.boolean(), async (plan, hasSockets) => {
        const client = clientOf(world, {
          keepAlive: 100,
          timeout: 300,
          ...(!hasSockets && { webSocketImpl: null }),
        })
        const struck: Promise<void>[] = []
        let arrived = 0
        const follow = async (chainId: string) => {
          const { resume, height } = await place(client, chainId)
          const live = client.subscribe<BlocksData, object>(
            blocksWithHoles,
            { chainId },
            { resume },
          )
          const heights: number[] = []
          for await (const event of live) {
            if (event.kind === 'gap' || event.kind === 'end') throw new Error(JSON.stringify(event))
            if (event.kind === 'notice') {
              // The sandbox has no such blocks, and the gateway says so.
              const { notice } = event.data.blocks
              if (notice?.kind !== 'MISSING') continue
              const { firstMissingHeight: first, lastMissingHeight: last } = notice
              for (let height = Number(first); height <= Number(last); height++) {
                heights.push(height)
              }
              continue
            }
            heights.push(Number(event.data.blocks.node?.height))
            arrived++
            for (const { at, fault } of plan) if (at === arrived) struck.push(strike(fault))
            if (heights.length > behind) break
          }
          expect(heights).toEqual(heights.map((_, index) => height + 1 + index))
        }
        await Promise.all(chains.map(follow))
        await Promise.all(struck)
        world.proxy.delay = 0
        world.proxy.cut()
      }),
      { numRuns: runs, endOnFailure: true },
    )
  },
  runs * 10_000,
)
