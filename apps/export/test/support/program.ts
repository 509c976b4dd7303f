import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'

/** Bundles the command into one file that Node can run. */
export async function bundleProgram(file: string): Promise<void> {
  await build({
    entryPoints: [new URL('../../src/bin.ts', import.meta.url).pathname],
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', outfile: file, logLevel: 'warning' },
    conditions: ['@portolan/source'],
  })
}

/**
 * Runs the command, as the last arguments of another one if there is a `wrapper`. `ended` resolves to its code and its
 * signal, and `said` to what it wrote to the error stream. `kill` ends it at once.
 */
export function startProgram(program: string, argv: readonly string[], wrapper: readonly string[] = []) {
  const [command = '', ...rest] = [...wrapper, process.execPath, program, ...argv]
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
  const texts: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => texts.push(text))
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  return {
    ended,
    said: async () => {
      await ended
      return texts.join('')
    },
    /** What it wrote so far. */
    saidNow: () => texts.join(''),
    kill: () => child.kill('SIGKILL'),
    pid: child.pid ?? 0,
  }
}

/**
 * A server before a gateway, which calls back with the number of each request, before or after it is answered, and waits
 * for what is returned before the answer goes on.
 */
export async function startGate(target: string) {
  let onRequest: (count: number, moment: 'before' | 'after') => unknown = () => {}
  let count = 0
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    count += 1
    await onRequest(count, 'before')
    const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await answer.text()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(text, () => onRequest(count, 'after'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    /** Counts from 1 again. */
    watch(listener: typeof onRequest) {
      count = 0
      onRequest = listener
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
