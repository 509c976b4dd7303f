// Many subscribers of transfers, each on a WebSocket of its own, and all that they were sent.
import { WebSocket } from 'ws'
import { childOptions, serveParent } from '../../../bench/children.mjs'

const { url } = childOptions()
const socketUrl = url.replace('http', 'ws')
const subscribers = []
const query =
  'subscription ($chainId: ChainId!, $txHash: String!) { transfer(chainId: $chainId, hash: $txHash) { state isTerminal hops { state } } }'

/** Opens a WebSocket and watches a transfer to its end. */
function watch({ chainId, txHash, address }) {
  const seen = { txHash, events: 0, terminals: 0, afterEnd: 0, completes: 0, errors: [] }
  subscribers.push(seen)
  const socket = new WebSocket(socketUrl, 'graphql-transport-ws', {
    headers: { 'x-forwarded-for': address },
    perMessageDeflate: false,
  })
  const send = (message) => socket.send(JSON.stringify(message))
  const onMessage = {
    connection_ack: () => send({ id: '1', type: 'subscribe', payload: { query, variables: { chainId, txHash } } }),
    ping: () => send({ type: 'pong' }),
    next({ payload }) {
      seen.events += 1
      if (seen.terminals > 0) seen.afterEnd += 1
      if (payload.errors) seen.errors.push(payload.errors[0].message)
      if (!payload.data?.transfer.isTerminal) return
      seen.terminals += 1
      seen.endedAt ??= Date.now()
    },
    error({ payload }) {
      seen.errors.push(payload[0].message)
    },
    complete() {
      seen.completes += 1
      // Late messages would still come on an open socket.
      setTimeout(() => socket.close(1_000), 2_000)
    },
  }
  socket.on('open', () => send({ type: 'connection_init' }))
  socket.on('message', (data) => {
    const message = JSON.parse(data)
    onMessage[message.type]?.(message)
  })
  socket.on('error', (error) => seen.errors.push(error.message))
  socket.on('close', (code) => {
    if (code !== 1_000) seen.errors.push(`closed with ${code}`)
  })
}

serveParent(
  {},
  {
    watch: (transfers) => transfers.forEach(watch),
    countOpen: () => subscribers.filter(({ completes }) => completes === 0).length,
    countAnswered: () => subscribers.filter(({ events, errors }) => events + errors.length > 0).length,
    report: () => subscribers,
  },
)
