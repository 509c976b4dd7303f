import fc from 'fast-check'
import type { ClientOptions } from '../../src/client.ts'
import { PortolanError } from '../../src/portolanError.ts'
import { type BlocksData, clientOf, type World } from './world.ts'

/** What a storm did, and what became of the blocks. */
export interface StormReport {
  runs: number
  blocks: number
  strikes: number
  lost: number
  /** Blocks that came twice, or after a later one. */
  doubled: number
}

const faults = ['cut', 'halfClose', 'freeze', 'delay', 'replay', 'down', 'kill', 'restart'] as const

type Fault = (typeof faults)[number]

/** The ways to subscribe: over a socket, and each over an event stream of its own. */
const transports: readonly Partial<ClientOptions>[] = [{}, { webSocketImpl: null }]

const chains = ['harbor-1', 'galley-1', 'lantern-1']
/** How many blocks each subscription catches up with. */
const behind = 25

const blocksWithHoles = `subscription LiveBlocks($chainId: ChainId!, $after: String) {
  blocks(chainId: $chainId, after: $after) {
    cursor
    node { height }
    notice { kind firstMissingHeight lastMissingHeight }
  }
}`

const placeDocument = `query ($chainId: ChainId!, $first: Int!) {
  chain(chainId: $chainId) { blocks(first: $first) { edges { cursor node { height } } } }
}`

interface PlaceData {
  readonly chain: {
    readonly blocks: { readonly edges: { cursor: string; node: { height: number } }[] }
  }
}

/** How soon clients miss a connection: a gateway in a process of its own is slower, and polls in real time. */
const haste = { keepAlive: 100, timeout: 300 }
const hasteWithPrograms = { keepAlive: 1_000, timeout: 3_000 }

/** The cursor of a block some way behind the newest one, and its height. */
async function place(
  client: ReturnType<typeof clientOf>,
  chainId: string,
): Promise<{ resume: string; height: number }> {
  const variables = { chainId, first: behind }
  try {
    const { chain } = await client.query<PlaceData, object>(placeDocument, variables)
    const edge = chain.blocks.edges.at(-1)
    return { resume: String(edge?.cursor), height: Number(edge?.node.height) }
  } catch (error) {
    // A gateway can be away for longer than a query tries. A reader would ask again.
    if (!(error instanceof PortolanError && error.code === 'NETWORK')) throw error
    return place(client, chainId)
  }
}

/** Brings faults over a world. One that stops gateways ends before the next one of its kind begins. */
function strikes(world: World) {
  const { proxy } = world
  let turn = 0
  let stopped = Promise.resolve()
  const stopOne = async (isSudden: boolean) => {
    const index = turn++ % proxy.targets.length
    await (isSudden ? world.kill(index) : world.stop(index))
    await world.start()
  }
  return async (fault: Fault) => {
    if (fault === 'delay') proxy.delay = 5
    else if (fault === 'restart' || fault === 'kill') {
      stopped = stopped.then(() => stopOne(fault === 'kill'))
      await stopped
    } else if (fault === 'down') {
      proxy.isDown = true
      proxy.cut()
      await new Promise((resolve) => setTimeout(resolve, 30))
      proxy.isDown = false
    } else proxy[fault]()
  }
}

/** The heights that one subscription brings, whose first one follows that of the cursor. */
async function* heightsOf(client: ReturnType<typeof clientOf>, chainId: string, resume: string) {
  const live = client.subscribe<BlocksData, object>(blocksWithHoles, { chainId }, { resume })
  for await (const event of live) {
    if (event.kind === 'gap' || event.kind === 'end') throw new Error(JSON.stringify(event))
    const { node, notice } = event.data.blocks
    if (event.kind === 'data') yield Number(node?.height)
    // The sandbox has no such blocks, and the gateway says so.
    else if (notice?.kind === 'MISSING') {
      const { firstMissingHeight: first, lastMissingHeight: last } = notice
      for (let height = Number(first); height <= Number(last); height++) yield height
    }
  }
}

/**
 * Follows the blocks of three chains, in random storms. Ends after so many runs, or so many milliseconds.
 * @throws Error after the first run in which a block was lost or came twice, with what it takes to repeat it.
 */
export async function storm(world: World, runs: number, maxMs: number): Promise<StormReport> {
  const report: StormReport = { runs: 0, blocks: 0, strikes: 0, lost: 0, doubled: 0 }
  const strike = strikes(world)
  const pace = world.isProgram ? hasteWithPrograms : haste
  const plan = fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: behind * 3 }),
      fault: fc.constantFrom<Fault>(...faults),
    }),
    { minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(plan, fc.constantFrom(...transports), async (faults, transport) => {
      const client = clientOf(world, { ...pace, ...transport })
      const struck: Promise<void>[] = []
      let arrived = 0
      const wrong: string[] = []
      const follow = async (chainId: string) => {
        const { resume, height } = await place(client, chainId)
        let next = height + 1
        for await (const came of heightsOf(client, chainId, resume)) {
          if (came !== next) wrong.push(`${chainId}: ${came} in the place of ${next}`)
          report.lost += Math.max(0, came - next)
          if (came < next) report.doubled++
          next = Math.max(next, came + 1)
          report.blocks++
          arrived++
          for (const { at, fault } of faults) if (at === arrived) struck.push(strike(fault))
          if (next > height + behind + 1) break
        }
      }
      await Promise.all(chains.map(follow))
      await Promise.all(struck)
      report.runs++
      report.strikes += struck.length
      world.proxy.delay = 0
      world.proxy.cut()
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
    }),
    {
      numRuns: runs,
      endOnFailure: true,
      interruptAfterTimeLimit: maxMs,
      markInterruptAsFailure: false,
    },
  )
  return report
}
