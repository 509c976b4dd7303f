import { readFileSync } from 'node:fs'
import type { GatewayOptions } from '../../../../src/gateway.ts'
import { serveProgram } from '../../../../test/support/program.ts'

/** A gateway that runs. */
export interface Running {
  readonly port: number
  /** Stops it as an operator does. */
  close(): Promise<unknown>
  /** Ends it at once, so that it says nothing to those that are connected. */
  kill(): Promise<unknown>
  /** Ends one process of several. The others go on, and it is replaced. */
  killWorker?(): void
}

/** Starts the compiled program over these services. With several workers, one port has a process for each. */
export async function startProgram(
  { chains, router, signingKeys = [], redis }: GatewayOptions,
  workers: number,
): Promise<Running> {
  const program = await serveProgram([], {
    INDEXERS: chains.map(({ chainId, url }) => `${chainId}=${url}`).join(','),
    ROUTER_URL: router?.url ?? '',
    SIGNING_KEYS: signingKeys.join(','),
    WORKERS: String(workers),
    ...(redis && { REDIS_URL: redis.url }),
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
    killWorker() {
      const [worker] = childrenOf(Number(child.pid))
      if (worker !== undefined) process.kill(worker, 'SIGKILL')
    },
  }
}

/** The processes that a process has started. Only Linux lists them. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
