import type { Client } from '@portolan/client'
import type { HooksIo } from '../io.ts'

/** Milliseconds until the first line about a gateway that is away, and between two of them. */
const firstMs = 5_000
const intervalMs = 10_000
/** How long a gateway may take to say that it is there. */
const answerMs = 4_000

/** A client that says on the log, every ten seconds, why its gateway does not answer. */
export interface WatchedClient extends Pick<Client, 'query' | 'subscribe'>, Disposable {}

/** What a gateway is watched with. */
export interface WatchOptions {
  /** Of the graph. Only its host is in the log. */
  readonly url: string
  readonly io: Pick<HooksIo, 'after' | 'log'>
  /** Why the gateway cannot be reached. Undefined if it can. */
  readonly ask?: (url: string) => Promise<string | undefined>
}

/** Watches what waits for a gateway: a query that is under way or got lost, and each subscription that is not open. */
export function watchGateway(client: Pick<Client, 'query' | 'subscribe'>, options: WatchOptions): WatchedClient {
  const { url, io, ask = askGateway } = options
  const { host } = new URL(url)
  const waiting = new Set<unknown>()
  let cancel: (() => void) | undefined
  const look = async () => {
    const fault = (await ask(url)) ?? 'answers, but a request to it is not through yet'
    if (!cancel) return
    io.log(`The gateway at ${host} ${fault}.`)
    cancel = io.after(intervalMs, look)
  }
  const wait = (key: unknown) => {
    waiting.add(key)
    cancel ??= io.after(firstMs, look)
  }
  const arrive = (key: unknown) => {
    waiting.delete(key)
    if (waiting.size > 0) return
    cancel?.()
    cancel = undefined
  }
  const query = async (...asked: Parameters<Client['query']>) => {
    const [document] = asked
    wait(document)
    try {
      const data = await client.query(...asked)
      arrive(document)
      return data
    } catch (error) {
      // One that was lost is sent again later.
      if ((error as { code?: string }).code !== 'NETWORK') arrive(document)
      throw error
    }
  }
  const subscribe = (...asked: Parameters<Client['subscribe']>) => {
    const live = client.subscribe(...asked)
    const update = (status: typeof live.status) =>
      (status === 'connecting' || status === 'offline' ? wait : arrive)(live)
    live.onStatus(update)
    update(live.status)
    return live
  }
  return {
    ...{ query: query as Client['query'], subscribe: subscribe as Client['subscribe'] },
    [Symbol.dispose]() {
      cancel?.()
      cancel = undefined
    },
  }
}

/** Why a gateway cannot be reached, without the path and the parameters of its URL. Undefined if it answers. */
export async function askGateway(url: string): Promise<string | undefined> {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const request = { method: 'POST', headers, body: '{"query":"{ __typename }"}' }
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(answerMs) })
    await response.body?.cancel()
    return response.status >= 500 ? `answers with status ${response.status}` : undefined
  } catch (error) {
    const { name, cause } = error as { name?: string; cause?: { code?: string; errors?: { code?: string }[] } }
    if (name === 'TimeoutError') return `does not answer within ${answerMs / 1_000} seconds`
    return `cannot be reached (${cause?.code ?? cause?.errors?.[0]?.code ?? 'unknown fault'})`
  }
}
