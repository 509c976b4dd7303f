import { type Document, idOf, operationOf, textOf } from './document.ts'
import { errorOf, PortolanError, type ResponseError, statusError } from './portolanError.ts'
import { deadline, pause, type RetryDelay } from './wait.ts'

/** How a query is sent. */
export interface QueryOptions {
  readonly signal?: AbortSignal | undefined
  /**
   * Called if some fields failed. The query then resolves to the other fields. By default, it rejects, and
   * the error has them as `partialData`.
   */
  readonly onPartial?: ((error: PortolanError) => void) | undefined
}

/** How requests are sent over HTTP. */
export interface Http {
  readonly url: string
  readonly fetch: typeof fetch
  readonly headers: () => Promise<Record<string, string>>
  readonly retryDelay: RetryDelay
  /** Milliseconds after which an answer that has not come is given up. */
  readonly timeout: number
  readonly preferGetForPersistedQueries: boolean
}

interface Result {
  readonly data?: unknown
  readonly errors?: readonly ResponseError[]
}

/** A longer URL is sent by POST. Every browser, proxy and server takes one of this many characters. */
const maxUrl = 2_048

/** Attempts of one query, and the longest wait between two of them in seconds. */
const maxAttempts = 4
const maxWait = 10

/** Retries that a client may have ahead of its successes: a gateway in trouble gets no storm of them. */
const maxSpare = 10
const sparePerSuccess = 0.2

/** Sends queries and mutations. */
export function createQuery(http: Http) {
  const hashes = new Map<string, Promise<string | undefined>>()
  let spare = maxSpare

  /** Sends parameters: by GET if there is a URL with them. */
  const send = async (
    parameters: object,
    url: string | undefined,
    ...[requestId, signal]: [requestId: string, signal: AbortSignal | undefined]
  ) => {
    const limit = deadline(http.timeout, signal)
    try {
      const { 'content-type': type = '', ...others } = await http.headers()
      // Browsers ask for each URL of another origin before they send more headers to it.
      const headers = { ...others, accept: 'application/graphql-response+json, application/json' }
      const post = {
        method: 'POST',
        headers: { ...headers, 'content-type': type, 'x-request-id': requestId },
        body: JSON.stringify(parameters),
      }
      const response = await http.fetch(url ?? http.url, { ...(url ? { headers } : post), signal: limit.signal })
      const result = await readResult(response)
      if (!result || (result.data == null && !result.errors)) throw statusError(response)
      // Errors of the request, such as a refused key, come without data.
      if (!response.ok && result.data == null) {
        throw statusError(response, { errors: result.errors ?? [], requestId })
      }
      return result
    } finally {
      limit.clear()
    }
  }

  /** Names the document by its hash, and sends its text only to a gateway that does not know it. */
  const ask = async (
    text: string,
    isQuery: boolean,
    id: string | undefined,
    variables: unknown,
    ...rest: [requestId: string, signal: AbortSignal | undefined]
  ): Promise<Result> => {
    const hash = hashes.get(text) ?? sha256(text)
    hashes.set(text, hash)
    const sha256Hash = await hash
    const extensions = sha256Hash && { persistedQuery: { version: 1, sha256Hash } }
    const named = id === undefined ? { extensions } : { documentId: id }
    if (id !== undefined || extensions) {
      const isUnknown = ({ errors }: { errors?: readonly ResponseError[] }) =>
        errors?.[0]?.extensions?.code === 'PERSISTED_QUERY_NOT_FOUND'
      const parameters = { ...named, variables }
      const url = isQuery && http.preferGetForPersistedQueries ? urlWith(http.url, parameters) : undefined
      const result = await send(parameters, url, ...rest).catch((error) => {
        if (error instanceof PortolanError && isUnknown(error)) return error as Result
        throw error
      })
      if (!isUnknown(result)) return result
    }
    return send({ query: text, extensions, variables }, undefined, ...rest)
  }

  return async <Data, Variables>(
    document: Document<Data, Variables>,
    variables?: Variables,
    { signal, onPartial }: QueryOptions = {},
  ): Promise<Data> => {
    const text = textOf(document)
    const { kind } = operationOf(text)
    const isMutation = kind === 'mutation'
    const requestId = randomId()
    for (let attempt = 0; ; attempt++) {
      try {
        const { data, errors } = await ask(text, kind === 'query', idOf(document), variables, requestId, signal)
        spare = Math.min(maxSpare, spare + sparePerSuccess)
        if (errors) {
          const error = errorOf(errors, { partialData: data, requestId })
          if (!onPartial || data == null) throw error
          onPartial(error)
        }
        return data as Data
      } catch (cause) {
        if (signal?.aborted) throw signal.reason
        const error = asError(cause, requestId)
        if (attempt + 1 >= maxAttempts || spare < 1 || !mayRetry(error, isMutation)) throw error
        spare--
        await pause(1000 * (error.retryAfter ?? 0) + http.retryDelay(attempt), signal)
      }
    }
  }
}

/** The URL of a GET with these parameters. Undefined if it is too long. */
function urlWith(url: string, parameters: object): string | undefined {
  let whole = url
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    whole += `${whole.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(text)}`
  }
  return whole.length > maxUrl ? undefined : whole
}

/** A mutation is repeated only after a refusal. After a lost connection it may have run. */
const mayRetry = ({ code, status, retryAfter = 0 }: PortolanError, isMutation: boolean) =>
  retryAfter <= maxWait && (status === 429 || (!isMutation && (code === 'NETWORK' || status === 503)))

const asError = (cause: unknown, requestId: string): PortolanError =>
  cause instanceof PortolanError
    ? cause
    : new PortolanError('NETWORK', 'The connection to the gateway was lost.', { cause, requestId })

/** Undefined for what is not JSON, such as the page of a proxy. */
async function readResult(response: Response): Promise<Result | undefined> {
  const text = await response.text()
  try {
    const result: unknown = JSON.parse(text)
    return typeof result === 'object' && result !== null ? result : undefined
  } catch {
    return undefined
  }
}

/** Undefined where pages may not hash: outside of secure contexts, and in React Native. */
async function sha256(text: string): Promise<string | undefined> {
  const bytes = await globalThis.crypto?.subtle?.digest('SHA-256', new TextEncoder().encode(text))
  return bytes && hex(new Uint8Array(bytes))
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const randomId = (): string => Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 8)).join('')
