import { startSandbox } from '#sandbox/sandbox'
import { createGateway } from '../../gateway.ts'

// V8 compiles a function once it has run often. Until then a page takes ten times as long, and the first people after a start
// would wait for that.

/** The likeliest documents, each with a number that differs from request to request, so that no cache answers. */
const documents: readonly ((number: number) => string)[] = [
  (number) => `{ chain(chainId: "galley-1") { blocks(last: 20, order: ASC) { edges { cursor node { height hash timestamp
    transactionCount proposer { moniker } } } pageInfo { hasNextPage endCursor } } block(height: ${1_000 + number}) { hash } } }`,
  (number) => `{ chain(chainId: "lantern-1") { block(height: ${1_000 + number}) { height transactions(first: 5) {
    nodes { hash isSuccessful actions { kind summary } fee { amount { amount denom formattedAmount } }
    balanceChanges { kind amount denom } } } } } }`,
  (number) => `{ chains { chainId status { height } blocks(first: 3) { nodes { height } }
    block(height: ${1_000 + number}) { timestamp transactions(first: 2) { nodes { hash signers { account { address } } } } } } }`,
  (number) => `{ transfer(chainId: "harbor-1", hash: "${number.toString(16).padStart(62, '0')}01") {
    state outcome hops { state bridge transactions { kind hash } } guidance { sentence } } }`,
  (number) => `{ account(address: "0x${number.toString(16).padStart(40, '0')}") { activity(first: 10) {
    nodes { ... on Transaction { hash actions { summary } } } pageInfo { endCursor } } balances { usdValue } } }`,
]

/** The requests that are open at once. */
const openAtOnce = 8

/**
 * Answers the likeliest documents over a small network of its own for some milliseconds, each at least once, so that the
 * functions on their way are compiled. It opens ports of 127.0.0.1, and closes them again.
 * @throws Error if one of them fails otherwise than by a slow network.
 */
export async function warmUp(milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds
  await using sandbox = await startSandbox()
  const gateway = await createGateway({
    chains: sandbox.indexers.map(({ feeAssets: _, ...chain }) => chain),
    router: { url: sandbox.routerUrl },
    ...{ explorer: false, docs: false, graphiql: false },
  })
  let count = 0
  const ask = async () => {
    do {
      count += 1
      const query = documents[count % documents.length]?.(count)
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query }) })
      const { errors = [] } = (await response.json()) as { errors?: { extensions?: { code?: string } }[] }
      // On a busy machine the simulated network is slow, which is no reason not to start.
      const own = errors.filter(({ extensions }) => !extensions?.code?.startsWith('UPSTREAM_'))
      if (own.length > 0) throw new Error(`A document of the warm-up failed: ${JSON.stringify(own)}`)
    } while (performance.now() < until)
  }
  try {
    await Promise.all(Array.from({ length: openAtOnce }, ask))
  } finally {
    await gateway.close()
  }
}
