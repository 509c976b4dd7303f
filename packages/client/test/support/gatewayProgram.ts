import type { GatewayOptions } from '../../../../src/gateway.ts'
import { serveProgram } from '../../../../test/support/program.ts'

/** A gateway that runs. */
export interface Running {
  readonly port: number
  /** Stops it as an operator does. */
  close(): Promise<unknown>
  /** Ends it at once, so that it says nothing to those that are connected. */
  kill(): Promise<unknown>
}

/** Starts the compiled program over these services. */
export async function startProgram({ chains, router, signingKeys = [] }: GatewayOptions): Promise<Running> {
  const program = await serveProgram([], {
    INDEXERS: chains.map(({ chainId, url }) => `${chainId}=${url}`).join(','),
    ROUTER_URL: router?.url ?? '',
    SIGNING_KEYS: signingKeys.join(','),
  })
  const { child, exited } = program
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return {
    port: Number(new URL(program.url).port),
    close: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}
