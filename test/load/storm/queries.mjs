// Clients that query while a storm or a soak lasts. Their answers may hold errors, but only of the known kinds.
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

const chains = ['harbor-1', 'galley-1', 'lantern-1']
const expected = [
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_REJECTED',
  'UPSTREAM_INVALID_RESPONSE',
  'RATE_LIMITED',
]

const documents = [
  (chain, i) => `{ chain(chainId: "${chain}") { block(height: "${1_000 + i * 53}") { hash } } }`,
  (chain) => `{ chain(chainId: "${chain}") { status { height } averageBlockTimeSeconds } }`,
  (chain) => `{ chain(chainId: "${chain}") { blocks(first: 5) { nodes { hash } } } }`,
  (chain) => `{ chain(chainId: "${chain}") { transactions(first: 5) { totalCount nodes { hash isSuccessful } } } }`,
  (chain, i) =>
    `{ chain(chainId: "${chain}") { a: block(height: "${9_000 + i * 97}") { transactions(first: 3) { nodes { hash } } } nftCollections(first: 2) { nodes { name } } } }`,
  (_, i) =>
    `{ route(input: { amountIn: "${1_000_000 + i}", source: { chainId: "osmosis-1", denom: "uosmo" }, destination: { chainId: "harbor-1", denom: "uinit" } }) { amountOut } }`,
]

/**
 * Starts so many clients that ask one thing after another, with a pause of `pauseMs` milliseconds. If
 * `neverRepeats` is set, no document is asked twice. `stop` waits for the last answers.
 */
export function startQueries(url, clients, { pauseMs = 0, neverRepeats = false } = {}) {
  const dispatcher = new Agent({ connections: clients })
  const counts = { whole: 0, withErrors: 0 }
  const unexpected = new Set()
  let isOver = false
  let asked = 0

  async function ask(client) {
    asked += 1
    const document = documents[asked % documents.length](chains[asked % chains.length], asked)
    const query = neverRepeats ? `query Number${asked} ${document}` : document
    const { statusCode, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${client + 1}` },
      body: JSON.stringify({ query }),
    })
    const { errors = [] } = await body.json()
    counts[errors.length > 0 ? 'withErrors' : 'whole'] += 1
    if (statusCode !== 200 && statusCode !== 429) unexpected.add(`status ${statusCode}`)
    for (const { extensions } of errors) {
      if (!expected.includes(extensions?.code)) unexpected.add(String(extensions?.code))
    }
  }

  const lanes = Array.from({ length: clients }, async (_, client) => {
    while (!isOver) {
      await ask(client).catch((error) => {
        unexpected.add(error.code ?? error.message)
      })
      if (pauseMs > 0) await sleep(pauseMs)
    }
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(lanes)
      await dispatcher.destroy()
      return { ...counts, unexpected: [...unexpected] }
    },
  }
}
