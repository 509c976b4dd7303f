// Watches, WebSockets and slow connections.
import { setTimeout as sleep } from 'node:timers/promises'

const hex = (number, digits) => number.toString(16).padStart(digits, '0')
const watch = (id, txHash) =>
  JSON.stringify({
    id: String(id),
    type: 'subscribe',
    payload: {
      query: `subscription { transfer(chainId: "harbor-1", hash: "${txHash}") { state } }`,
    },
  })

/** Milliseconds to the first event of an honest watch, whose client has an address of its own. */
async function firstEvent({ openSocket }, txHash) {
  const socket = await openSocket({ headers: { 'x-forwarded-for': '203.0.113.10' } })
  if (!socket) return Number.POSITIVE_INFINITY
  const started = performance.now()
  const isFirst = new Promise((resolve) =>
    socket.on('message', (text) => String(text).includes('"next"') && resolve(true)),
  )
  socket.send(watch(1, txHash))
  const isThere = await Promise.race([isFirst, sleep(20_000, false)])
  return isThere ? performance.now() - started : Number.POSITIVE_INFINITY
}

const lateness = (ms) => (ms > 5_000 ? [`the first event of an honest watch came after ${Math.round(ms)} ms`] : [])
const isOpen = (socket) => socket?.readyState === 1

/** How many of so many sockets the gateway keeps open for one client. */
const openMany = async ({ openSocket }, count, headersOf) => {
  const sockets = []
  for (let i = 0; i < count; i += 50) {
    const batch = Array.from({ length: Math.min(50, count - i) }, (_, k) => openSocket({ headers: headersOf(i + k) }))
    sockets.push(...(await Promise.all(batch)))
  }
  return sockets.filter(isOpen)
}

/** Texts that name one client in ways that could pass for many. */
const disguises = {
  'addresses of one IPv6 network': (i) => `2001:db8:1:2::${hex(i + 1, 4)}`,
  'ports of one address': (i) => `192.0.2.201:${1_000 + i}`,
  'texts that are no address': (i) => `client-${i}`,
}

export const streamAttacks = [
  {
    name: '7.5 25,000 watches of one client',
    async run(attacker) {
      const sockets = await openMany(attacker, attacker.times(250), () => ({}))
      let count = 0
      for (const socket of sockets) {
        for (let i = 0; i < 100; i += 1) {
          count += 1
          socket.send(watch(i, `${hex(count, 62)}ff`))
        }
      }
      await sleep(1_000)
      const first = await firstEvent(attacker, `${'AB'.repeat(31)}01`)
      return {
        note: `${count} asked for, first event ${Math.round(first)} ms`,
        failures: lateness(first),
      }
    },
  },
  ...Object.entries(disguises).map(([title, textOf]) => ({
    name: `7.6 ${title}`,
    async run(attacker) {
      const open = await openMany(attacker, 300, (i) => ({ 'x-forwarded-for': textOf(i) }))
      const failures = open.length > 250 ? [`${open.length} of 300 sockets open`] : []
      return { note: `${open.length} of 300 open`, failures }
    },
  })),
  {
    name: '7.8 slow quotes beside a watch',
    faults: [['router', '/v2/fungible/route', { kind: 'latency', ms: 4_500 }]],
    async run(attacker) {
      const quotes = attacker.sendAll(attacker.times(80), (i) => ({
        query: `{ route(input: { amountIn: "${25_000_000 + i}", source: { chainId: "osmosis-1", denom: "uosmo" }, destination: { chainId: "harbor-1", denom: "uinit" } }) { amountOut } }`,
      }))
      await sleep(300)
      const first = await firstEvent(attacker, `${'AC'.repeat(31)}01`)
      await quotes
      return {
        note: `first event ${Math.round(first)} ms`,
        failures: first > 3_000 ? [`the first event came after ${Math.round(first)} ms`] : [],
      }
    },
  },
  {
    name: '1,000 slow senders',
    async run({ times, dial }) {
      const parts = [
        'POST /graphql HTTP/1.1\r\nHost: a\r\nX-A: ',
        'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"query":"',
      ]
      const sockets = Array.from({ length: times(1_000) }, (_, i) => dial(parts[i % 2]))
      for (let second = 0; second < times(18); second += 1) {
        await sleep(1_000)
        for (const socket of sockets) if (!socket.destroyed) socket.write('a')
      }
      const open = sockets.filter((socket) => !socket.destroyed).length
      return {
        note: `${open} still open`,
        failures: times(18) === 18 && open > 0 ? [`${open} slow senders are still open`] : [],
      }
    },
  },
  {
    name: '4,000 silent connections',
    async run({ times, dial }) {
      const sockets = []
      // In steps: the kernel hands over those beyond its queue some seconds later.
      while (sockets.length < times(4_000)) {
        // A connection is seen to be closed only once what came before is read.
        for (let i = 0; i < 100; i += 1) sockets.push(dial().resume())
        await sleep(20)
      }
      await sleep(times(18) * 1_000)
      const open = sockets.filter((socket) => !socket.destroyed).length
      return {
        note: `${open} still open`,
        failures: times(18) === 18 && open > 0 ? [`${open} silent connections are still open`] : [],
      }
    },
  },
  {
    name: '2,000 sockets that never begin',
    async run(attacker) {
      const { times, openSocket } = attacker
      const headersOf = (i) => ({ 'x-forwarded-for': `192.0.2.${(i % 200) + 1}` })
      const sockets = await Promise.all(
        Array.from({ length: times(2_000) }, (_, i) => openSocket({ headers: headersOf(i), init: false })),
      )
      await sleep(5_000)
      const open = sockets.filter(isOpen).length
      return {
        note: `${open} still open`,
        failures: open > 0 ? [`${open} sockets still open`] : [],
      }
    },
  },
  {
    name: 'messages as fast as they can be sent',
    async run(attacker) {
      const sockets = await openMany(attacker, 10, () => ({}))
      for (const socket of sockets) {
        for (let i = 0; i < attacker.times(20_000); i += 1) socket.send('{"type":"ping"}')
      }
      await sleep(3_000)
      return { note: `${sockets.length * attacker.times(20_000)} messages` }
    },
  },
  {
    name: '100 clients that do not read their answers',
    async run({ times, dial }) {
      const body = JSON.stringify({
        query: '{ __schema { types { name description fields { name description args { name description } } } } }',
      })
      const request = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      for (let i = 0; i < times(100); i += 1) dial(request.repeat(10)).pause()
      await sleep(3_000)
      return { note: `${times(100) * 10} requests` }
    },
  },
  {
    name: '1,000 pipelined requests',
    async run({ dial, times }) {
      const body = '{"query":"{ __typename }"}'
      const request = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const socket = dial(request.repeat(times(1_000)))
      let answers = 0
      socket.on('data', (data) => {
        answers += String(data).split('HTTP/1.1 200').length - 1
      })
      await sleep(2_000)
      return { note: `${answers} answered` }
    },
  },
]
