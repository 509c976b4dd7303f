// How many upstream requests pages of bridge transfers take, cold and again, for twelve accounts of the sandbox: the traveller, the
// account of the README, and ten that a seed chooses among all whom recent bridge transfers name.
//
//   node bench/transferRequests.mjs [--seed 1] [--router]
import { parseArgs } from 'node:util'
import { createGateway } from '../dist/gateway.js'
import { startSandbox } from '../packages/sandbox/dist/sandbox.js'
import { printTable } from './report.mjs'

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, router: { type: 'boolean' } } })

const document = `query ($address: Address!, $first: Int!) {
  account(address: $address) {
    bridgeTransfers(first: $first) {
      nodes {
        bridge
        state
        departure { chainId formattedAmount transaction { hash } }
        arrival { chainId transaction { hash } }
      }
      unavailableChains { message }
    }
  }
}`

const demo = '0xe68f6048265750f6f3eedd4df39f93cbb4cbf76a'
const pageSizes = [20, 100]

// The time of the network stands still, so that all pages see the same records.
const now = Math.floor(Date.now() / 1_000) * 1_000
const sandbox = await startSandbox({ clock: () => now })

/** Runs with a gateway that has read nothing yet. */
async function withGateway(run) {
  const router = values.router ? { router: { url: sandbox.routerUrl } } : {}
  const gateway = await createGateway({ chains: sandbox.indexers, ...router, graphiql: false, logLevel: 'error' })
  try {
    return await run((query, variables) => ask(gateway.url, query, variables))
  } finally {
    await gateway.close()
  }
}

/** Sends an operation. Resolves to its answer and the upstream requests that it took. */
async function ask(url, query, variables) {
  sandbox.requests.length = 0
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const answer = await response.json()
  return { ...answer, requests: sandbox.requests.length }
}

/** Numbers from 0 to 1, the same ones for a seed (mulberry32). */
function randomOf(seed) {
  let state = Number(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const parties = `query ($chainId: ChainId!, $after: String) {
  chain(chainId: $chainId) {
    transactions(first: 100, after: $after) {
      nodes { bridgeTransfers { departure { account { hexAddress } } arrival { account { hexAddress } } } }
      pageInfo { endCursor }
    }
  }
}`

/** The accounts that the bridge transfers of the newest 500 transactions of each chain name. */
const namedAccounts = () =>
  withGateway(async (send) => {
    const names = new Set()
    for (const { chainId } of sandbox.indexers) {
      let after = null
      for (let pages = 0; pages < 5; pages += 1) {
        const { data } = await send(parties, { chainId, after })
        const { nodes, pageInfo } = data.chain.transactions
        after = pageInfo.endCursor
        const legs = nodes.flatMap(({ bridgeTransfers }) => bridgeTransfers ?? []).flatMap(Object.values)
        for (const { account } of legs) if (account?.hexAddress) names.add(account.hexAddress)
      }
    }
    return [...names].toSorted()
  })

/** What pages of an account take: its rows, how many have both ends, and the requests at first, again, and again. */
const pagesOf = async (name, address) => {
  const rows = []
  for (const first of pageSizes) {
    rows.push(
      await withGateway(async (send) => {
        const [cold, again, warm] = [
          await send(document, { address, first }),
          await send(document, { address, first }),
          await send(document, { address, first }),
        ]
        const { errors, data } = cold
        const problem = errors ? errors[0].message.slice(0, 40) : ''
        const nodes = data?.account?.bridgeTransfers?.nodes ?? []
        const whole = (list) => list.filter((node) => node?.departure?.transaction && node.arrival.transaction).length
        const last = warm.data?.account?.bridgeTransfers?.nodes ?? []
        const ends = `${whole(nodes)}, ${whole(last)}`
        return [name, first, nodes.length, ends, cold.requests, again.requests, warm.requests, problem]
      }),
    )
  }
  return rows
}

const random = randomOf(values.seed)
const named = await namedAccounts()
const chosen = Array.from({ length: 10 }, () => named.splice(Math.floor(random() * named.length), 1)[0])
const accounts = [
  ['traveller', sandbox.traveller],
  ['demo', demo],
  ...chosen.map((address) => [address.slice(0, 10), address]),
]
const columns = ['account', 'first', 'rows', 'both ends, at last', 'cold', 'again', 'warm', '']
const rows = []
for (const [name, address] of accounts) rows.push(...(await pagesOf(name, address)))
printTable(`Upstream requests of pages of bridge transfers, of ${named.length + 10} accounts`, columns, rows)
await sandbox.close()
process.exit()
