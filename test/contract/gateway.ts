import { setTimeout as pause } from 'node:timers/promises'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../../src/testing.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is in the document beside it
export type Data = any

/** A request to the gateway. A document is posted as JSON, unless the request says otherwise. */
export interface Request {
  readonly query?: string
  readonly variables?: object
  readonly method?: string
  /** A path with its query string. Default: the graph. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body in place of one made of the document. */
  readonly body?: string
  /** How upstreams fail meanwhile: a service, the start of a target, and the fault. */
  readonly faults?: readonly (readonly [string, string, Parameters<TestGateway['sandbox']['faults']['set']>[2]])[]
  /** Milliseconds that pass before it is sent. */
  readonly after?: number
  /** Whether time passes until the answer is there. */
  readonly isSlow?: boolean
}

/** An answer over HTTP, without what differs from run to run. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Data
}

/** Headers whose values differ from run to run, or that Node sets. */
const changing = ['date', 'x-request-id', 'keep-alive', 'connection', 'content-length', 'transfer-encoding']

const settledHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !changing.includes(name)))

/** Parts of a body whose values differ from run to run: ids of requests, and tokens, which begin with random bytes. */
const changingKeys = ['requestId', 'routeToken']

/** An answer without what differs from run to run. */
const settledBody = (text: string, isJson: boolean): Data =>
  isJson && text !== ''
    ? JSON.parse(text, (key, value) => {
        if (changingKeys.includes(key)) return undefined
        // Errors of one moment have no order.
        return key === 'errors' && Array.isArray(value) ? value.toSorted(byText) : value
      })
    : text.slice(0, 200)

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** A gateway whose only door is its URL. Only the test moves its time, and its network is the same each time. */
export interface ContractGateway extends AsyncDisposable {
  readonly url: string
  readonly sandbox: TestGateway['sandbox']
  readonly advance: TestGateway['advance']
  send(request: Request): Promise<Answer>
  /** The data of a document that has to succeed. */
  data(query: string, variables?: object): Promise<Data>
  /** The upstream requests since the last look, sorted: those of one moment have no order. */
  sent(): string[]
}

/** The explorer and the docs are served only if somebody has built them, and GraphiQL links to those that are served. */
const sitesOff = { explorer: false, docs: false }

/** The records of the default network, which all sandboxes of it share: to compute them takes most of the time of a test. */
let records: TestGatewayOptions['records']

/** Starts a gateway over a sandbox. Its answers do not depend on what is built. */
export async function startContractGateway(options: TestGatewayOptions = {}): Promise<ContractGateway> {
  const { seed, chains, odd } = options
  const isDefault = [seed, chains, odd].every((option) => option === undefined)
  const gateway = await startTestGateway({
    transfersBeginAnew: false,
    ...(isDefault && records && { records }),
    ...options,
    gateway: { ...sitesOff, ...options.gateway },
  })
  if (isDefault) records ??= gateway.sandbox.records
  const { url, sandbox, advance } = gateway
  const fetched = async ({ query, variables, path = '', ...request }: Request): Promise<Answer> => {
    const isPost = request.method === undefined
    const body = isPost ? (request.body ?? JSON.stringify({ query, variables })) : request.body
    const response = await fetch(new URL(path, url), {
      method: request.method ?? 'POST',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body !== undefined && { body }),
    })
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: settledHeaders(response.headers),
      body: settledBody(await response.text(), isJson),
    }
  }
  const send: ContractGateway['send'] = async ({ faults = [], after = 0, isSlow = false, ...request }) => {
    if (after > 0) await advance(after)
    for (const [service, prefix, fault] of faults) sandbox.faults.set(service, prefix, fault)
    let isDone = false
    const answer = fetched(request).finally(() => {
      isDone = true
    })
    while (isSlow && !isDone) {
      // A request needs real time to reach an upstream.
      await pause(5)
      await advance(500)
    }
    const settled = await answer
    sandbox.faults.clear()
    return settled
  }
  return {
    ...{ url, sandbox, advance, send },
    async data(query, variables = {}) {
      const { body } = await send({ query, variables })
      if (body.errors) throw new Error(JSON.stringify(body.errors))
      return body.data
    },
    sent: () => sandbox.requests.splice(0).toSorted(),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  }
}
