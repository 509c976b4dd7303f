import { systemTimer, type Timer } from '#kit/clock'
import type { Graph, GraphAnswer, GraphRequest } from './graph.ts'
import { lastEvent } from './watch.ts'

/** Where a graph is, and as whom it is read. */
export interface RemoteGraphOptions {
  readonly url: string
  readonly apiKey?: string | undefined
  /** Default: the timers of this process. */
  readonly clock?: Timer
  /** Default: `fetch` of Node. */
  readonly fetch?: typeof fetch
}

/** Reads a graph by GraphQL over HTTP, and its subscriptions by server-sent events (distinct connections mode). */
export function remoteGraph({ url, apiKey, clock = systemTimer, fetch = globalThis.fetch }: RemoteGraphOptions): Graph {
  const post = (request: GraphRequest, accept: string, signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(request),
      ...(signal && { signal }),
    })
  const query = (request: GraphRequest, signal?: AbortSignal): Promise<GraphAnswer> =>
    post(request, 'application/graphql-response+json, application/json', signal)
      .then(async (response) => (await response.json()) as GraphAnswer)
      .catch(unreachable)
  return {
    query,
    foreignQuery: query,
    async watch(request, options) {
      const abort = new AbortController()
      try {
        const { signal = abort.signal } = options
        const response = await post(request, 'text/event-stream', AbortSignal.any([signal, abort.signal]))
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
        if (!response.body || !isStream) return (await response.json()) as GraphAnswer
        return await lastEvent(eventsOf(response.body), clock, options)
      } catch (error) {
        return unreachable(error)
      } finally {
        abort.abort()
      }
    },
  }
}

/** The events `next` of a stream, until `complete`. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<GraphAnswer> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const part of body) {
    const events = (rest + decoder.decode(part, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const fields = new Map(
        event.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      )
      if (fields.get('event') === 'complete') return
      const data = fields.get('data')
      if (fields.get('event') === 'next' && data) yield JSON.parse(data) as GraphAnswer
    }
  }
}

const unreachable = (error: unknown): GraphAnswer => ({
  errors: [
    {
      message: `The graph could not be read: ${error instanceof Error ? error.message : 'unknown fault'}.`,
      extensions: { code: 'UPSTREAM_UNAVAILABLE' },
    },
  ],
})
