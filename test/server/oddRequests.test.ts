import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { post, raw } from '../support/http.ts'
import { serve } from '../support/testServer.ts'

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, '', ''].join('\r\n')

describe('a path with a slash too many', () => {
  test.each(['//graphql', '/graphql/', '//graphql//', '///graphql'])('%s is served to programs', async (path) => {
    await using server = await serve()
    const answer = await post(server.origin + path, { query: '{ hello }' })
    expect([answer.status, answer.body.data]).toEqual([200, { hello: 'Hello, you!' }])
    const asked = await raw(server.origin, get(`${path}?query=%7Bhello%7D`))
    expect(asked).toMatch(/^HTTP\/1.1 200 .*Hello, you!/s)
    const socket = new WebSocket(server.origin.replace('http', 'ws') + path, ['graphql-transport-ws'])
    await once(socket, 'open')
    socket.terminate()
  })

  test('leads a browser to the plain one, on the same host', async () => {
    await using server = await serve()
    const accept = 'Accept: text/html'
    const answer = await raw(server.origin, get('//graphql/?query=%7Bhello%7D', accept))
    expect(answer).toMatch(/^HTTP\/1.1 308 .*^location: \/graphql\?query=%7Bhello%7D\r$/ims)
    expect(await raw(server.origin, get('//evil.example/', accept))).toMatch(/^HTTP\/1.1 404 /)
  })

  test('does not lead to probes and metrics, which proxies refuse by their paths', async () => {
    await using server = await serve()
    for (const path of ['//health', '/health/', '//ready', '/ready/', '/metrics/', '//metrics']) {
      expect([path, (await fetch(server.origin + path)).status]).toEqual([path, 404])
    }
    expect((await fetch(`${server.origin}/health`)).status).toBe(200)
  })
})

describe('a parameter that the graph does not know', () => {
  test('is ignored', async () => {
    await using server = await serve()
    const data = { hello: 'Hello, you!' }
    const more = { nope: 1, queryId: 'a', batch: [], extra: null }
    expect((await post(server.url, { query: '{ hello }', ...more })).body).toEqual({ data })
    const asked = await fetch(`${server.url}?query=%7Bhello%7D&nope=1&extra=`)
    expect([asked.status, await asked.json()]).toEqual([200, { data }])
  })
})

test.each(['application/json', 'application/json; charset="UTF-8"', 'application/json;charset=utf8;'])(
  'a body of %s may begin with a byte order mark',
  async (type) => {
    await using server = await serve()
    const body = '\ufeff{"query":"{ hello }"}'
    const answer = await post(server.url, body, { 'content-type': type })
    expect([answer.status, answer.body.data]).toEqual([200, { hello: 'Hello, you!' }])
    const twice = await post(server.url, `\ufeff${body}`, { 'content-type': type })
    expect(twice.status).toBe(400)
  },
)
