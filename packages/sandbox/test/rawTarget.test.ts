import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFaults } from '../src/faults.ts'
import { type Service, startService } from '../src/http.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    name: 'echo',
    host: '127.0.0.1',
    port: 0,
    handler: ({ method, path, body }) => ({ status: 200, text: `[${method} ${path} ${body}]` }),
    requests: [],
    faults: createFaults(),
  })
})
afterAll(() => service.close())

const last = 'host: a\r\nconnection: close\r\n\r\n'
const get = (path: string, headers = 'host: a\r\n\r\n') => `GET ${path} HTTP/1.1\r\n${headers}`

/** What the service read out of these bytes, sent in chunks of a size over one connection. */
async function echoed(text: string, chunkSize: number): Promise<readonly string[]> {
  const bytes = Buffer.from(text)
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.setNoDelay(true)
  const answers: Buffer[] = []
  socket.on('data', (chunk: Buffer) => answers.push(chunk))
  const closed = new Promise((resolve, reject) => socket.on('close', resolve).on('error', reject))
  for (let start = 0; start < bytes.length; start += chunkSize) {
    socket.write(bytes.subarray(start, start + chunkSize))
    // A turn of the event loop, so that the chunks arrive one by one.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await closed
  return (
    Buffer.concat(answers)
      .toString()
      .match(/\[.*?\]|HTTP\/1.1 [45].*/gs) ?? []
  )
}

const post = 'POST /p HTTP/1.1\r\nhost: a\r\n'
const body = 'GET /é^ HTTP/1.1\r\n\r\n'
const length = `content-length: ${Buffer.byteLength(body)}\r\n\r\n`
const size = Buffer.byteLength(body).toString(16)
const chunked = `transfer-encoding: chunked\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`

test.each([1, 3, 7, 10_000])('raw bytes reach the handler in chunks of %i bytes', async (chunk) => {
  expect(await echoed(get('/고래^é', last), chunk)).toEqual(['[GET /고래^é ]'])
})

test.each([1, 5, 10_000])(
  'every request of a connection is read in chunks of %i bytes, bodies unchanged',
  async (chunk) => {
    const requests = [get('/é'), `${post}${length}${body}`, get('/ñ^41'), `${post}${chunked}`, get('/고래', last)]
    expect(await echoed(requests.join(''), chunk)).toEqual([
      '[GET /é ]',
      `[POST /p ${body}]`,
      '[GET /ñ^41 ]',
      `[POST /p ${body}]`,
      '[GET /고래 ]',
    ])
  },
)
