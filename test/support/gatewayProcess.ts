import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A gateway that runs as a process of its own, from the compiled program. */
export interface GatewayProcess extends AsyncDisposable {
  /** The URL of the graph. */
  readonly url: string
  /** Sends SIGTERM. Resolves to the exit code. */
  stop(): Promise<number | null>
  /** Ends it at once, as a machine does that loses power. */
  kill(): Promise<void>
}

/** Compiles the program. It takes no time if nothing has changed. */
export function compile(): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc'])
}

/** Starts the program with these variables and no others. Resolves once it listens. */
export async function startGatewayProcess(
  env: Record<string, string>,
  ...flags: string[]
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, ['dist/main.js', ...flags], {
    env: { LOG_FORMAT: 'json', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return await exited
  }
  let url: string | undefined
  const log: string[] = []
  for await (const line of createInterface(child.stderr)) {
    log.push(line)
    // Faulty settings are told in plain text.
    const { msg, url: said } = line.startsWith('{') ? JSON.parse(line) : {}
    if (msg === 'listening') {
      url = String(said)
      break
    }
  }
  if (url === undefined) throw new Error(`it does not listen: ${log.join('\n')}`)
  child.stderr.resume()
  return {
    url,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}
