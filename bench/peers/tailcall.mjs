import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyCursors } from '../load/graph.mjs'

const page = (isReverse) =>
  `{ key: "pagination.limit", value: "{{.args.first}}" }, { key: "pagination.reverse", value: "${isReverse}" }`
const after = '{ key: "pagination.key", value: "{{.args.after}}", skipEmpty: true }'

/** Renames are done by the program. What has to be computed is JavaScript, its only way to do so. */
const schemaOf = (port, url) => `
schema @server(port: ${port}, hostname: "127.0.0.1", workers: 1)
  @upstream(poolMaxIdlePerHost: 64) @link(type: Script, src: "worker.js") { query: Query }
type Query {
  chain: Chain @expr(body: {})
  transfer(chainId: String!, hash: String!): Transfer @http(url: "${url}/v2/tx/status", query: [
    { key: "chain_id", value: "{{.args.chainId}}" }, { key: "tx_hash", value: "{{.args.hash}}" }
  ])
}
type Transfer { state: String @js(name: "word") }
type Chain {
  blocks(first: Int!, after: String): Blocks
    @http(url: "${url}/indexer/block/v1/blocks", query: [${page(true)}, ${after}])
  account(address: String!): Account @expr(body: { address: "{{.args.address}}" })
}
type Account {
  address: String!
  transactions(first: Int!, after: String): Transactions
    @http(url: "${url}/indexer/tx/v1/txs/by_account/{{.value.address}}", query: [${page(true)}, ${after}])
}
type Blocks { blocks: [Block!]! @modify(name: "nodes"), pageInfo: PageInfo! @js(name: "pageInfo") }
type PageInfo { hasNextPage: Boolean! }
type Proposer { moniker: String }
type Block {
  height: String!, hash: String, timestamp: String, proposer: Proposer
  tx_count: String @modify(name: "transactionCount"), gas_used: String @modify(name: "gasUsed")
  transactions(first: Int!): Transactions
    @http(url: "${url}/indexer/tx/v1/txs/by_height/{{.value.height}}", query: [${page(false)}])
}
type Transactions { txs: [Transaction!]! @modify(name: "nodes") }
type Transaction {
  txhash: String @modify(name: "hash"), gas_used: String @modify(name: "gasUsed")
  isSuccessful: Boolean @js(name: "isZero")
  messages: [Message!]! @expr(body: "{{.value.tx.body.messages}}")
}
type Message { typeUrl: String @js(name: "typeUrl") }
`

const worker = `
function isZero(text) { return JSON.stringify(JSON.parse(text).code === 0) }
function word(text) { return JSON.stringify(JSON.parse(text).state.replace('STATE_', '')) }
function typeUrl(text) { return JSON.stringify(JSON.parse(text)['@type']) }
function pageInfo(text) {
  return JSON.stringify({ hasNextPage: JSON.parse(text).blocks.at(-1).height !== '1' })
}
`

async function findFreePort() {
  const server = createServer()
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address()
  await new Promise((done) => server.close(done))
  return port
}

/** Microseconds of CPU and resident bytes of a process, of which Linux counts the first in 10 ms. */
function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return { cpuMicros: (Number(fields[11]) + Number(fields[12])) * 10_000, rss: pages * 4_096 }
}

async function waitUntilUp(url) {
  for (let tries = 0; tries < 100; tries += 1) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await sleep(50)
  }
  throw new Error('tailcall does not listen')
}

/** Tailcall, a gateway in Rust that is configured by its schema. It exits with this process. */
export async function start(upstreamUrl) {
  const program = import.meta
    .resolve('@tailcallhq/core-linux-x64-gnu/package.json')
    .slice('file://'.length)
    .replace('package.json', 'bin/tailcall')
  const folder = mkdtempSync(join(tmpdir(), 'tailcall-'))
  const port = await findFreePort()
  writeFileSync(join(folder, 'schema.graphql'), schemaOf(port, upstreamUrl))
  writeFileSync(join(folder, 'worker.js'), worker)
  const child = spawn(program, ['start', join(folder, 'schema.graphql')], {
    stdio: 'ignore',
    env: { ...process.env, TAILCALL_TRACKER: 'false', TAILCALL_LOG_LEVEL: 'error' },
  })
  process.once('exit', () => {
    child.kill()
    rmSync(folder, { recursive: true })
  })
  const origin = `http://127.0.0.1:${port}`
  await waitUntilUp(origin)
  return { url: `${origin}/graphql`, usage: () => usageOf(child.pid) }
}

/** Its cursors are the keys of the upstream. */
export const readCursors = keyCursors

/** The mixed load uses scalars that it does not have. */
export const leavesOut = ['mixed']
