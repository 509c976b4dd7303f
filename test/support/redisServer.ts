import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import { isInstalled } from './installed.ts'

/** Whether a Redis can be started here. */
export const hasRedis = isInstalled('redis-server')

/** A Redis of its own, on loopback, that keeps nothing. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** A connection for the test itself. */
  readonly client: Redis
  /** Ends the process at once. Its data is lost. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
}

/** A port of loopback that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a Redis with these options beside those of all tests. */
export async function startRedis(...options: string[]): Promise<RedisServer> {
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'portolan-redis-'))
  let child: ChildProcess | undefined
  const start = async () => {
    const flags = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const started = spawn('redis-server', [...flags.map(String), '--dir', directory, ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    for await (const line of createInterface(started.stdout)) {
      if (line.includes('Ready to accept connections')) break
    }
    started.stdout.resume()
  }
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  await start()
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 100 })
  client.on('error', () => {})
  return {
    ...{ url: `redis://127.0.0.1:${port}`, port, client, start, stop },
    get pid() {
      return child?.pid ?? 0
    },
    async [Symbol.asyncDispose]() {
      client.disconnect()
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
