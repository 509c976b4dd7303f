import type { IncomingMessage } from 'node:http'
import { parseJson } from '../../engine/wire/exactJson.ts'
import type { CacheableResult } from '../operation/operation.ts'
import type { Sender } from '../operation/sender.ts'
import { acceptedRanges } from './mediaType.ts'
import type { SentExchange } from './way.ts'

// What yoga needs of the classes of Fetch. Those of Node and of yoga are made for any request and any response, and take
// three times as long as a small operation.

/** The path of the graph. */
export const endpoint = '/graphql'

/** A request that has arrived completely, as yoga reads it. It brings the sender of its operation. */
export class GraphRequest {
  readonly method: string
  readonly url: string
  readonly headers: { get(name: string): string | null }
  readonly sender: Sender
  /** Says the same for each request with this answer: what it accepts, and its body or its query string. */
  readonly key: string
  /** Set once the operation has run, if its result may be sent again. */
  cacheable: CacheableResult | undefined = undefined
  /** Whether its answer was made for another request. */
  isRepeated = false
  readonly #body: string | undefined

  constructor({ request, body, sender }: SentExchange) {
    const search = searchOf(request)
    this.method = request.method ?? 'GET'
    this.url = `http://localhost${endpoint}${search}`
    this.headers = headersOf(request)
    this.sender = sender
    this.key = `${request.headers.accept ?? ''}\n${body ?? search}`
    this.#body = body
  }

  /** The parameters in the body, with all digits of their numbers. Throws a `SyntaxError` if they are not JSON. */
  json(): unknown {
    return parseJson(this.#body ?? '')
  }
}

/** The query string of a request with its question mark. Empty if it has none. */
function searchOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

/** The headers that yoga reads. Other media types of a body have been refused. */
const headersOf = ({ headers }: IncomingMessage): GraphRequest['headers'] => ({
  get(name) {
    if (name === 'content-type') return 'application/json'
    // Yoga takes the first range, whatever its weight, and without any range all types.
    return name === 'accept' ? acceptedRanges(headers.accept || '*/*').join() || 'none/none' : null
  },
})

/** A response of yoga: a text, a stream of events, or nothing. */
export class GraphResponse {
  readonly status: number
  /** Names in lower case, and values, in turn. */
  readonly headers: readonly string[]
  /** Empty for a stream. */
  readonly text: string
  /** Bytes of the text in UTF-8. */
  readonly length: number
  readonly stream: ReadableStream<Uint8Array> | undefined

  constructor(
    body: string | ReadableStream<Uint8Array> | null = null,
    { status = 200, headers = {} }: ResponseHead = {},
  ) {
    const isStream = body instanceof ReadableStream
    this.status = status
    this.headers = Object.entries(headers).flatMap(([name, value]) => [name.toLowerCase(), value])
    this.text = isStream ? '' : (body ?? '')
    this.length = Buffer.byteLength(this.text)
    this.stream = isStream ? body : undefined
  }
}

interface ResponseHead {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

// Yoga and its types want the whole classes. It uses no more of them than is here.

/** A request as yoga takes it. */
export const asRequest = (request: Pick<Request, 'method' | 'url'>): Request => request as Request

/** A response as yoga takes it. */
export const asResponse = (response: Pick<Response, 'status'>): Response => response as Response

/** The classes that yoga makes responses of. */
export const fetchApi = { Response: GraphResponse as unknown as typeof Response, ReadableStream }
