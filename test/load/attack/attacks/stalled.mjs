// Clients that ask for streams and then read nothing, beside others that read all of the same transfers.
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

const readers = 200
const transfers = 20
/** The longest time that the gateway keeps a stream which nobody reads, in seconds. */
const maxSeconds = 60
/** An event of 100 KB: the kernel takes some of a stream before the gateway sees that nobody reads it. */
const wide = Array.from({ length: 300 }, (_, i) => `a${i}_${'x'.repeat(320)}: state`).join(' ')

// The last two digits choose an end that comes by itself after some seconds.
const hashOf = (number, kind) => `${(number % transfers).toString(16).padStart(62, kind)}01`
const subscription = (number, kind, selection) => ({
  query: `subscription { transfer(chainId: "harbor-1", hash: "${hashOf(number, kind)}") { isTerminal ${selection} } }`,
})
const subscribe = (payload) => JSON.stringify({ id: '1', type: 'subscribe', payload })

/** Watches a transfer to its end; gives how often it was told the end and the completion. */
async function watchHonestly({ openSocket }, number, kind) {
  const address = `203.0.113.${20 + (number % 100)}`
  const socket = await openSocket({ headers: { 'x-forwarded-for': address } })
  const seen = { terminals: 0, completes: 0 }
  socket?.on('message', (text) => {
    const { type, payload } = JSON.parse(text)
    if (payload?.data?.transfer.isTerminal) seen.terminals += 1
    if (type !== 'complete') return
    seen.completes += 1
    setTimeout(() => socket.close(1_000), 500)
  })
  socket?.send(subscribe(subscription(number, kind, 'state')))
  return seen
}

async function stallSocket({ openSocket }, number, kind) {
  const socket = await openSocket()
  socket?.send(subscribe(subscription(number, kind, wide)), () => socket.pause())
}

function stallEvents({ dial }, number, kind) {
  const body = JSON.stringify(subscription(number, kind, wide))
  dial(
    `POST /graphql HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.250\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ).pause()
}

/** What the gateway counts as open. */
async function countOpen(url) {
  const { body } = await request(new URL('/metrics', url))
  const text = await body.text()
  const gauge = (name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
  return gauge('portolan_sockets') + gauge('portolan_subscriptions')
}

const stalled = (title, kind, stall) => ({
  name: `${readers} ${title} that stall`,
  async run(attacker) {
    const { times, url } = attacker
    const healthy = []
    for (let i = 0; i < times(readers); i += 20) {
      const batch = Array.from({ length: Math.min(20, times(readers) - i) }, (_, k) => i + k)
      await Promise.all(batch.map((number) => stall(attacker, number, kind)))
      healthy.push(...(await Promise.all(batch.map((n) => watchHonestly(attacker, n, kind)))))
    }
    const most = await countOpen(url)
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1_000
    let open = most
    while (seconds() < maxSeconds && open > 0) {
      await sleep(1_000)
      open = await countOpen(url)
    }
    const missed = healthy.filter(({ terminals, completes }) => terminals !== 1 || completes !== 1)
    return {
      note: `${most} streams and sockets open, ${open} after ${seconds().toFixed(0)} s`,
      failures: [
        ...(open > 0 ? [`${open} streams and sockets are still open`] : []),
        ...(missed.length > 0 ? [`${missed.length} healthy readers missed an event`] : []),
      ],
    }
  },
})

/** A page of 100 transactions whose logs have 4 KB, as many have. */
const longLogs = JSON.stringify({
  txs: Array.from({ length: 100 }, (_, i) => ({
    txhash: i.toString(16).padStart(64, '0').toUpperCase(),
    ...{ height: '5', code: 0, gas_wanted: '1', gas_used: '1', events: [] },
    ...{ raw_log: 'x'.repeat(4_000), timestamp: '2026-11-01T00:00:00Z' },
  })),
  pagination: { next_key: null, total: '100' },
})

/** An answer of 28 MB, from one page that costs the upstream one request. */
const wideAnswer = JSON.stringify({
  query: `{ chain(chainId: "galley-1") { ${Array.from(
    { length: 70 },
    (_, i) => `a${i}: transactions(first: 100) { nodes { rawLog } }`,
  ).join(' ')} } }`,
})
/** The most that may be resident: the heap, what waits for readers, and V8 itself. */
const maxResidentMiB = 450

/** A client asks for large answers, three times a second, and reads none of them. */
const unreadAnswers = {
  name: 'large answers that nobody reads',
  oldSpaceMiB: 512,
  faults: [['galley-1', '/indexer/tx/v1/txs', { kind: 'garbage', body: longLogs }]],
  async run({ dial, times, send, gateway }) {
    const head = `POST /graphql HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.251\r\nContent-Type: application/json\r\nContent-Length: ${wideAnswer.length}\r\n\r\n`
    let highest = 0
    for (let i = 0; i < times(90); i += 1) {
      dial(head + wideAnswer).pause()
      await sleep(333)
      highest = Math.max(highest, (await gateway.ask('resident')).rss / 2 ** 20)
    }
    const refused = await send(wideAnswer, { headers: { 'x-forwarded-for': '192.0.2.251' } })
    const isRefused = refused.codes.includes('RATE_LIMITED')
    return {
      note: `${highest.toFixed(0)} MiB resident, then ${refused.codes.join() || refused.status}`,
      failures: [
        ...(highest > maxResidentMiB ? ['resident memory'] : []),
        ...(isRefused ? [] : ['the client was not refused']),
      ],
    }
  },
}

export const stalledAttacks = [
  unreadAnswers,
  stalled('WebSocket readers', 'b', stallSocket),
  stalled('readers of server-sent events', 'c', stallEvents),
]
