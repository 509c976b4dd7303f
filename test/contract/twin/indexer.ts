import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type KeyForm, keyForms } from './keys.ts'
import {
  account,
  block,
  chainId,
  collection,
  evmTransaction,
  holder,
  internalTransaction,
  type Json,
  nft,
  nftCollection,
  type Row,
  tokenId,
  transaction,
  typeOf,
} from './records.ts'

// An indexer that knows only the contract. Where the contract is silent, a test chooses what it does.

/** What the contract leaves open. */
export interface IndexerChoices {
  readonly records: number
  /** Whether the numbers in its table have no gaps, so that they can be equal to a count of records by chance. */
  readonly isDense: boolean
  readonly keys: keyof typeof keyForms
  /** The most records of a page, whatever limit is asked for. */
  readonly cap: number
  /** Whether pages say how many records there are. */
  readonly hasTotals: boolean
  readonly hasPreviousKey: boolean
  /** What the last page of a list has in place of a next key. */
  readonly atTheEnd: 'null' | 'absent' | 'empty' | 'a key'
  /** What becomes of `pagination.offset`. The contract says that it skips records. */
  readonly offset: 'works' | 'is ignored' | 'is refused'
  readonly msgs: 'works' | 'fails with 500' | 'is ignored'
  /** Whether the route of `swagger/doc.json` is served. */
  readonly hasDescription: boolean
}

export const plainChoices: IndexerChoices = {
  records: 24,
  isDense: false,
  keys: 'random texts',
  cap: 10,
  hasTotals: false,
  hasPreviousKey: false,
  atTheEnd: 'null',
  offset: 'works',
  msgs: 'works',
  hasDescription: false,
}

/** A refusal. The contract names neither statuses nor bodies of errors. */
class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** One record of a list, by the number that it has in the indexer's own table. */
interface Entry {
  readonly serial: number
  readonly row: Row
  readonly types?: readonly string[]
}

/** Starts the indexer on a free port of loopback. */
export async function startTwinIndexer(choices: IndexerChoices) {
  const forms = new Map<string, KeyForm>()
  const formOf = (list: string): KeyForm => {
    const form = forms.get(list) ?? keyForms[choices.keys]?.()
    if (!form) throw new Error(`no form ${choices.keys}`)
    forms.set(list, form)
    return form
  }
  const requests: string[] = []
  let newest = choices.records
  let madeKeys = 0

  /** Numbers of records, the oldest first. */
  const numbers = () => Array.from({ length: newest }, (_, i) => i + 1)
  // The table of an indexer has gaps, and other records between those of one list.
  const entries = (make: (number: number) => Row, types?: (number: number) => string[]): Entry[] =>
    numbers().map((number) => ({
      serial: choices.isDense ? number : 3 * number + (number % 2),
      row: make(number),
      ...(types && { types: types(number) }),
    }))
  const transactions = () => entries(transaction, (number) => [typeOf(number)])

  function page(list: string, name: string, all: readonly Entry[], query: URLSearchParams): Json {
    const isDescending = query.get('pagination.reverse') !== 'false'
    const types = query.getAll('msgs').flatMap((value) => value.split(','))
    if (types.length > 0 && choices.msgs === 'fails with 500') throw new Refusal(500, 'internal')
    const isChosen = ({ types: own }: Entry) =>
      types.length === 0 || choices.msgs === 'is ignored' || own?.some((type) => types.includes(type)) === true
    const listed = all.filter(isChosen)
    const ordered = isDescending ? listed.toReversed() : listed
    const form = formOf(`${list} ${isDescending}`)
    const [key, offset] = [query.get('pagination.key'), query.get('pagination.offset')]
    if (key !== null && offset !== null) throw new Refusal(400, 'key and offset')
    if (offset !== null && choices.offset === 'is refused') throw new Refusal(422, 'no offsets')
    if (key !== null && form.read(key) === undefined) madeKeys += 1
    const start = startOf(ordered, isDescending, form, key, choices.offset === 'works' ? offset : null)
    const limit = Math.min(Number(query.get('pagination.limit') ?? 100), choices.cap)
    const rows = ordered.slice(start, start + limit)
    const last = rows.at(-1)
    const isEnd = start + limit >= ordered.length
    const next = last && form.write(last.serial, start + rows.length)
    const end = { null: { next_key: null }, absent: {}, empty: { next_key: '' }, 'a key': { next_key: next ?? null } }
    return {
      [name]: rows.map(({ row }) => row),
      pagination: {
        ...(isEnd ? end[choices.atTheEnd] : { next_key: next ?? null }),
        ...(choices.hasPreviousKey && { previous_key: rows[0] ? form.write(rows[0].serial, start) : null }),
        ...(choices.hasTotals && query.get('pagination.count_total') !== 'false' && { total: String(listed.length) }),
      },
    }
  }

  function respond(url: URL): Json {
    const path = url.pathname.split('/').filter((part) => part !== '')
    const query = url.searchParams
    const list = url.pathname
    const [root, kind, , ...rest] = path
    if (root === 'status' && path.length === 1) return status()
    if (root === 'swagger' && choices.hasDescription) return { swagger: '2.0', paths: {} }
    if (root !== 'indexer') throw new Refusal(404, 'no such route')
    const [what, of, third] = rest.map(decodeURIComponent)
    switch (`${kind} ${what}`) {
      case 'block avg_blocktime':
        return { avg_block_time: 2 }
      case 'block blocks':
        if (of === undefined)
          return page(
            list,
            'blocks',
            entries(block).map((each, i) => ({ ...each, serial: i + 1 })),
            query,
          )
        return { block: found(numbers().includes(Number(of)) ? block(Number(of)) : undefined) }
      case 'tx txs':
        if (of === undefined) return page(list, 'txs', transactions(), query)
        if (of === 'by_account') return page(list, 'txs', isAccount(third) ? transactions() : [], query)
        if (of === 'by_height')
          return page(
            list,
            'txs',
            transactions().filter(({ row }) => row.height === third),
            query,
          )
        return { tx: found(transactions().find(({ row }) => row.txhash === of.replace(/^0x/, '').toUpperCase())?.row) }
      case 'tx evm-txs':
        if (of !== 'by_account') throw new Refusal(404, 'no such route')
        return page(list, 'txs', isAccount(third) ? entries(evmTransaction) : [], query)
      case 'tx evm-internal-txs':
        if (of !== undefined) throw new Refusal(404, 'no such route')
        return page(list, 'internal_txs', entries(internalTransaction), query)
      case 'nft collections':
        if (of === undefined) return page(list, 'collections', entries(nftCollection), query)
        if (of === 'by_account') return page(list, 'collections', isAccount(third) ? entries(nftCollection) : [], query)
        if (of === 'by_name') {
          const named = entries(nftCollection).filter(({ row }) => JSON.stringify(row).includes(third ?? ''))
          return page(list, 'collections', named, query)
        }
        return { collection: found(entries(nftCollection).find(({ row }) => row.object_addr === of)?.row) }
      case 'nft tokens': {
        const isOwn = of === 'by_account' ? isAccount(third) : third === collection
        const wanted = query.get('token_id')
        const tokens = entries(nft).filter(
          (_, i) => isOwn && (wanted === null || tokenId(i + 1) === wanted) && isOfCollection(query),
        )
        return page(`${list} ${query.get('order_by')}`, 'tokens', tokens, query)
      }
      case `nft txs`:
        return page(list, 'txs', of === collection && third !== undefined ? transactions() : [], query)
    }
    if (kind === 'richlist') return page(list, 'holders', entries(holder), query)
    throw new Refusal(404, 'no such route')
  }

  const status = (): Json => ({
    version: 'v9.9.9',
    commit_hash: 'abcdef',
    chain_id: chainId,
    height: newest,
    internal_tx_height: newest,
    rich_list_height: newest,
  })

  const server = createServer((request: IncomingMessage, response) => {
    const target = request.url ?? '/'
    requests.push(target)
    const send = (code: number, body: string) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(body)
    try {
      send(200, JSON.stringify(respond(new URL(target, 'http://twin'))))
    } catch (error) {
      if (error instanceof Refusal) send(error.status, JSON.stringify({ fault: error.message }))
      else send(500, JSON.stringify({ fault: String(error) }))
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Targets of the requests since the last look. */
    takeRequests: () => requests.splice(0),
    /** Adds a record to the newest end of each list. */
    arrive() {
      newest += 1
    },
    /** How many keys were sent that this indexer has not made. */
    get madeKeys() {
      return madeKeys
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Where in its order a list begins: after what a key names, or after as many records as the offset says. */
function startOf(
  ordered: readonly Entry[],
  isDescending: boolean,
  form: KeyForm,
  key: string | null,
  offset: string | null,
): number {
  if (key === null) return Number(offset ?? 0)
  const place = form.read(key)
  if (place === undefined) throw new Refusal(400, 'key')
  if (form.isCount) return place
  const index = ordered.findIndex(({ serial }) => (isDescending ? serial < place : serial > place))
  return index < 0 ? ordered.length : index
}

const isAccount = (text: string | undefined): boolean => text === account.hex || text === account.bech32

const isOfCollection = (query: URLSearchParams): boolean => {
  const wanted = query.get('collection_addr')
  return wanted === null || wanted === collection
}

function found(row: Row | undefined): Row {
  if (row === undefined) throw new Refusal(404, 'none')
  return row
}
