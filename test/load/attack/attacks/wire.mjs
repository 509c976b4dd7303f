// Bytes on the wire: packed bodies, and requests whose length can be read in two ways.
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

const body = '{"query":"{ __typename }"}'
const head = 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
/** What a proxy in front may take for the end of a body, and the gateway for a request. */
const hidden = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'
const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const length = (count) => `Content-Length: ${count}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'

/** Requests whose end is not where every reader would find it. */
const ambiguous = {
  'a length and chunks': `${head}${length(4)}${chunked}\r\n${chunks}${hidden}`,
  'chunks and a length': `${head}${chunked}${length(chunks.length + hidden.length)}\r\n${chunks}${hidden}`,
  'two lengths': `${head}${length(body.length)}${length(body.length + hidden.length)}\r\n${body}${hidden}`,
  'a list of lengths': `${head}Content-Length: ${body.length}, ${body.length + 9}\r\n\r\n${body}${hidden}`,
  'a length with a sign': `${head}Content-Length: +${body.length}\r\n\r\n${body}${hidden}`,
  'an unknown encoding': `${head}Transfer-Encoding: xchunked\r\n\r\n${chunks}${hidden}`,
  'chunks that are not last': `${head}Transfer-Encoding: chunked, identity\r\n\r\n${chunks}${hidden}`,
  'a space before the colon': `${head}Transfer-Encoding : chunked\r\n${length(body.length)}\r\n${body}${hidden}`,
  'a folded line': `${head}Transfer-Encoding:\r\n chunked\r\n${length(body.length)}\r\n${body}${hidden}`,
  'a size of a chunk with garbage': `${head}${chunked}\r\n${body.length.toString(16)}zz\r\n${body}\r\n0\r\n\r\n${hidden}`,
  'bare line feeds': `${head.replaceAll('\r\n', '\n')}${length(body.length)}${chunked}\n${body}${hidden}`,
  'two hosts': `${head}Host: b\r\n${length(body.length)}\r\n${body}`,
}

/** Sends bytes; gives all that came back until the gateway closed the connection, or two seconds later. */
async function exchange({ dial }, text) {
  const socket = dial(text)
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  const isClosed = new Promise((resolve) => socket.once('close', () => resolve(true)))
  return { isClosed: await Promise.race([isClosed, sleep(2_000, false)]), received }
}

const statusesOf = (received) => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

export const wireAttacks = [
  {
    name: 'requests of two lengths',
    async run({ times, ...attacker }) {
      const failures = new Set()
      for (let round = 0; round < times(20); round += 1) {
        await Promise.all(
          Object.entries(ambiguous).map(async ([title, text]) => {
            const { isClosed, received } = await exchange(attacker, text)
            const statuses = statusesOf(received).join()
            if (statuses !== '400' || !isClosed) failures.add(`${title}: ${statuses || 'nothing'}`)
          }),
        )
      }
      return { note: `${Object.keys(ambiguous).length} kinds`, failures: [...failures] }
    },
  },
  {
    name: 'packed request bodies',
    async run({ times, sendAll }) {
      // 250 KB that unpack to 256 MB.
      const packed = gzipSync(Buffer.alloc(256_000_000, ' '))
      const answers = []
      for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip', 'x-gzip']) {
        const headers = { 'content-encoding': encoding }
        answers.push(...(await sendAll(times(20), () => packed, { headers })))
      }
      const statuses = [...new Set(answers.map(({ status }) => status))].join(' ')
      return {
        note: `${packed.length} bytes: ${statuses}`,
        failures: statuses === '415' ? [] : [`answered with ${statuses}`],
      }
    },
  },
  {
    name: 'an upstream whose responses unpack to 64 MiB',
    gateway: ({ indexers, bombUrl }) => ({
      chains: [...indexers, { chainId: 'bomb-1', url: bombUrl, vm: 'MOVE' }],
    }),
    async run({ times, sendAll }) {
      const answers = []
      for (let round = 0; round < times(10); round += 1) {
        answers.push(
          ...(await sendAll(10, (i) => ({
            query: `{ chain(chainId: "bomb-1") { block(height: "${round * 10 + i + 1}") { hash } } }`,
          }))),
        )
      }
      const codes = [...new Set(answers.flatMap((answer) => answer.codes))].join(' ')
      const isRefused = answers.every((answer) => answer.codes[0]?.startsWith('UPSTREAM_'))
      return { note: codes, failures: isRefused ? [] : ['a packed response was read'] }
    },
  },
]
