import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy in front of a port on loopback, which passes everything on later. */
export interface SlowProxy extends AsyncDisposable {
  readonly port: number
  /** Milliseconds for each direction. */
  delayMs: number
  /** Set to this text, all that the server answers. */
  garbage: string | undefined
}

export async function startSlowProxy(target: number): Promise<SlowProxy> {
  const state: { delayMs: number; garbage: string | undefined } = {
    ...{ delayMs: 0, garbage: undefined },
  }
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket, change: (chunk: Buffer) => Buffer | string) => {
    sockets.add(from)
    from.on('data', (chunk) => {
      if (state.delayMs === 0) to.write(change(chunk))
      else setTimeout(() => to.write(change(chunk)), state.delayMs)
    })
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    pass(client, upstream, (chunk) => chunk)
    pass(upstream, client, (chunk) => state.garbage ?? chunk)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    get delayMs() {
      return state.delayMs
    },
    set delayMs(delayMs) {
      state.delayMs = delayMs
    },
    get garbage() {
      return state.garbage
    },
    set garbage(garbage) {
      state.garbage = garbage
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
