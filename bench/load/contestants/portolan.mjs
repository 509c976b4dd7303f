import { createGateway } from '../../../dist/gateway.js'
import { account, pageSize, places } from '../scenarios.mjs'

/** The gateway of this project, as it is by default but for GraphiQL. */
export async function start(upstreamUrl) {
  const gateway = await createGateway({
    chains: [{ chainId: 'bench-1', url: upstreamUrl, vm: 'wasm', bech32Prefix: 'init' }],
    router: { url: upstreamUrl },
    // The cursors are read from another gateway than the one that is measured.
    signingKeys: ['a key of this benchmark with at least 32 bytes'],
    graphiql: false,
  })
  return { url: gateway.url, close: () => gateway.close() }
}

/** It keeps what is final, so it is measured warm too. */
export const keepsFinal = true

const block = {
  count: places.block,
  open: (page) => `blocks(first: 100, after: $after) { ${page} }`,
  read: (chain) => chain.blocks,
}
const tx = {
  count: places.tx,
  open: (page) => `account(address: "${account}") { transactions(first: 100, after: $after) { ${page} } }`,
  read: (chain) => chain.account.transactions,
}

/** The cursors that a list's pages begin after. They are opaque, so the gateway is asked for them. */
async function walk(url, { count, open, read }) {
  const cursors = []
  let after = null
  while (cursors.length < count) {
    const query = `query ($after: String) { chain { ${open('edges { cursor } pageInfo { endCursor }')} } }`
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { after } }),
    })
    const { data, errors } = await response.json()
    if (errors) throw new Error(errors[0].message)
    const { edges, pageInfo } = read(data.chain)
    for (let i = pageSize - 1; i < edges.length; i += pageSize) cursors.push(edges[i].cursor)
    after = pageInfo.endCursor
  }
  return (place) => cursors[place]
}

/** The cursors of a gateway that then ends. */
export async function readCursors(upstreamUrl) {
  const { url, close } = await start(upstreamUrl)
  const [blocks, txs] = await Promise.all([walk(url, block), walk(url, tx)])
  await close()
  return { block: blocks, tx: txs }
}
