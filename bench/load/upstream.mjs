// A stand-in for a fast indexer and router: every response is a pure function of the request and is made
// of text, so that it costs a gateway's load test as little as possible. Counts its requests.
import { createServer } from 'node:http'

/** Heights of the chain at first, and transactions in each block. */
export const tip = 1_000_000
export const txsPerBlock = 2

/** 64 hexadecimal digits that look like a hash and cost next to nothing. */
const hashOf = (number) => (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').repeat(8).toUpperCase()
/** The number of a hash. The factor is the inverse of the one above, modulo 2^32. */
const numberOf = (hash) => Math.imul(Number.parseInt(hash.slice(0, 8), 16), 0x0e8b2f51) >>> 0
const pad = (number, length) => String(number).padStart(length, '0')
const timeOf = (height) => new Date(Date.UTC(2026, 0, 1) + height * 1_000).toISOString()

const mostKept = 20_000

/** Keeps the texts that a function made last, so that the stand-in leaves the cores to what is measured. */
function kept(render) {
  const texts = new Map()
  return (number) => {
    const known = texts.get(number)
    if (known !== undefined) return known
    if (texts.size === mostKept) texts.clear()
    const text = render(number)
    texts.set(number, text)
    return text
  }
}
const block = kept(
  (height) =>
    `{"chain_id":"bench-1","height":"${height}","hash":"${hashOf(height)}","block_time":"1000","timestamp":"${timeOf(height)}","gas_used":"${height * 7}","gas_wanted":"${height * 9}","tx_count":"${txsPerBlock}","total_fee":[{"denom":"umin","amount":"150"}],"proposer":{"moniker":"seq-1","identity":"","operator_address":"initvaloper1proposer"}}`,
)

/** The sequence of a transaction counts from 1 over the whole chain. */
const heightOf = (sequence) => Math.ceil(sequence / txsPerBlock)

const events = JSON.stringify(
  Array.from({ length: 8 }, (_, i) => ({
    type: ['coin_spent', 'coin_received', 'transfer', 'message'][i % 4],
    attributes: [
      { key: 'spender', value: 'init142424242424242424242424242424fzhwnc68s', index: true },
      { key: 'amount', value: '150umin', index: true },
    ],
  })),
)

const tx = kept((sequence) => {
  const height = heightOf(sequence)
  return `{"txhash":"${txHash(sequence)}","height":"${height}","codespace":"","code":0,"data":"0A","raw_log":"","logs":[],"info":"","gas_wanted":"200000","gas_used":"${90_000 + (sequence % 1_000)}","tx":{"@type":"/cosmos.tx.v1beta1.Tx","body":{"messages":[{"@type":"/cosmos.bank.v1beta1.MsgSend","from_address":"init142424242424242424242424242424fzhwnc68s","to_address":"init1wllqcgh04444mr53tegtrkdlc970awqhddazg3","amount":[{"denom":"umin","amount":"${sequence}"}]}],"memo":"","timeout_height":"0","extension_options":[],"non_critical_extension_options":[]},"auth_info":{"signer_infos":[{"public_key":{"@type":"/cosmos.crypto.secp256k1.PubKey","key":"A${pad(sequence, 42)}="},"mode_info":{"single":{"mode":"SIGN_MODE_DIRECT"}},"sequence":"${sequence}"}],"fee":{"amount":[{"denom":"umin","amount":"75"}],"gas_limit":"200000","payer":"","granter":""},"tip":null},"signatures":["c2ln"]},"timestamp":"${timeOf(height)}","events":${events}}`
})

const pagination = (key, total = '0') =>
  `"pagination":{"previous_key":null,"next_key":${key === null ? 'null' : `"${Buffer.from(key).toString('base64')}"`},"total":"${total}"}`

/** A keyset page: the key is the last record's, on the last page too. */
function page(field, name, render, query, first, last) {
  const limit = Math.min(Number(query.get('pagination.limit') ?? 100), 1_000)
  const isReverse = query.get('pagination.reverse') !== 'false'
  const key = query.get('pagination.key')
  const bound = key ? Number(/\d+/.exec(Buffer.from(key, 'base64').toString())[0]) : undefined
  const items = []
  let at = isReverse ? Math.min(last, (bound ?? last + 1) - 1) : Math.max(first, (bound ?? first - 1) + 1)
  for (; items.length < limit && at >= first && at <= last; at += isReverse ? -1 : 1) {
    items.push(at)
  }
  const end = items.at(-1)
  const total = query.get('pagination.count_total') === 'true' ? String(last - first + 1) : '0'
  return `{"${field}":[${items.map(render).join()}],${pagination(end === undefined ? null : `{"${name}":${end}}`, total)}}`
}

/** The sequence of the newest transaction at first. */
export const lastTx = tip * txsPerBlock

/** The hash of a transaction. */
export const txHash = (sequence) => hashOf(sequence + tip)

const state = (hash) => {
  const isDone = hash.endsWith('1')
  const word = isDone ? 'STATE_COMPLETED_SUCCESS' : 'STATE_PENDING'
  // A transfer can still change until its funds are released.
  const release = isDone ? '{"chain_id":"bench-1","denom":"umin","amount":"150","released":true}' : 'null'
  const leg = `"state":"${word}","transfer_sequence":[],"next_blocking_transfer":null,"transfer_asset_release":${release},"error":null`
  return `{"transfers":[{${leg}}],${leg},"status":"${word}"}`
}

/** The body for a request while the chain has this height, undefined for what there is not. */
function answer(path, query, height) {
  const [, , kind, , list, at, id] = path.split('/')
  const newest = height * txsPerBlock
  if (path === '/status') {
    return `{"version":"bench","commit_hash":"bench","chain_id":"bench-1","height":${height},"internal_tx_height":${height},"rich_list_height":${height}}`
  }
  if (path === '/v2/tx/status') return state(query.get('tx_hash') ?? '')
  if (kind === 'block' && list === 'blocks') {
    if (at === undefined) return page('blocks', 'height', block, query, 1, height)
    return Number(at) <= height ? `{"block":${block(Number(at))}}` : undefined
  }
  if (kind === 'tx' && list === 'txs') {
    if (at === undefined) return page('txs', 'sequence', tx, query, 1, newest)
    // Every account has every transaction, which makes for pages of any length.
    if (at === 'by_account') return page('txs', 'sequence', tx, query, 1, newest)
    if (at === 'by_height') {
      const last = Number(id) * txsPerBlock
      return page('txs', 'sequence', tx, query, last - txsPerBlock + 1, last)
    }
    return `{"tx":${tx(numberOf(at) - tip)}}`
  }
  return undefined
}

/** Starts the stand-in on a free port. */
export async function startUpstream() {
  let requests = 0
  let latencyMs = 0
  let height = tip
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    requests += 1
    const [path = '', search = ''] = request.url.split('?')
    const body = answer(path, new URLSearchParams(search), height)
    const send = () => {
      const text = body ?? '{"code":5,"message":"not found","details":[]}'
      response.writeHead(body === undefined ? 404 : 200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    }
    if (latencyMs > 0) setTimeout(send, latencyMs)
    else send()
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    takeRequests() {
      const count = requests
      requests = 0
      return count
    },
    /** The height of the chain now. */
    height: () => height,
    /** From now on each response takes so many milliseconds. */
    delay(milliseconds) {
      latencyMs = milliseconds
    },
    /** Adds a block. */
    addBlock() {
      height += 1
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
