import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Data } from './world.ts'

/** The services whose answers `test/recorded` keeps. */
export type RecordedService = 'indexer' | 'router'

/** An answer of a real service. Bodies that are no JSON are text. */
export interface RecordedAnswer {
  readonly method: 'GET' | 'POST'
  /** Path and query of an indexer, as they were asked for. Of a router, the path alone. */
  readonly path: string
  readonly status: number
  readonly body: Data
}

function readAnswers(service: RecordedService): RecordedAnswer[] {
  const file = join(import.meta.dirname, '..', 'recorded', `${service}.json`)
  const answers = JSON.parse(readFileSync(file, 'utf8')) as (Omit<RecordedAnswer, 'method'> & Partial<RecordedAnswer>)[]
  return answers.map((answer) => ({ method: 'GET', ...answer }))
}

/** All answers in the files, in their order. */
export const recorded: Readonly<Record<RecordedService, readonly RecordedAnswer[]>> = {
  indexer: readAnswers('indexer'),
  router: readAnswers('router'),
}

/** The chain that the indexer was recorded on. */
export const recordedChain = 'evm-1'

/** The path of an answer or of a request, without its query. */
export const pathOf = (target: string): string => target.replace(/\?.*/, '')

/** The name of the list in a page of an indexer. Undefined for another body. */
const listIn = (body: Data): string | undefined =>
  body?.pagination && Object.keys(body).find((key) => Array.isArray(body[key]))

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A page as an indexer would cut it from the longest list of its path: by offset, or below or above a height. */
function cut({ body }: RecordedAnswer, query: URLSearchParams): RecordedAnswer['body'] {
  const name = listIn(body) ?? ''
  const tokenId = query.get('token_id')
  const kept = body[name].filter((row: Data) => tokenId === null || row.nft.token_id === tokenId)
  const isUp = query.get('pagination.reverse') === 'false'
  const rows = isUp ? kept.toReversed() : kept
  const key = Buffer.from(query.get('pagination.key') ?? '', 'base64').toString()
  const { height } = key.startsWith('{') ? JSON.parse(key) : {}
  const isBeyond = (row: Data) => (isUp ? Number(row.height) > height : Number(row.height) < height)
  const start = height === undefined ? Number(key || query.get('pagination.offset') || 0) : rows.findIndex(isBeyond)
  const end = start < 0 ? 0 : start + Number(query.get('pagination.limit') ?? 100)
  const page = start < 0 ? [] : rows.slice(start, end)
  return {
    ...body,
    [name]: page,
    pagination: { ...body.pagination, next_key: end < rows.length ? base64(`${end}`) : null },
  }
}

/** How an indexer sends a record of a list alone: in which property, and which one of the record is in the path. */
const alone: Readonly<Record<string, readonly [property: string, key: string]>> = {
  '/indexer/block/v1/blocks': ['block', 'height'],
  '/indexer/tx/v1/txs': ['tx', 'txhash'],
  '/indexer/tx/v1/evm-txs': ['tx', 'transactionHash'],
}

/** A record that was recorded in the list of its kind alone. */
function recordAlone(path: string): RecordedAnswer | undefined {
  const [, list = '', id] = /^(.*)\/([^/]+)$/.exec(path) ?? []
  const [property = '', key = ''] = alone[list] ?? []
  const page = longestList(recorded.indexer.filter((each) => pathOf(each.path) === list))
  const record = page?.body[listIn(page.body) ?? ''].find((row: Data) => row[key] === id)
  return record && { method: 'GET', path, status: 200, body: { [property]: record } }
}

/** The page with the most records. Undefined if there is no page. */
function longestList(answers: readonly RecordedAnswer[]): RecordedAnswer | undefined {
  const length = ({ body }: RecordedAnswer) => body[listIn(body) ?? ''].length
  return answers.filter(({ body }) => listIn(body)).toSorted((a, b) => length(b) - length(a))[0]
}

/** The status of the transfer whose first transaction has the hash. */
const isStatusOf = (hash: string | null) => (answer: RecordedAnswer) =>
  JSON.stringify(answer.body).toLowerCase().includes(`"tx_hash":"${hash?.toLowerCase()}"`)

/** What a service has answered to a request. Of several answers of a router to a path, the first that succeeded. */
export function recordedAnswer(service: RecordedService, method: string, target: string): RecordedAnswer | undefined {
  const [path = '', search] = target.split('?')
  const query = new URLSearchParams(search)
  const ofPath = recorded[service].filter((each) => each.method === method && pathOf(each.path) === path)
  if (service === 'router') {
    const succeeded = ofPath.filter(({ status }) => status === 200)
    if (path !== '/v2/tx/status') return succeeded[0]
    return succeeded.find(isStatusOf(query.get('tx_hash'))) ?? ofPath.find(({ status }) => status === 404)
  }
  const asked = ofPath.find((answer) => answer.path === target)
  const longest = longestList(ofPath)
  return asked ?? (longest ? { ...longest, body: cut(longest, query) } : recordAlone(path))
}

/** The body of an answer as it is sent. */
export const textOf = ({ body }: RecordedAnswer): string => (typeof body === 'string' ? body : JSON.stringify(body))

/** A real indexer and router, as far as they were recorded. */
export interface RecordedServices extends AsyncDisposable {
  readonly indexerUrl: string
  readonly routerUrl: string
  /** What the router answers to the next requests of a path, in place of its first success. */
  answerWith(answer: RecordedAnswer): void
}

/** Serves the recorded answers on loopback. What was not recorded is a 404, as of a real indexer. */
export async function startRecordedServices(): Promise<RecordedServices> {
  const chosen = new Map<string, RecordedAnswer>()
  const server = createServer((request, response) => {
    const [, service, target] = /^\/(indexer|router)(\/.*)$/.exec(request.url ?? '') ?? []
    const method = request.method ?? ''
    const answer =
      service === 'indexer'
        ? recordedAnswer('indexer', method, target ?? '')
        : (chosen.get(`${method} ${pathOf(target ?? '')}`) ?? recordedAnswer('router', method, target ?? ''))
    const type = typeof answer?.body === 'object' ? 'application/json' : 'text/plain; charset=utf-8'
    request.resume().on('end', () => {
      response.writeHead(answer?.status ?? 404, { 'content-type': type })
      response.end(answer ? textOf(answer) : '[NOT_FOUND]')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    indexerUrl: `http://127.0.0.1:${port}/indexer`,
    routerUrl: `http://127.0.0.1:${port}/router`,
    answerWith: (answer) => void chosen.set(`${answer.method} ${answer.path}`, answer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
