import { createConnection } from 'node:net'
import { createClient } from 'graphql-sse'
import { expect, test } from 'vitest'
import { raw } from '../support/http.ts'
import { serve } from '../support/testServer.ts'

test('a graphql-sse client receives each event and the end', async () => {
  await using server = await serve()
  const client = createClient({ url: server.url, retryAttempts: 0 })
  const events = client.iterate({ query: 'subscription { ticks }' })
  const first = events.next()
  await server.stage.listening(1)
  server.stage.tick(1)
  expect(await first).toEqual({ done: false, value: { data: { ticks: 1 } } })
  const last = events.next()
  server.stage.end()
  expect(await last).toEqual({ done: true, value: undefined })
})

test('a stream tells proxies not to buffer, change or keep it', async () => {
  await using server = await serve()
  const abort = new AbortController()
  const { headers } = await fetch(`${server.url}?query=subscription{ticks}`, {
    headers: { accept: 'text/event-stream' },
    signal: abort.signal,
  })
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'content-encoding': 'none',
    'x-accel-buffering': 'no',
  })
  abort.abort()
  await server.stage.listening(0)
})

test('a graphql-sse client in single connection mode is refused with status 405', async () => {
  await using server = await serve()
  const client = createClient({ url: server.url, singleConnection: true, retryAttempts: 0 })
  const events = client.iterate({ query: 'subscription { ticks }' })
  await expect(events.next()).rejects.toMatchObject({ response: { status: 405 } })
  client.dispose()
})

test('a token of a stream that several subscriptions share is ignored', async () => {
  await using server = await serve()
  const answer = await fetch(`${server.url}?query={hello}&token=x`, {
    headers: { 'x-graphql-event-stream-token': 'x', accept: 'application/json' },
  })
  expect(await answer.json()).toEqual({ data: { hello: 'Hello, you!' } })
})

test('each event of a stream has a separate scope', async () => {
  await using server = await serve()
  const client = createClient({ url: server.url, retryAttempts: 0 })
  const events = client.iterate({ query: 'subscription { ticks }' })
  const first = events.next()
  await server.stage.listening(1)
  server.stage.tick(1)
  await first
  const second = events.next()
  server.stage.tick(2)
  await second
  expect(new Set(server.stage.scopes).size).toBe(2)
  await events.return?.()
  await server.stage.listening(0)
})

test('a source error ends the stream after an error with a code', async () => {
  await using server = await serve()
  const client = createClient({ url: server.url, retryAttempts: 0 })
  const events = client.iterate({ query: 'subscription { ticks }' })
  const first = events.next()
  await server.stage.listening(1)
  server.stage.end(new Error('secret'))
  const { value } = await first
  expect(JSON.parse(JSON.stringify(value))).toEqual({
    errors: [
      {
        message: 'Unexpected error.',
        locations: [{ line: 1, column: 16 }],
        path: ['ticks'],
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: expect.any(String) },
      },
    ],
  })
  expect((await events.next()).done).toBe(true)
})

test('a stream with Connection: close closes its connection', async () => {
  await using server = await serve()
  const head = ['GET /graphql?query={hello} HTTP/1.1', 'Host: x', 'Accept: text/event-stream']
  const response = await raw(server.origin, [...head, 'Connection: close', '', ''].join('\r\n'))
  expect(response).toMatch(/^connection: close\r$/im)
  expect(response).not.toMatch(/keep-alive/i)
})

test('a client that disconnects closes the source', async () => {
  await using server = await serve()
  const controller = new AbortController()
  const response = await fetch(`${server.url}?query=subscription{ticks}`, {
    headers: { accept: 'text/event-stream' },
    signal: controller.signal,
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  await server.stage.listening(1)
  controller.abort()
  await server.stage.listening(0)
})

test('a query is aborted when its client disconnects', async () => {
  await using server = await serve()
  const controller = new AbortController()
  const answer = fetch(`${server.url}?query={slow}`, { signal: controller.signal })
  answer.catch(() => {})
  await server.stage.running(1)
  const [signal] = server.stage.signals
  if (!signal) throw new Error('the query runs')
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', resolve))
  controller.abort()
  await aborted
  expect(server.log.filter(({ level }) => Number(level) > 40)).toEqual([])
})

test('a client that stops reading does not delay others', async () => {
  await using server = await serve()
  const { hostname, port } = new URL(server.url)
  const stalled = createConnection(Number(port), hostname)
  stalled.pause()
  stalled.write('GET /graphql?query=subscription{ticks} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n')
  await server.stage.listening(1)
  const client = createClient({ url: server.url, retryAttempts: 0 })
  const events = client.iterate({ query: 'subscription { ticks }' })
  let next = events.next()
  await server.stage.listening(2)
  for (let tick = 1; tick <= 3_000; tick += 1) {
    server.stage.tick(tick)
    expect((await next).value).toEqual({ data: { ticks: tick } })
    next = events.next()
  }
  stalled.destroy()
  await server.stage.listening(1)
  await events.return?.()
  await next
})
