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

export const stalledAttacks = [
  stalled('WebSocket readers', 'b', stallSocket),
  stalled('readers of server-sent events', 'c', stallEvents),
]
