import { createGateway } from '../../../dist/gateway.js'
import { account, places } from '../scenarios.mjs'

/** The gateway of this project, as it is by default but for GraphiQL. */
export async function start(upstreamUrl) {
  const gateway = await createGateway({
    chains: [{ chainId: 'bench-1', url: upstreamUrl, vm: 'wasm', bech32Prefix: 'init' }],
    router: { url: upstreamUrl },
    graphiql: false,
  })
  return { url: gateway.url, close: () => gateway.close() }
}

/** The cursor at each place of the lists. They are opaque, so a gateway that then ends is asked for them. */
export async function readCursors(upstreamUrl) {
  const { url, close } = await start(upstreamUrl)
  const walk = async (open, read) => {
    const cursors = []
    let after = null
    while (cursors.length < places) {
      const page = 'edges { cursor } pageInfo { endCursor }'
      const query = `query ($after: String) { chain { ${open(page)} } }`
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { after } }),
      })
      const { data, errors } = await response.json()
      if (errors) throw new Error(errors[0].message)
      const { edges, pageInfo } = read(data.chain)
      cursors.push(...edges.map(({ cursor }) => cursor))
      after = pageInfo.endCursor
    }
    return (place) => cursors[place]
  }
  const block = await walk(
    (page) => `blocks(first: 100, after: $after) { ${page} }`,
    (chain) => chain.blocks,
  )
  const tx = await walk(
    (page) =>
      `account(address: "${account}") { transactions(first: 100, after: $after) { ${page} } }`,
    (chain) => chain.account.transactions,
  )
  await close()
  return { block, tx }
}
