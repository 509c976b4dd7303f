import { readFileSync } from 'node:fs'
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
  /** Of the router: whether the live service sent it, or its public description has it as an example. */
  readonly source?: 'recorded' | 'description'
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
export const listIn = (body: Data): string | undefined =>
  body?.pagination && Object.keys(body).find((key) => Array.isArray(body[key]))

/** The page with the most records. Undefined if there is no page. */
function longestList(answers: readonly RecordedAnswer[]): RecordedAnswer | undefined {
  const length = ({ body }: RecordedAnswer) => body[listIn(body) ?? ''].length
  return answers.filter(({ body }) => listIn(body)).toSorted((a, b) => length(b) - length(a))[0]
}

/** The answer with other records in its page. */
function withRows(page: RecordedAnswer, change: (rows: Data[]) => Data[]): RecordedAnswer {
  const name = listIn(page.body) ?? ''
  return { ...page, body: { ...page.body, [name]: change(page.body[name]) } }
}

/** A page as an indexer cuts it from a whole list: by offset, or above or below a height. */
function cut(whole: RecordedAnswer, query: URLSearchParams): RecordedAnswer {
  const list = listIn(whole.body) ?? ''
  const isUp = query.get('pagination.reverse') === 'false'
  const tokenId = query.get('token_id')
  const key = Buffer.from(query.get('pagination.key') ?? '', 'base64').toString()
  const { height } = key.startsWith('{') ? JSON.parse(key) : { height: undefined }
  const isBeyond = (row: Data) => height === undefined || (isUp ? row.height > height : row.height < height)
  const rows = whole.body[list].filter(
    (row: Data) => isBeyond(row) && (tokenId === null || row.nft.token_id === tokenId),
  )
  const start = Number((key.startsWith('{') ? undefined : key) || query.get('pagination.offset'))
  const end = start + Number(query.get('pagination.limit') ?? 100)
  const pagination = {
    previous_key: null,
    next_key: end < rows.length ? Buffer.from(String(end)).toString('base64') : null,
    total: query.get('pagination.count_total') === 'false' ? '0' : String(whole.body[list].length),
  }
  return { ...whole, body: { [list]: (isUp ? rows.toReversed() : rows).slice(start, end), pagination } }
}

/** The property in which an indexer sends a record of a list alone, and the one of the record that is in the path. */
const alone: Readonly<Record<string, readonly [property: string, key: string]>> = {
  '/indexer/block/v1/blocks': ['block', 'height'],
  '/indexer/tx/v1/txs': ['tx', 'txhash'],
  '/indexer/tx/v1/evm-txs': ['tx', 'transactionHash'],
}

/** What is known of a path by the list of the whole chain: the records of a block or of a trace, or a record alone. */
function fromChainList(path: string): RecordedAnswer | undefined {
  const [, list = '', isOfBlock, id = ''] = /^(.*?)\/(by_height\/)?([^/]+)$/.exec(path) ?? []
  const whole = longestList(recorded.indexer.filter((each) => pathOf(each.path) === list))
  if (whole && isOfBlock) {
    return withRows(whole, (rows) => rows.filter((row) => Number(row.height ?? row.blockNumber) === Number(id)))
  }
  if (whole && list.endsWith('internal-txs')) return withRows(whole, (rows) => rows.filter(({ hash }) => hash === id))
  const [property = '', key = ''] = alone[list] ?? []
  const record = whole?.body[listIn(whole.body) ?? ''].find((row: Data) => row[key] === id)
  return record && { ...whole, body: { [property]: record } }
}

/** The other spelling of the accounts in the paths. An indexer takes both. */
const spellings: Readonly<Record<string, string>> = {
  init14242424242424242424242424242429w6hlltl: '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa8ae',
  init142424242424242424242424242424fzhwnc68s: '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa457',
}

const inHex = (target: string) => target.replace(/init1\w+/, (address) => spellings[address] ?? address)

/** The parameter that orders a list otherwise than by token id, the order of lists without it. */
const orderOf = (target: string): string | undefined => /order_by=(?!token_id)\w+/.exec(target)?.[0]

function ofIndexer(target: string): RecordedAnswer | undefined {
  const path = inHex(pathOf(target))
  const ofPath = recorded.indexer.filter(
    (each) => inHex(pathOf(each.path)) === path && orderOf(each.path) === orderOf(target),
  )
  const asked = ofPath.find((answer) => answer.path === target)
  const found = asked ?? longestList(ofPath) ?? fromChainList(path)
  return asked || !found || !listIn(found.body)
    ? found
    : cut(found, new URLSearchParams(target.slice(pathOf(target).length)))
}

/** Of several answers of a router to a path, the first that succeeded, or the status of the transfer with the hash. */
function ofRouter(method: string, target: string): RecordedAnswer | undefined {
  const ofPath = recorded.router.filter((each) => each.method === method && each.path === pathOf(target))
  const succeeded = ofPath.filter(({ status }) => status === 200)
  if (pathOf(target) !== '/v2/tx/status') return succeeded[0]
  const hash = new URL(target, 'http://router').searchParams.get('tx_hash')
  const names = ({ body }: RecordedAnswer) => JSON.stringify(body).includes(`"tx_hash":"${hash}"`)
  return succeeded.find(names) ?? ofPath.find(({ status }) => status === 404)
}

/** What a service has answered to a request. What was not recorded is made of the longest list that has it. */
export const recordedAnswer = (service: RecordedService, method: string, target: string): RecordedAnswer | undefined =>
  service === 'router' ? ofRouter(method, target) : ofIndexer(target)

/** The answers of the router to a path with a status. */
export const routerAnswers = (path: string, status = 200): RecordedAnswer[] =>
  recorded.router.filter((answer) => answer.path === path && answer.status === status)

/** The body of an answer as it is sent. */
export const textOf = ({ body }: RecordedAnswer): string => (typeof body === 'string' ? body : JSON.stringify(body))
