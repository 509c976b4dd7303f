import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of a port, which does to its connections what networks do. */
export interface FaultyProxy extends AsyncDisposable {
  readonly url: string
  /** Connections opened since the start. */
  readonly opened: number
  /** The port behind it. Can be changed. */
  target: number
  /** Refuses new connections while true. */
  isDown: boolean
  /** Milliseconds by which it delays all bytes. */
  delay: number
  /** Destroys all connections. */
  cut(): void
  /** Ends the side of the gateway only: clients see an end, but nothing is destroyed. */
  halfClose(): void
  /** Passes nothing more on over the connections that are open, which stay open. */
  freeze(): void
}

interface Pair {
  readonly client: Socket
  readonly gateway: Socket
  isFrozen: boolean
}

export async function startProxy(target: number): Promise<FaultyProxy> {
  const pairs = new Set<Pair>()
  const state = { target, isDown: false, delay: 0, opened: 0 }

  const pipe = (pair: Pair, from: Socket, to: Socket) => {
    from.on('data', (chunk) => {
      const pass = () => {
        if (!pair.isFrozen && !to.destroyed) to.write(chunk)
      }
      if (state.delay > 0) setTimeout(pass, state.delay)
      else pass()
    })
    from.on('error', () => {})
    from.on('end', () => pair.isFrozen || to.end())
    from.on('close', () => {
      if (!pair.isFrozen) to.destroy()
      if (to.destroyed) pairs.delete(pair)
    })
  }
  const server = createServer((client) => {
    client.on('error', () => {})
    if (state.isDown) return void client.destroy()
    state.opened++
    const gateway = connect(state.target, '127.0.0.1')
    const pair = { client, gateway, isFrozen: false }
    pairs.add(pair)
    pipe(pair, client, gateway)
    pipe(pair, gateway, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const cut = () => {
    for (const { client, gateway } of pairs) {
      client.destroy()
      gateway.destroy()
    }
  }
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    cut,
    halfClose() {
      for (const { client } of pairs) client.end()
    },
    freeze() {
      for (const pair of pairs) pair.isFrozen = true
    },
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  })
}
