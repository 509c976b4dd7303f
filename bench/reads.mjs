// What two pages of an explorer cost through the gateway, and by the REST calls they are made of.
// Client, gateway and indexers share this process and its one thread.
import { Agent, request } from 'undici'
import { createGateway } from '../dist/gateway.js'
import { startSandbox } from '../packages/sandbox/dist/sandbox.js'
import { printTable, quantile, ratio } from './report.mjs'

const rounds = 200
const viewers = 50
const evmChain = 'galley-1'

const home = /* GraphQL */ `
  query Home {
    chains {
      chainId
      name
      averageBlockTimeSeconds
      status { height }
      blocks(first: 10) { nodes { height timestamp transactionCount proposer { moniker } } }
      transactions(first: 10) { nodes { hash height timestamp isSuccessful messages { typeUrl } } }
    }
  }
`

const blockPage = /* GraphQL */ `
  query BlockPage($height: UInt53!) {
    chain(chainId: "${evmChain}") {
      block(height: $height) {
        height
        hash
        timestamp
        gasUsed
        gasWanted
        totalFee { denom amount }
        proposer { moniker operatorAddress }
        transactions(first: 100) { nodes { hash isSuccessful gasUsed messages { typeUrl } } }
        evmTransactions(first: 100) { nodes { hash isSuccessful gasUsed from { hexAddress } to { hexAddress } } }
      }
    }
  }
`

const sandbox = await startSandbox()
const gateway = await createGateway({
  chains: sandbox.indexers,
  router: { url: sandbox.routerUrl },
  graphiql: false,
})
const dispatcher = new Agent({ connections: 64 })
const evmIndexer = sandbox.indexers.find(({ chainId }) => chainId === evmChain)

/** Sends a request; gives the bytes of its answer and the answer. */
async function send(url, options) {
  const { statusCode, body } = await request(url, { dispatcher, ...options })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`)
  return { bytes: Buffer.byteLength(text), answer: JSON.parse(text) }
}

/** One view of a page by a document; gives its requests and bytes. */
async function viewGraph(query, variables) {
  const { bytes, answer } = await send(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  if (answer.errors) throw new Error(JSON.stringify(answer.errors))
  return { requests: 1, bytes }
}

/** One view of a page by REST calls, none of which has to wait for another. */
async function viewRest(urls) {
  const answers = await Promise.all(urls.map((url) => send(url)))
  return { requests: urls.length, bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0) }
}

const newest = 'pagination.limit=10&pagination.reverse=true'
const homeUrls = sandbox.indexers.flatMap(({ url }) => [
  `${url}/status`,
  `${url}/indexer/block/v1/avg_blocktime`,
  `${url}/indexer/block/v1/blocks?${newest}`,
  `${url}/indexer/tx/v1/txs?${newest}`,
])
const blockUrls = (height) => [
  `${evmIndexer.url}/indexer/block/v1/blocks/${height}`,
  `${evmIndexer.url}/indexer/tx/v1/txs/by_height/${height}?pagination.limit=100`,
  `${evmIndexer.url}/indexer/tx/v1/evm-txs/by_height/${height}?pagination.limit=100`,
]

const { answer: status } = await send(`${evmIndexer.url}/status`)
const heightOf = (round) => Number(status.height) - 1_000 - round
const { answer: recent } = await send(
  `${evmIndexer.url}/indexer/block/v1/blocks?pagination.limit=100&pagination.reverse=true`,
)
const { height: fullHeight } = recent.blocks.toSorted((a, b) => b.tx_count - a.tx_count)[0]

const pages = [
  { name: 'home', graph: () => viewGraph(home), rest: () => viewRest(homeUrls) },
  {
    name: 'block, another each time',
    graph: (round) => viewGraph(blockPage, { height: `${heightOf(round)}` }),
    rest: (round) => viewRest(blockUrls(heightOf(round))),
  },
  {
    name: 'block, always the same full one',
    graph: () => viewGraph(blockPage, { height: `${fullHeight}` }),
    rest: () => viewRest(blockUrls(fullHeight)),
  },
]

/** Runs one view; gives its cost, its milliseconds, and the calls the indexers got. */
async function measure(view, round) {
  sandbox.requests.length = 0
  const started = performance.now()
  const cost = await view(round)
  return { ...cost, time: performance.now() - started, calls: sandbox.requests.length }
}

const mean = (views, name) => views.reduce((sum, view) => sum + view[name], 0) / views.length

function rowsOf(graph, rest) {
  const row = (name, of) => [name, ...[of(graph), of(rest)].map((n) => n.toFixed(n < 100 ? 1 : 0))]
  const times = (views) => views.map(({ time }) => time)
  return [
    row('requests of the browser', (views) => mean(views, 'requests')),
    row('requests the indexers got', (views) => mean(views, 'calls')),
    row('bytes the browser got', (views) => mean(views, 'bytes')),
    row('time p50, ms', (views) => quantile(times(views), 0.5)),
    row('time p99, ms', (views) => quantile(times(views), 0.99)),
  ].map(([name, one, other]) => [name, one, other, ratio(Number(other), Number(one))])
}

const columns = ['', 'gateway', 'REST', 'REST / gateway']

for (const page of pages) {
  // Turn by turn, so that both meet the same noise; the first tenth warms up.
  const graph = []
  const rest = []
  for (let round = -rounds / 10; round < rounds; round++) {
    const one = await measure(page.graph, round)
    const other = await measure(page.rest, round)
    if (round < 0) continue
    graph.push(one)
    rest.push(other)
  }
  printTable(`${page.name}, ${rounds} views one after another`, columns, rowsOf(graph, rest))
}

const crowd = (view) => () =>
  Promise.all(Array.from({ length: viewers }, view)).then((views) => ({
    requests: mean(views, 'requests') * viewers,
    bytes: mean(views, 'bytes') * viewers,
  }))
const crowds = { graph: [], rest: [] }
for (let round = 0; round < 10; round++) {
  crowds.graph.push(await measure(crowd(pages[0].graph)))
  crowds.rest.push(await measure(crowd(pages[0].rest)))
}
printTable(`home, ${viewers} viewers at one moment, 10 times`, columns, rowsOf(crowds.graph, crowds.rest))

await dispatcher.close()
await gateway.close()
await sandbox.close()
