// What the router gets when transfers are watched to their end: by subscribers of the gateway, which shares one poll among all
// who watch a transfer, and by clients that poll the router themselves. The sandbox and the gateway are processes of their own.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { Agent, request } from 'undici'
import { WebSocket } from 'ws'
import { startRole } from './roles.mjs'

const chainId = 'harbor-1'
const pollEvery = 1_000
/** Milliseconds after which a watcher that has seen no end is given up. */
const patience = 60_000

// The last two digits of a hash choose how the sandbox lets its transfer end: arrived in one to three
// hops, refunded, stranded, two in one, behind a rate limit, and behind a router that fails.
const endings = ['00', '01', '02', '00', '01', '02', 'e0', 'e1', 'e5', 'ec', 'ed']

/** The hash of a transfer; another salt gives other transfers. */
const hashOf = (index, salt) =>
  createHash('sha256').update(`${salt}/${index}`).digest('hex').slice(0, 62) + endings[index % endings.length]

const document = /* GraphQL */ `
  subscription Watch($chainId: ChainId!, $txHash: String!) {
    transfer(chainId: $chainId, hash: $txHash) {
      state
      outcome
      isTerminal
      hops { state }
    }
  }
`

/** Subscribes on a socket of its own; resolves when it has seen the end, and else with what it saw instead. */
function subscribe(url, txHash) {
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 })
  let last
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(`no end after ${patience} ms, last ${JSON.stringify(last)}`), patience)
    const finish = (missed) => {
      clearTimeout(timer)
      resolve(missed)
      client.dispose()
    }
    client.subscribe(
      { query: document, variables: { chainId, txHash } },
      {
        next: (event) => {
          last = event
        },
        error: (error) => finish(`${txHash}: ${error.message ?? `closed with ${error.code} ${error.reason}`}`),
        complete: () => finish(last?.data?.transfer.isTerminal ? undefined : `${txHash}: ${JSON.stringify(last)}`),
      },
    )
  })
}

/** Tracks, then asks for the status each second; resolves like `subscribe`. */
async function poll(url, dispatcher, txHash) {
  const started = performance.now()
  let text
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ tx_hash: txHash, chain_id: chainId })
  const tracked = await request(`${url}/v2/tx/track`, { dispatcher, ...post, body })
  await tracked.body.dump()
  while (performance.now() - started < patience) {
    const target = `${url}/v2/tx/status?chain_id=${chainId}&tx_hash=${txHash}`
    const { statusCode, body: answer } = await request(target, { dispatcher })
    text = await answer.text()
    if (statusCode === 200 && JSON.parse(text).status === 'STATE_COMPLETED') return undefined
    await sleep(pollEvery)
  }
  return `no end after ${patience} ms, last ${text}`
}

/**
 * The status calls that the router gets from so many watchers, who begin within a second and each see the end: through the
 * gateway, and by REST.
 */
export async function measureWatch({ watchers, transfers }) {
  const sandbox = await startRole('sandbox')
  const gateway = await startRole('gateway', sandbox.start)
  const socketUrl = gateway.start.url.replace('http', 'ws')
  const dispatcher = new Agent({ connections: 128 })

  const countCalls = async (watch, salt) => {
    const before = await sandbox.ask()
    const ends = await Promise.all(
      Array.from({ length: watchers }, async (_, index) => {
        await sleep((index * 1_000) / watchers)
        return watch(hashOf(index % transfers, salt))
      }),
    )
    const missed = ends.filter((end) => end !== undefined)
    if (missed.length > 0) {
      throw new Error(`${missed.length} of ${watchers} watchers (${salt}) did not see the end. The first: ${missed[0]}`)
    }
    return (await sandbox.ask()).status - before.status
  }
  try {
    return {
      graph: await countCalls((txHash) => subscribe(socketUrl, txHash), 'subscribed'),
      rest: await countCalls((txHash) => poll(sandbox.start.routerUrl, dispatcher, txHash), 'polled'),
    }
  } finally {
    await dispatcher.destroy()
    gateway.stop()
    sandbox.stop()
  }
}
