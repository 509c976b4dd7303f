import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of gateways, which does to its connections what networks do. */
export interface FaultyProxy extends AsyncDisposable {
  readonly url: string
  /** Connections opened since the start. */
  readonly opened: number
  /** The ports behind it, which get connections in turn. Can be changed. */
  readonly targets: number[]
  /** Refuses new connections while true. */
  isDown: boolean
  /** Milliseconds by which it delays all bytes. */
  delay: number
  /** Destroys all connections, or those to one port. */
  cut(target?: number): void
  /** Ends the side of the gateway only: clients see an end, but nothing is destroyed. */
  halfClose(): void
  /** Passes nothing more on over the connections that are open, which stay open. */
  freeze(): void
  /**
   * Sends what clients have sent once more, over new connections. A client that has no answer yet gets the second
   * one, as from a proxy that tries again. Other second answers are dropped.
   */
  replay(): void
}

interface Pair {
  readonly client: Socket
  readonly target: number
  gateway: Socket
  readonly sent: Buffer[]
  hasAnswer: boolean
  isFrozen: boolean
}

export async function startProxy(...targets: number[]): Promise<FaultyProxy> {
  const pairs = new Set<Pair>()
  const shadows = new Set<Socket>()
  const state = { targets, isDown: false, delay: 0, opened: 0 }

  const nextTarget = () => targets[state.opened % targets.length] ?? 0
  /** Passes on what a socket gets. One that was replaced has no say any more. */
  const pipe = (pair: Pair, from: Socket, to: () => Socket, onData: (chunk: Buffer) => void) => {
    const isReplaced = () => from !== pair.client && from !== pair.gateway
    from.on('data', (chunk: Buffer) => {
      if (isReplaced()) return
      onData(chunk)
      const pass = () => {
        if (!pair.isFrozen && !isReplaced() && !to().destroyed) to().write(chunk)
      }
      if (state.delay > 0) setTimeout(pass, state.delay)
      else pass()
    })
    from.on('error', () => {})
    from.on('end', () => pair.isFrozen || isReplaced() || to().end())
    from.on('close', () => {
      if (isReplaced()) return
      if (!pair.isFrozen) to().destroy()
      if (to().destroyed) pairs.delete(pair)
    })
  }
  const pipeGateway = (pair: Pair) =>
    pipe(
      pair,
      pair.gateway,
      () => pair.client,
      () => {
        pair.hasAnswer = true
      },
    )
  const server = createServer((client) => {
    client.on('error', () => {})
    if (state.isDown) return void client.destroy()
    state.opened++
    const target = nextTarget()
    const gateway = connect(target, '127.0.0.1')
    const pair: Pair = { client, gateway, target, sent: [], hasAnswer: false, isFrozen: false }
    pairs.add(pair)
    pipe(
      pair,
      client,
      () => pair.gateway,
      (chunk) => pair.sent.push(chunk),
    )
    pipeGateway(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const cut = (target?: number) => {
    for (const pair of [...pairs]) {
      if (target !== undefined && pair.target !== target) continue
      pair.client.destroy()
      pair.gateway.destroy()
    }
  }
  const replayOf = (pair: Pair) => {
    const again = connect(nextTarget(), '127.0.0.1')
    again.on('error', () => {})
    again.write(Buffer.concat(pair.sent))
    if (!pair.hasAnswer) {
      const before = pair.gateway
      pair.gateway = again
      before.destroy()
      return pipeGateway(pair)
    }
    shadows.add(again)
    again.on('close', () => shadows.delete(again)).resume()
    pair.client.once('close', () => again.destroy())
    if (pair.client.destroyed) again.destroy()
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
    replay() {
      for (const pair of [...pairs]) if (!pair.isFrozen && pair.sent.length > 0) replayOf(pair)
    },
    async [Symbol.asyncDispose]() {
      cut()
      for (const shadow of shadows) shadow.destroy()
      server.close()
      await once(server, 'close')
    },
  })
}
