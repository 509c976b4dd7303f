import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

/** What an upstream does with its n-th request, counted from 1. It writes the response byte by byte. */
export type Script = (socket: Socket, count: number) => void

/** An upstream that does with each request what a test wrote. */
export interface ScriptedUpstream extends AsyncDisposable {
  readonly port: number
  /** The base URL under which requests go to the script of that name. */
  url(name: string): string
  /** Requests that the script of that name has received. */
  count(name: string): number
  /** Resolves when the script of that name has received so many requests. */
  arrived(name: string, count?: number): Promise<void>
}

/** Starts an upstream on loopback. The first segment of a path is the name of its script. */
export async function startScriptedUpstream(scripts: Readonly<Record<string, Script>>): Promise<ScriptedUpstream> {
  const counts = new Map<string, number>()
  const waiters = new Set<() => void>()
  const sockets = new Set<Socket>()
  const receive = (socket: Socket, head: string) => {
    const [, name = ''] = /^[A-Z]+ \/([^/?\s]*)/.exec(head) ?? []
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    for (const wake of waiters) wake()
    scripts[name]?.(socket, count)
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end)
        text = text.slice(end + 4)
        receive(socket, head)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const countOf = (name: string) => counts.get(name) ?? 0
  return {
    port,
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    count: countOf,
    arrived: (name, count = 1) =>
      new Promise((resolve) => {
        const wake = () => {
          if (countOf(name) < count) return
          waiters.delete(wake)
          resolve()
        }
        waiters.add(wake)
        wake()
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The head of a response, and its body with its length. */
export const response = (body: string | Buffer, status = '200 OK', ...headers: string[]): Buffer =>
  Buffer.concat([
    Buffer.from(
      [
        ...[`HTTP/1.1 ${status}`, 'Content-Type: application/json', ...headers],
        ...[`Content-Length: ${Buffer.byteLength(body)}`, '', ''],
      ].join('\r\n'),
    ),
    Buffer.from(body),
  ])

/** A port whose connections are never accepted: the kernel drops them, since its queue is full. */
export async function startBlackHole(): Promise<{ port: number } & AsyncDisposable> {
  const state = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     const server = require('node:net').createServer()
     server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port)
       Atomics.wait(workerData, 0, 0)
     })`,
    { eval: true, workerData: state },
  )
  const [port] = await once(worker, 'message')
  const fillers = Array.from({ length: 4 }, () => createConnection(port, '127.0.0.1').on('error', () => {}))
  const [first] = fillers
  if (first) await once(first, 'connect')
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const filler of fillers) filler.destroy()
      Atomics.store(state, 0, 1)
      Atomics.notify(state, 0)
      await worker.terminate()
    },
  }
}
