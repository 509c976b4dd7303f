// What an upstream does instead of answering. Each kind writes to the socket of one request.
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

const head = (status, headers = '') => `HTTP/1.1 ${status}\r\n${headers}\r\n`
const json = 'Content-Type: application/json\r\n'
const lengthOf = (body) => `Content-Length: ${Buffer.byteLength(body)}\r\n`
const answer = (status, body, type = json) => head(status, type + lengthOf(body)) + body
const text = 'Content-Type: text/plain\r\n'
const html = 'Content-Type: text/html\r\n'
const page = '<html><body>maintenance</body></html>'
const bomb = gzipSync(Buffer.alloc(8 * 2 ** 20))
/** Longest time that a kind keeps a socket, in milliseconds. */
const patience = 20_000

/** Writes a text and ends the connection. */
const sends = (data) => (socket) => socket.end(data)
/** Writes a text and says no more. The gateway has to leave. */
const stalls = (data) => async (socket) => {
  socket.write(data)
  await sleep(patience)
  socket.destroy()
}
/** Writes a text, then a byte now and then. */
const drips = (data, byte) => async (socket) => {
  socket.write(data)
  for (let i = 0; i < patience / 200 && !socket.destroyed; i += 1) {
    socket.write(byte)
    await sleep(200)
  }
  socket.destroy()
}

/** Kinds of faults by name. `pass` lets the request through after some milliseconds. */
export const faults = {
  reset: (socket) => socket.resetAndDestroy(),
  'end without an answer': (socket) => socket.end(),
  'no headers': stalls(''),
  'headers in drops': drips('HTTP/1.1 200 OK\r\n', 'X'),
  'no body': stalls(head('200 OK', `${json}Content-Length: 100\r\n`)),
  'half a body': stalls(`${head('200 OK', `${json}Content-Length: 100\r\n`)}{"a":`),
  'a body in drops': drips(head('200 OK', `${json}Content-Length: 5000\r\n`), ' '),
  'less than the length': sends(`${head('200 OK', `${json}Content-Length: 100\r\n`)}{"a":1}`),
  'cut chunks': sends(`${head('200 OK', `${json}Transfer-Encoding: chunked\r\n`)}ff\r\n{"a":1}`),
  'a chunk of no size': sends(`${head('200 OK', `${json}Transfer-Encoding: chunked\r\n`)}zz\r\n{"a":1}`),
  'cut JSON to the end': sends(`${head('200 OK', `${json}Connection: close\r\n`)}{"txs":[{"a`),
  'not HTTP': sends('SSH-2.0-OpenSSH_9.2\r\n'),
  'an endless body': async (socket) => {
    socket.write(head('200 OK', `${json}Transfer-Encoding: chunked\r\n`))
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    for (let i = 0; i < 400 && !socket.destroyed; i += 1) {
      if (!socket.write(chunk)) await sleep(5)
    }
    socket.destroy()
  },
  'a packed body': (socket) => {
    socket.write(head('200 OK', `${json}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n`))
    socket.end(bomb)
  },
  'a header of 64 KB': sends(head('200 OK', `X-A: ${'a'.repeat(65_536)}\r\nContent-Length: 0\r\n`)),
  'length and chunks': sends(
    `${head('200 OK', `${json}Content-Length: 7\r\nTransfer-Encoding: chunked\r\n`)}7\r\n{"a":1}\r\n0\r\n\r\n`,
  ),
  'two lengths': sends(`${head('200 OK', `${json}Content-Length: 7\r\nContent-Length: 9\r\n`)}{"a":1}`),
  'more than the length': sends(`${answer('503 Service Unavailable', '{}')}HTTP/1.1 200 OK\r\n\r\n`),
  'many 102': sends(head('102 Processing').repeat(200)),
  'status 101': sends(head('101 Switching Protocols', 'Upgrade: a\r\nConnection: upgrade\r\n')),
  'status 204': sends(head('204 No Content')),
  'an empty body': sends(answer('200 OK', '')),
  'HTML, 200': sends(answer('200 OK', page, html)),
  'HTML, 502': sends(answer('502 Bad Gateway', page, html)),
  'JSON, 503': sends(answer('503 Service Unavailable', '{"code":14,"message":"unavailable"}')),
  'text, 504': sends(answer('504 Gateway Timeout', 'upstream timed out', text)),
  'status 302': sends(head('302 Found', 'Location: http://127.0.0.1:9/\r\nContent-Length: 0\r\n')),
  '429 for a second': sends(answer('429 Too Many Requests', '{}', `${json}Retry-After: 1\r\n`)),
  '429 for a day': sends(answer('429 Too Many Requests', '{}', `${json}Retry-After: 86400\r\n`)),
  '429 for garbage': sends(answer('429 Too Many Requests', '{}', `${json}Retry-After: soon\r\n`)),
  'text, 500': sends(answer('500 Internal Server Error', 'panic', text)),
  'JSON, 500': sends(answer('500 Internal Server Error', '{"code":13,"message":"internal"}')),
  'a list': sends(answer('200 OK', '[1,2,3]')),
  null: sends(answer('200 OK', 'null')),
  'a text': sends(answer('200 OK', '"ok"')),
  '20,000 levels': sends(answer('200 OK', '['.repeat(20_000) + ']'.repeat(20_000))),
  '100,000 records': sends(answer('200 OK', `{"blocks":[${Array(100_000).fill('0').join()}],"txs":[]}`)),
  'bytes that are no text': (socket) => {
    const body = Buffer.concat([Buffer.from('{"state":"'), Buffer.alloc(9, 0xff), Buffer.from('"}')])
    socket.write(head('200 OK', json + lengthOf(body)))
    socket.end(body)
  },
  'two seconds late': { pass: 2_000 },
  'half a second late': { pass: 500 },
}
