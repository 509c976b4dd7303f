import { WebSocket } from 'ws'
import { createGateway, type GatewayOptions } from '../../../../src/gateway.ts'
import type { Clock } from '../../../../src/kit/clock/clock.ts'
import { sandboxChains } from '../../../sandbox/src/chains.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts'
import { type ClientOptions, createClient } from '../../src/client.ts'
import { type Running, startProgram } from './gatewayProgram.ts'
import { type FaultyProxy, startProxy } from './proxy.ts'

/** The socket of Node 20 has no global name, and that of `ws` has the types of Node. */
export const webSocketImpl = WebSocket as unknown as typeof globalThis.WebSocket

/** How many times as fast as the real one the network runs. */
const speed = 20

const epoch = Date.now()
const startedAt = performance.now()
const elapsed = () => (performance.now() - startedAt) * speed

/** A clock that runs fast, so that blocks arrive in a moment. */
const fastClock: Clock = {
  now: elapsed,
  date: () => epoch + elapsed(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds / speed)
    return () => clearTimeout(timer)
  },
}

/** Waits as long for the sandbox, on a machine with much to do, as a gateway whose time is the real one. */
const patience = { upstreamTimeoutMs: 5_000 * speed, timeoutMs: 15_000 * speed }

export const chainId = 'galley-1'
export const signingKeys = ['0123456789abcdef0123456789abcdef']

/** Gateways behind a proxy, over the sandbox. They can be stopped and started again. */
export interface World extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly proxy: FaultyProxy
  readonly isProgram: boolean
  /** Stops all gateways, or one of them. */
  stop(index?: number): Promise<void>
  /** Ends a gateway at once, so that it says nothing to those that are connected. */
  kill(index: number): Promise<void>
  /** Starts all gateways that are stopped. */
  start(changes?: Partial<GatewayOptions>): Promise<void>
}

/** What a world has. */
export interface WorldOptions {
  readonly gateways?: number
  /** Makes each gateway a process. By default, all run in the process of the test. */
  readonly isProgram?: boolean
}

export async function startWorld(
  options: Partial<GatewayOptions> = {},
  { gateways: count = 1, isProgram = false }: WorldOptions = {},
): Promise<World> {
  const chains = sandboxChains.map((chain) => ({
    ...chain,
    genesis: epoch - 199 * chain.blockTime,
  }))
  const sandbox = await startSandbox({ chains, clock: fastClock.date })
  const gateways: (Running | undefined)[] = Array(count).fill(undefined)
  const proxy = await startProxy(...Array(count).fill(0))
  const open = async (changes: Partial<GatewayOptions>): Promise<Running> => {
    const chains = sandbox.indexers.map(({ feeAssets: _, ...chain }) => chain)
    const all = { chains, router: { url: sandbox.routerUrl }, signingKeys, ...options, ...changes }
    if (isProgram) return startProgram(all)
    const given = { limits: patience, ...all }
    const gateway = await createGateway(given, { clock: fastClock, server: { grace: 0, drain: 0 } })
    const port = Number(new URL(gateway.url).port)
    const close = () => gateway.close()
    return {
      ...{ port, close },
      kill() {
        proxy.cut(port)
        return close()
      },
    }
  }
  const world = {
    async stop(index?: number) {
      const stopped = gateways.map((gateway, at) => {
        if (index !== undefined && at !== index) return undefined
        gateways[at] = undefined
        return gateway?.close()
      })
      await Promise.all(stopped)
    },
    async kill(index: number) {
      const gateway = gateways[index]
      gateways[index] = undefined
      await gateway?.kill()
    },
    async start(changes: Partial<GatewayOptions> = {}) {
      const started = gateways.map(async (running, at) => {
        if (running) return
        const gateway = await open(changes)
        gateways[at] = gateway
        proxy.targets[at] = gateway.port
      })
      await Promise.all(started)
    },
  }
  await world.start()
  return {
    ...world,
    ...{ sandbox, proxy, isProgram },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await world.stop()
      await sandbox.close()
    },
  }
}

export const blocksDocument = `subscription LiveBlocks($chainId: ChainId!, $after: String) {
  blocks(chainId: $chainId, after: $after) { cursor node { height } notice { kind message } }
}`

export interface BlocksData {
  readonly blocks: {
    readonly cursor: string
    readonly node: { readonly height: number } | null
    readonly notice: {
      readonly kind: string
      readonly firstMissingHeight?: number
      readonly lastMissingHeight?: number
    } | null
  }
}

export const resumes = {
  LiveBlocks: {
    cursor: 'blocks.cursor',
    variable: 'after',
    notice: 'blocks.notice',
    kind: 'blocks.notice.kind',
  },
  LiveActivity: {
    cursor: 'activity.cursor',
    variable: 'after',
    notice: 'activity.notice',
    kind: 'activity.notice.kind',
  },
  WatchTransfer: {},
}

/** A client that tries again at once, and has patience with a busy machine: it takes no slow answer for a lost one. */
export const clientOf = ({ proxy }: Pick<World, 'proxy'>, options: Partial<ClientOptions> = {}) =>
  createClient({
    url: proxy.url,
    webSocketImpl,
    resumes,
    keepAlive: 5_000,
    timeout: 15_000,
    retryDelay: (attempt) => Math.random() * Math.min(200, 10 * 2 ** attempt),
    ...options,
  })
