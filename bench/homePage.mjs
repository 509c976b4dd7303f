// The requests of an explorer's home page: by one document, and by the REST calls that it is made of.
import { Agent, request } from 'undici'
import { createGateway } from '../dist/gateway.js'
import { startSandbox } from '../packages/sandbox/dist/sandbox.js'

const document = /* GraphQL */ `
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

/** The page is opened by all viewers at once, so many times. */
const times = 10

const newest = 'pagination.limit=10&pagination.reverse=true'

/** The REST calls of the page, none of which has to wait for another. */
const callsOf = (indexers) =>
  indexers.flatMap(({ url }) => [
    `${url}/status`,
    `${url}/indexer/block/v1/avg_blocktime`,
    `${url}/indexer/block/v1/blocks?${newest}`,
    `${url}/indexer/tx/v1/txs?${newest}`,
  ])

/**
 * The requests that one browser sends for the page, and those that the indexers get when so many open it at one moment, as a
 * mean: through the gateway, and by REST.
 */
export async function measureHomePage(viewers) {
  const sandbox = await startSandbox()
  const gateway = await createGateway({
    chains: sandbox.indexers,
    router: { url: sandbox.routerUrl },
    graphiql: false,
  })
  const dispatcher = new Agent({ connections: 64 })
  const send = async (url, options) => {
    const { statusCode, body } = await request(url, { dispatcher, ...options })
    const answer = await body.json()
    if (statusCode !== 200 || answer.errors) throw new Error(`${url} answered ${statusCode}`)
  }
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const views = {
    graph: [() => send(gateway.url, { ...post, body: JSON.stringify({ query: document }) })],
    rest: callsOf(sandbox.indexers).map((url) => () => send(url)),
  }
  const open = (calls) => Promise.all(Array.from({ length: viewers }, () => calls.map((call) => call())).flat())

  const indexers = { graph: 0, rest: 0 }
  for (let time = 0; time < times; time += 1) {
    for (const [name, calls] of Object.entries(views)) {
      sandbox.requests.length = 0
      await open(calls)
      indexers[name] += sandbox.requests.length / times
    }
  }
  await dispatcher.close()
  await gateway.close()
  await sandbox.close()
  return {
    browser: { graph: views.graph.length, rest: views.rest.length },
    indexers,
  }
}
