import type { Operation } from './document.ts'
import { errorOf, PortolanError, type ResponseError } from './portolanError.ts'
import { type Ending, held, type Sink, type Subscribe } from './transport.ts'
import { onWake } from './wait.ts'

/** How a client opens its socket. */
export interface SocketOptions {
  readonly url: string
  readonly webSocketImpl: typeof WebSocket
  /** The payload of `connection_init`. */
  readonly hello: () => Promise<object>
  /** Milliseconds after which a silent socket is asked for a sign of life, and given up after as many more. */
  readonly keepAlive: number
  /** Called when a socket works, and when one never did. */
  readonly onTried: (outcome: SocketOutcome) => void
}

/** `held`: it opened, but nothing came over it. */
export type SocketOutcome = 'works' | 'failed' | 'held'

interface Message {
  readonly type: string
  readonly id?: string
  readonly payload?: unknown
}

/** Milliseconds that a socket without subscriptions stays open, as between two mounts of a component. */
const lingerMs = 500
const shortWaitMs = 3_000
/** Close codes for a client that may not connect, and for a fault of the gateway. */
const refusals = [4401, 4403]
const fault = 4500

/**
 * All subscriptions of a client over one socket, by the protocol `graphql-transport-ws`
 * (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md).
 */
export function createSockets(options: SocketOptions): Subscribe {
  let open: ReturnType<typeof openSocket> | undefined
  return (operation, sink) => {
    if (!open || open.isOver()) open = openSocket(options)
    return open.add(operation, sink)
  }
}

function openSocket({ url, webSocketImpl, hello, keepAlive, onTried }: SocketOptions) {
  const socket = new webSocketImpl(url, 'graphql-transport-ws')
  const operations = new Map<string, { readonly operation: Operation; readonly sink: Sink }>()
  let count = 0
  let isReady = false
  let greetedAt = Number.POSITIVE_INFINITY
  let isOver = false
  // A socket is seen when a message arrives. One that was not seen for a whole turn is given up.
  let isSeen = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let linger: ReturnType<typeof setTimeout> | undefined

  const send = (message: Message) => socket.send(JSON.stringify(message))
  const start = (id: string, { operation, sink }: { operation: Operation; sink: Sink }) => {
    send({ type: 'subscribe', id, payload: operation })
    sink.opened()
  }
  const finish = (id: string, ending: Ending) => {
    const { sink } = operations.get(id) ?? {}
    leave(id)
    sink?.end(ending)
  }
  const over = (ending: Ending) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    clearTimeout(linger)
    stopWaking()
    const isHeld = ending.kind === 'lost' && ending.problem
    if (!isReady && operations.size > 0) onTried(isHeld ? 'held' : 'failed')
    socket.close()
    for (const id of [...operations.keys()]) finish(id, ending)
  }
  const lose = () => over({ kind: 'lost' })
  const leave = (id: string) => {
    operations.delete(id)
    if (operations.size === 0 && !isOver) linger = setTimeout(lose, lingerMs)
  }
  const check = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // What has just woken gets a short time only, which says nothing about proxies.
      const isHeld = !isReady && Date.now() - greetedAt > keepAlive / 2
      if (!isSeen) return isHeld ? over(held()) : lose()
      beat(keepAlive)
    }, ms)
  }
  const beat = (ms: number) => {
    isSeen = false
    if (isReady) send({ type: 'ping' })
    check(ms)
  }
  const stopWaking = onWake(() => beat(shortWaitMs))
  check(keepAlive)
  isSeen = false

  const receive = ({ type, id = '', payload }: Message) => {
    isSeen = true
    if (type === 'connection_ack') {
      isReady = true
      onTried('works')
      for (const [key, entry] of operations) start(key, entry)
    } else if (type === 'ping') send({ type: 'pong' })
    else if (type === 'next') operations.get(id)?.sink.next(payload as object)
    else if (type === 'complete') finish(id, { kind: 'complete' })
    else if (type === 'error') {
      finish(id, { kind: 'failed', error: errorOf(payload as ResponseError[]) })
    }
  }

  socket.onopen = async () => {
    const payload = await hello().catch(lose)
    if (!payload || isOver) return
    send({ type: 'connection_init', payload })
    greetedAt = Date.now()
    check(keepAlive)
  }
  socket.onmessage = ({ data }) => {
    if (isOver) return
    try {
      receive(JSON.parse(data))
    } catch {
      lose()
    }
  }
  // The close event that follows has the cause.
  socket.onerror = () => {}
  socket.onclose = ({ code, reason }) => {
    const isRefused = refusals.includes(code)
    if (!isRefused && code !== fault) return lose()
    const error = new PortolanError(isRefused ? 'UNAUTHENTICATED' : 'INTERNAL_SERVER_ERROR', reason)
    over({ kind: isRefused ? 'refused' : 'failed', error })
  }

  return {
    isOver: () => isOver,
    add(operation: Operation, sink: Sink) {
      clearTimeout(linger)
      const id = String(++count)
      const entry = { operation, sink }
      operations.set(id, entry)
      if (isReady) start(id, entry)
      return () => {
        if (!operations.has(id)) return
        if (isReady) send({ type: 'complete', id })
        leave(id)
      }
    },
  }
}
