import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox'
import { servicesAt } from './engine/network/networkOptions.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { type Clock, systemClock } from './kit/clock/clock.ts'
import { createMovableClock } from './kit/clock/movableClock.ts'
import type { GatewayOptions } from './server/gatewayOptions.ts'

/** How a gateway of a test starts. Every option has a default. */
export interface TestGatewayOptions extends Omit<SandboxOptions, 'clock'> {
  /** The date at the start, in milliseconds since 1970. Default: noon of 2026-10-01 in UTC. */
  readonly date?: number
  /** Other options of the gateway, such as limits. */
  readonly gateway?: Partial<GatewayOptions>
}

/** A gateway over a sandbox, whose time only the test moves. `await using` closes both. */
export interface TestGateway extends AsyncDisposable {
  /** URL of the graph, for HTTP, server-sent events and WebSocket. */
  readonly url: string
  /** The network behind it: its requests, and faults to inject. */
  readonly sandbox: Sandbox
  /**
   * Advances the time: blocks are made, transfers advance, and subscriptions receive the new records. Resolves when
   * the gateway has read what changed. Events reach clients soon after.
   */
  advance(milliseconds: number): Promise<void>
}

const defaultDate = Date.UTC(2026, 9, 1, 12)

/**
 * Starts a gateway over a sandbox, on free ports of 127.0.0.1. Its data is the same each time.
 * @throws Error if an option is wrong.
 */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { date = defaultDate, gateway: changes, ...rest } = options
  let gateway: Gateway | undefined
  // Polls go over real sockets, so the clock must not move on before they are answered.
  const clock = createMovableClock(async () => {
    do await nextTurn()
    while (gateway?.shared.poller.inFlight || gateway?.shared.feeds.inFlight)
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  }, date)
  // A timer of 0 ms runs though no time passes.
  const after: Clock['after'] = (milliseconds, run) =>
    (milliseconds <= 0 ? systemClock : clock).after(milliseconds, run)
  const sandbox = await startSandbox({ transfersBeginAnew: true, ...rest, clock: clock.date })
  try {
    gateway = await createGateway(
      {
        chains: sandbox.indexers.map(({ feeAssets: _, ...chain }) => chain),
        ...servicesAt(sandbox),
        isSandbox: true,
        ...changes,
      },
      { clock: { ...clock, after }, random: () => 0.5, server: { grace: 0, drain: 0 } },
    )
  } catch (error) {
    await sandbox.close()
    throw error
  }
  const { url, close } = gateway
  return {
    url,
    sandbox,
    advance: clock.advance,
    async [Symbol.asyncDispose]() {
      await close()
      await sandbox.close()
    },
  }
}

const nextTurn = () => new Promise((done) => setImmediate(done))
