// What the attacks share: one client, told apart by the address that its proxy names.
import { connect } from 'node:net'
import { Agent, request } from 'undici'
import { WebSocket } from 'ws'

const bytesOf = (body) => (typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))

/** The client of one attack on the gateway at `url`. `close` ends all that it left open. */
export function createAttacker(url, { scale, address }) {
  const dispatcher = new Agent({ connections: 1_000, headersTimeout: 20_000, bodyTimeout: 20_000 })
  const { port } = new URL(url)
  const sockets = new Set()

  const keep = (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  /** Sends a body; gives the status, the bytes and the codes of the errors in the answer. Never rejects. */
  async function send(body, { signal, headers, path = '/graphql', method = 'POST' } = {}) {
    try {
      const { statusCode, body: answer } = await request(new URL(path, url), {
        dispatcher,
        method,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
        ...(method === 'POST' && { body: bytesOf(body) }),
        ...(signal && { signal }),
      })
      const text = await answer.text()
      const codes = new Set([...text.matchAll(/"code":"([A-Z_]+)"/g)].map(([, code]) => code))
      return { status: statusCode, bytes: text.length, codes: [...codes], text }
    } catch (error) {
      return { status: 0, bytes: 0, codes: [error.code ?? error.name], text: '' }
    }
  }

  return {
    url,
    send,
    /** How many of something: fewer in the short form. */
    times: (count) => Math.max(1, Math.round(count * scale)),
    /** Sends the same or numbered bodies at one time. */
    sendAll: (count, bodyOf, options) => Promise.all(Array.from({ length: count }, (_, i) => send(bodyOf(i), options))),
    /** Opens a TCP connection and writes to it. */
    dial(text = '') {
      const socket = keep(connect(Number(port), '127.0.0.1'))
      if (text !== '') socket.write(text)
      return socket
    },
    /** Opens a WebSocket; resolves with it once acknowledged, or with undefined if it was refused. */
    openSocket({ headers = {}, init = true } = {}) {
      const socket = keep(
        new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws', {
          headers: { 'x-forwarded-for': address, ...headers },
        }),
      )
      return new Promise((resolve) => {
        socket.once('close', () => resolve(undefined))
        socket.once('open', () => {
          if (!init) return resolve(socket)
          socket.send('{"type":"connection_init"}')
          socket.once('message', () => resolve(socket))
        })
      })
    },
    close() {
      for (const socket of sockets) (socket.terminate ?? socket.destroy).call(socket)
      return dispatcher.destroy()
    },
  }
}
