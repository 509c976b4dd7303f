import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { post } from '../support/http.ts'
import { serve } from '../support/testServer.ts'
import { leaveUnread, postText } from '../support/unreadAnswers.ts'

const mebibyte = 1024 * 1024
const address = '192.0.2.1'

/** The server's side of the next response. */
const nextResponse = () =>
  new Promise<ServerResponse>((resolve) => {
    const channel = 'http.server.request.start'
    const onRequest = (message: unknown) => {
      diagnostics.unsubscribe(channel, onRequest)
      resolve(Object(message).response)
    }
    diagnostics.subscribe(channel, onRequest)
  })

test('an answer not read for ten seconds is dropped, and its client is answered again', async () => {
  await using server = await serve({
    limits: { maxAnswerBytes: 16 * mebibyte },
  })
  const ask = () => post(server.url, { query: '{ hello }' }, { 'x-forwarded-for': address })
  const found = nextResponse()
  const query = `{ many(length: ${12 * mebibyte}) }`
  const reader = await leaveUnread(server.url, address, query)
  const { socket } = await found
  const others = [await leaveUnread(server.url, address, query), await leaveUnread(server.url, address, query)]
  expect((await ask()).status).toBe(429)

  expect(socket?.timeout).toBe(10_000)
  const closed = once(reader, 'close')
  // What Node does once that time is over.
  socket?.emit('timeout')
  reader.resume()
  await closed
  const { status, body } = await ask()
  expect([status, body]).toEqual([200, { data: { hello: 'Hello, you!' } }])
  for (const other of others) other.destroy()
})

test('pipelined answers count as unread', async () => {
  await using server = await serve({
    limits: { maxAnswerBytes: 8 * mebibyte },
  })
  const query = `{ many(length: ${4 * mebibyte}) }`
  const reader = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
  reader.write(postText(address, JSON.stringify({ query })).repeat(10))
  const ask = () => post(server.url, { query: '{ hello }' }, { 'x-forwarded-for': address })
  await once(reader, 'readable')
  await expect.poll(async () => (await ask()).status).toBe(429)
  // Of the ten, only those are answered that were there before the limit.
  let answers = ''
  reader.on('data', (chunk) => {
    answers += chunk
  })
  await expect.poll(() => answers.match(/HTTP\/1\.1 \d+/g)?.length, { timeout: 10_000 }).toBe(10)
  expect(answers.match(/HTTP\/1\.1 429/g)?.length).toBeGreaterThanOrEqual(5)
  await expect.poll(async () => (await ask()).status).toBe(200)
  reader.destroy()
})
