import type { IncomingMessage } from 'node:http'
import type { FetchAPI } from 'graphql-yoga'
import type { Pipeline } from '../operation/pipeline.ts'
import type { Services } from '../services.ts'
import { acceptedRanges } from './mediaType.ts'
import { nameEnd, type OpenStreams } from './openStreams.ts'
import type { SentExchange } from './way.ts'
import { createYogaAdapter, endpoint } from './yoga.ts'

/** Answers requests through yoga. */
export interface YogaPath {
  /** Answers any request to the graph. */
  respond(exchange: SentExchange): Promise<void>
  readonly fetchApi: FetchAPI
}

/** Opens the path through yoga, which serves every request that is not plain. */
export function createYogaPath(
  { formatError, backpressure, compression }: Services,
  pipeline: Pipeline,
  streams: Pick<OpenStreams, 'send'>,
): YogaPath {
  const compressed = (request: IncomingMessage) => (text: string) =>
    compression.compress(request, text, Buffer.byteLength(text))
  const yoga = createYogaAdapter(pipeline, formatError)
  return {
    fetchApi: yoga.fetchAPI,

    async respond({ request, reply, body, sender }) {
      const result = await yoga.fetch(
        `http://localhost${endpoint}${searchOf(request)}`,
        {
          method: request.method ?? 'GET',
          headers: copyHeaders(request),
          ...(body !== undefined && { body }),
        },
        { sender },
      )
      const isStream = result.headers.get('content-type')?.startsWith('text/event-stream')
      if (!result.body || !isStream) return backpressure.sendResponse(reply, sender.client, result, compressed(request))
      await streams.send(reply, backpressure.countParts(nameEnd(result.body), sender.client))
    },
  }
}

/** The query string of a request with its question mark. Empty if it has none. */
export function searchOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

// Yoga reads no other headers, so no others are passed on.
const copyHeaders = ({ headers }: IncomingMessage): Record<string, string> => ({
  // Yoga takes the first range, whatever its weight, and without any range all types.
  accept: acceptedRanges(headers.accept || '*/*').join() || 'none/none',
  'content-type': 'application/json',
})
