import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { post } from '../support/http.ts'
import { serve } from '../support/testServer.ts'

/** Requests of one connection, sent in one packet. */
async function pipeline(url: string, ...targets: string[]) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  const requestTo = (target: string) =>
    `GET ${target} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream, application/json\r\n\r\n`
  socket.write(targets.map(requestTo).join(''))
  return socket
}

const stream = '/graphql?query=subscription%7Bticks%7D'
const slow = '/graphql?query=%7Bslow%7D'

test('pipelined streams end when their connection closes', async () => {
  await using server = await serve({ limits: { maxOpenPerClient: 3 } })
  const { url, stage } = server
  for (let round = 0; round < 2; round += 1) {
    const socket = await pipeline(url, stream, stream, stream)
    await stage.listening(3)
    socket.destroy()
    await stage.listening(0)
  }
  const again = await fetch(`${server.origin}${stream}`, {
    headers: { accept: 'text/event-stream' },
  })
  expect(again.status).toBe(200)
  await again.body?.cancel()
})

test('pipelined queries are aborted when their connection closes', async () => {
  await using server = await serve()
  const { url, stage } = server
  const socket = await pipeline(url, slow, slow)
  await stage.running(2)
  socket.destroy()
  await expect.poll(() => stage.signals.map(({ aborted }) => aborted)).toEqual([true, true])
  expect((await post(url, { query: '{ hello }' })).status).toBe(200)
})

test('a WebSocket upgrade behind pipelined streams is refused, and the streams end', async () => {
  await using server = await serve()
  const socket = await pipeline(server.url, stream, stream)
  await server.stage.listening(2)
  const upgrade = ['GET /graphql HTTP/1.1', 'Host: a', 'Upgrade: websocket', 'Connection: Upgrade']
  upgrade.push('Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==')
  socket.write([...upgrade, '', ''].join('\r\n'))
  socket.resume()
  await once(socket, 'close')
  await server.stage.listening(0)
})
