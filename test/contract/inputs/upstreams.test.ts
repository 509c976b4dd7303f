import dns from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createGateway, type Gateway } from '../../../src/gateway.ts'
import { makeCertificate } from '../../support/certificate.ts'
import { type FakeClock, fakeClock } from '../../support/fakeClock.ts'
import { recordLog } from '../../support/gatewayLog.ts'
import { post } from '../../support/http.ts'
import { transactionRow } from '../../support/listRows.ts'
import {
  response,
  type Script,
  type ScriptedUpstream,
  startBlackHole,
  startScriptedUpstream,
} from '../../support/scriptedUpstream.ts'
import type { ErrorAnswer } from '../../support/world.ts'

// What an upstream does wrong, or means to harm with, numbered U1 to U40. The states of transfers, U32 to
// U35 and U37, are in `transferStates.test.ts`.

type Code = 'UPSTREAM_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'UPSTREAM_INVALID_RESPONSE' | null

const unavailable = 'UPSTREAM_UNAVAILABLE'
const timeout = 'UPSTREAM_TIMEOUT'
const invalid = 'UPSTREAM_INVALID_RESPONSE'

const status = (height: unknown, more = '') => `{"chain_id":"x","height":${height}${more}}`
const fine = response(status(7))
const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const answers =
  (...responses: (string | Buffer)[]): Script =>
  (socket, count) =>
    socket.write(responses[Math.min(count, responses.length) - 1] ?? '')
const ends =
  (bytes: string | Buffer): Script =>
  (socket) =>
    socket.end(bytes)
/** Sends a piece in each tenth of a second of the gateway's clock, for ever. */
const drips =
  (start: string, piece: string): Script =>
  (socket) => {
    const drip = () => {
      if (socket.destroyed) return
      socket.write(piece)
      clock.after(100, drip)
    }
    socket.write(start)
    drip()
  }
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

/**
 * Each row is what the upstream of one number does, the code of its error, and how often it was asked: a
 * GET is sent again where that may help.
 */
interface Row {
  readonly script: Script
  readonly code: Code
  readonly asked?: number
  /** Whether the answer has to wait for the gateway's clock. */
  readonly waits?: boolean
}

const rows: Record<string, Row> = {
  'U2 a reset': { script: (socket) => socket.resetAndDestroy(), code: unavailable, asked: 3 },
  'U3 an end without a response': { script: (socket) => socket.end(), code: unavailable, asked: 3 },
  'U5 no response': { script: () => {}, code: timeout, waits: true },
  'U6 headers that never end': {
    script: drips('HTTP/1.1 200 OK\r\n', 'X-Drip: 1\r\n'),
    code: timeout,
    waits: true,
  },
  'U7 a body that stalls': {
    script: answers(`${head('Content-Length: 100')}{"height":`),
    code: timeout,
    waits: true,
  },
  'U8 a body that drips for ever': {
    script: drips(head('Content-Length: 1000'), ' '),
    code: timeout,
    waits: true,
  },
  'U9 less than the length': {
    script: ends(`${head('Content-Length: 100')}{"height":7}`),
    code: invalid,
  },
  'U10 chunks without the last one': {
    script: ends(head('Transfer-Encoding: chunked') + chunk('{"height":7}')),
    code: invalid,
  },
  'U11 half of a body that ends with its connection': {
    script: ends(`${head()}{"chain_id":"x","hei`),
    code: invalid,
  },
  'U12 bytes that are not HTTP': { script: ends('SSH-2.0-OpenSSH_9.2\r\n'), code: invalid },
  'U13 a body without end': {
    script(socket) {
      socket.write(head('Transfer-Encoding: chunked'))
      const more = () => !socket.destroyed && socket.write(chunk(' '.repeat(65_536)), more)
      more()
    },
    code: invalid,
  },
  'U14 a compressed body that was not asked for': {
    script: answers(response(gzipSync(Buffer.alloc(50_000_000)), '200 OK', 'Content-Encoding: gzip')),
    code: invalid,
  },
  'U15 a header of 64 KB': {
    script: answers(response(status(7), '200 OK', `X-Long: ${'x'.repeat(65_536)}`)),
    code: invalid,
  },
  'U16 both a length and chunks': {
    script: ends(head('Content-Length: 3', 'Transfer-Encoding: chunked') + chunk(status(7))),
    code: invalid,
  },
  'U19 no body': { script: answers('HTTP/1.1 204 No Content\r\n\r\n'), code: invalid },
  'U20 a page of HTML': { script: answers(response('<html>moved</html>')), code: invalid },
  // A failure of the upstream, whatever its body is.
  'U21 a page of HTML for a 502': {
    script: answers(response('<html>bad gateway</html>', '502 Bad Gateway')),
    code: unavailable,
    asked: 3,
  },
  'U22 a redirect': {
    script: answers(response('', '302 Found', 'Location: http://169.254.169.254/')),
    code: invalid,
  },
  'U24 a 500 with a text': {
    script: answers(response('panic at /srv/indexer.go:7', '500 Internal Server Error')),
    code: unavailable,
  },
  'U29 a long integer with an exponent': {
    script: answers(response(status('9007199254740993e2'))),
    code: invalid,
  },
}

let clock: FakeClock
let gateway: Gateway
let upstream: ScriptedUpstream
const record = recordLog()
const idOf = (name: string) => name.split(' ')[0]?.toLowerCase() ?? ''

/** The scripts of rows with a test of their own, which set them. */
const own: Record<string, Script> = {}
const ownNames = ['u17', 'u18', 'u23', 'u25', 'u26', 'u27', 'u28', 'u30', 'u31', 'u36', 'u38']
/** Those of chains that run the EVM. */
const evmNames = ['u27-evm', 'u36-evm']

beforeAll(async () => {
  clock = fakeClock()
  const tabled = Object.entries(rows).map(([name, { script }]) => [idOf(name), script] as const)
  const delegated = [...ownNames, ...evmNames].map((name): [string, Script] => [
    name,
    (socket, count) => own[name]?.(socket, count),
  ])
  upstream = await startScriptedUpstream({
    ...Object.fromEntries([...tabled, ...delegated]),
    good: answers(fine),
  })
  gateway = await createGateway(
    {
      chains: ['good', ...tabled.map(([id]) => id), ...ownNames, ...evmNames].map((chainId) => ({
        ...{ chainId, url: upstream.url(chainId), timeoutMs: 5_000 },
        vm: evmNames.includes(chainId) ? 'evm' : 'wasm',
      })),
      limits: { upstreamTimeoutMs: 500 },
      log: record.log,
    },
    { clock, upstream: { backoff: () => 0 }, server: { drain: 0 } },
  )
})

afterEach(() => {
  vi.restoreAllMocks()
  // An upstream's faults are never faults of the gateway.
  expect(record.lines.filter(({ level }) => level >= 50)).toEqual([])
})

afterAll(async () => {
  await gateway.close()
  await upstream[Symbol.asyncDispose]()
})

interface Asked {
  readonly height: number | null
  readonly code: Code
  readonly error: ErrorAnswer | undefined
}

/** Asks a chain and a healthy one for their heights. The fault of one must leave the other. */
async function ask(chainId: string, url = gateway.url): Promise<Asked> {
  const { status, body } = await post(url, {
    query: `query ($id: ChainId!) {
      asked: chain(chainId: $id) { status { height } }
      good: chain(chainId: "good") { status { height } }
    }`,
    variables: { id: chainId },
  })
  expect([status, body.data?.good?.status.height]).toEqual([200, 7])
  const errors: ErrorAnswer[] = body.errors ?? []
  for (const error of errors) {
    expect(error.extensions?.service).toBe(chainId)
    expect(JSON.stringify(error)).not.toMatch(/https?:|127\.0\.0\.1|169\.254|html|\.go|\.ts|stack/)
  }
  const [error] = errors
  return {
    height: body.data.asked.status?.height ?? null,
    code: (error?.extensions?.code as Code) ?? null,
    error,
  }
}

test.each(Object.entries(rows))('%s', async (name, { code, asked = 1, waits }) => {
  const id = idOf(name)
  const answer = ask(id)
  if (waits) {
    await upstream.arrived(id)
    await clock.advance(5_000)
  }
  expect(await answer).toMatchObject({ code, height: null })
  expect(upstream.count(id)).toBe(asked)
})

/** Serves one chain more, for a test. */
async function withChain(chainId: string, url: string, run: (url: string) => Promise<void>) {
  await using other = await createGateway(
    {
      chains: [
        { chainId: 'good', url: upstream.url('good'), vm: 'wasm' },
        { chainId, url, vm: 'wasm' },
      ],
      limits: { upstreamTimeoutMs: 500 },
    },
    { clock, upstream: { backoff: () => 0 }, server: { drain: 0 } },
  )
  await run(other.url)
}

test('U1 a refused connection is an error', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  await withChain('u1', `http://127.0.0.1:${port}`, async (url) => {
    expect(await ask('u1', url)).toMatchObject({ code: unavailable, height: null })
  })
})

test('U4 a connection that is never accepted is an error', async () => {
  await using hole = await startBlackHole()
  await withChain('u4', `http://127.0.0.1:${hole.port}`, async (url) => {
    expect(await ask('u4', url)).toMatchObject({ code: unavailable, height: null })
  })
})

test('U17 extra bytes after a response are not used for the next request', async () => {
  own.u17 = answers(Buffer.concat([fine, response(status(666))]), response(status(8)))
  expect(await ask('u17')).toMatchObject({ code: null, height: 7 })
  expect(await ask('u17')).toMatchObject({ code: null, height: 8 })
})

// No response has begun: the connection broke.
test('U18 a thousand informational responses, or another protocol, are an error', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(1_000)
  own.u18 = ends(early)
  expect(await ask('u18')).toMatchObject({ code: unavailable, height: null })
  own.u18 = ends('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  expect(await ask('u18')).toMatchObject({ code: unavailable, height: null })
})

test('U23 a rate limit with a short Retry-After is waited for, and others are errors', async () => {
  const limited = (after: string) => response('', '429 Too Many Requests', `Retry-After: ${after}`)
  own.u23 = answers(limited('1'), fine)
  const started = clock.now()
  const answer = ask('u23')
  let isDone = false
  void answer.then(() => {
    isDone = true
  })
  await upstream.arrived('u23')
  while (!isDone) await clock.advance(100)
  expect(await answer).toMatchObject({ code: null, height: 7 })
  expect([upstream.count('u23'), clock.now() - started >= 1_000]).toEqual([2, true])
  for (const after of ['86400', 'soon', '-1']) {
    own.u23 = answers(limited(after))
    expect(await ask('u23')).toMatchObject({ code: unavailable, height: null })
  }
})

test('U23 a Retry-After beyond the deadline is an error at once, with retryAfter', async () => {
  await using short = await createGateway(
    {
      chains: [{ chainId: 'u23', url: upstream.url('u23'), vm: 'wasm' }],
      limits: { timeoutMs: 3_000 },
    },
    { clock, upstream: { backoff: () => 0 }, server: { drain: 0 } },
  )
  for (const status of ['429 Too Many Requests', '503 Service Unavailable']) {
    own.u23 = answers(response('', status, 'Retry-After: 8'))
    const asked = upstream.count('u23')
    const fields = ['block(height: 5) { hash }', 'transactions(first: 2) { nodes { hash } }']
    // The clock stands still: nothing is waited for.
    const { errors } = (await post(short.url, { query: `{ chain(chainId: "u23") { ${fields.join(' ')} } }` })).body
    const expected = { code: unavailable, service: 'u23', retryAfter: 8 }
    expect(errors.map(({ extensions }: ErrorAnswer) => extensions)).toMatchObject([expected, expected])
    expect(upstream.count('u23') - asked).toBeLessThanOrEqual(3)
  }
})

const records = `query ($id: ChainId!) {
  chain(chainId: $id) { transaction(hash: "${'a'.repeat(64)}") { hash } transactions(first: 20) { nodes { hash } } }
}`
const askRecords = async (id: string) => (await post(gateway.url, { query: records, variables: { id } })).body

test('U25 a 404 of an indexer for a record is null without an error, and for a list that all have an error', async () => {
  for (const body of ['transaction not found', '{"code":5,"message":"not found","details":[]}']) {
    own.u25 = answers(response(body, '404 Not Found'))
    const { data, errors } = await askRecords('u25')
    expect(data.chain.transaction).toBeNull()
    expect(errors.map(({ path }: ErrorAnswer) => path?.[1])).toEqual(['transactions'])
  }
})

const notNull = ['block', 'transaction', 'transactions', 'collection']
const askAbsent = `query ($id: ChainId!) {
  chain(chainId: $id) {
    block(height: 5) { hash } transaction(hash: "${'a'.repeat(64)}") { hash } transactions(first: 2) { nodes { hash } }
    collection: nftCollection(address: "0x${'1'.repeat(40)}") { name }
  }
}`

test('U25 a 404 that is not from an indexer is an error', async () => {
  const html = '<html><h1>404 Not Found</h1></html>'
  const foreign = [
    ...[html, '', '404 page not found\n', 'Not Found', 'Cannot GET /indexer/x', 'no Route'],
    ...['{"message":"Not Found"}', '{"code":12,"message":"Not Implemented"}', '["tx not found"]'],
    ...['{"statusCode":404,"message":"Cannot GET /x"}', `tx not found${' '.repeat(10_000)}`],
  ]
  const typed = response('tx not found', '404 Not Found').toString()
  const page = Buffer.from(typed.replace('application/json', 'text/html; charset=utf-8'))
  for (const bytes of [...foreign.map((body) => response(body, '404 Not Found')), page]) {
    own.u25 = answers(bytes)
    const { body } = await post(gateway.url, { query: askAbsent, variables: { id: 'u25' } })
    const errors = (body.errors as ErrorAnswer[]).map(({ path, extensions }) => [
      path?.[1],
      extensions?.code,
      extensions?.service,
    ])
    expect([String(bytes), errors.toSorted()]).toEqual([
      String(bytes),
      notNull.map((field) => [field, invalid, 'u25']).toSorted(),
    ])
  }
})

test('U25 a 404 of an optional route is null without an error', async () => {
  const query = `query ($id: ChainId!) { chain(chainId: $id) {
    richList(denom: "uinit", first: 2) { nodes { amount } } evmTransactions(first: 2) { nodes { hash } }
    evmInternalTransactions(first: 2) { nodes { index } } vm
  } }`
  for (const body of ['evm routes are not available on this chain', 'Cannot GET /indexer/x']) {
    own.u25 = answers(response(body, '404 Not Found'))
    const { data, errors } = (await post(gateway.url, { query, variables: { id: 'u25' } })).body
    expect([body, errors, data.chain.evmTransactions]).toEqual([body, undefined, null])
  }
})

test('U26 numbers as strings and unknown fields are read, and other shapes are errors', async () => {
  for (const body of [status('"7"'), status(7, ',"more":{"x":[1]},"again":null')]) {
    own.u26 = answers(response(body))
    expect([body, await ask('u26')]).toMatchObject([body, { code: null, height: 7 }])
  }
  const wrong = ['null', '[]', '7', '"x"', '{}', status('null'), status('"x"'), status('{}')]
  for (const body of [...wrong, status(7.5), status('true'), status('[7]'), status('""')]) {
    own.u26 = answers(response(body))
    expect([body, await ask('u26')]).toMatchObject([body, { code: invalid, height: null }])
  }
})

test('U28 a value nested 100,000 levels deep is ignored or an error', async () => {
  own.u28 = answers(response(status(7, `,"deep":${deep}`)))
  expect(await ask('u28')).toMatchObject({ code: null, height: 7 })
  for (const body of [deep, status(deep)]) {
    own.u28 = answers(response(body))
    expect(await ask('u28')).toMatchObject({ code: invalid, height: null })
  }
})

test('U30 the key __proto__ does not change objects', async () => {
  own.u30 = answers(response(status(7, ',"__proto__":{"height":9,"isPolluted":true}')))
  expect(await ask('u30')).toMatchObject({ code: null, height: 7 })
  own.u30 = answers(response('{"chain_id":"x","__proto__":{"height":9}}'))
  expect(await ask('u30')).toMatchObject({ code: invalid, height: null })
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('isPolluted' in {}).toBe(false)
})

test('U31 invalid UTF-8 is replaced, and a NUL is an error', async () => {
  const bytes = (text: string) => Buffer.from(`{"chain_id":"${text}","height":7}`, 'latin1')
  own.u31 = answers(response(bytes('\xff\xfe')))
  const query = '{ chain(chainId: "u31") { status { chainId height } } }'
  const { body } = await post(gateway.url, { query })
  expect(body).toEqual({ data: { chain: { status: { chainId: '\ufffd\ufffd', height: 7 } } } })
  own.u31 = answers(response(bytes('\0')))
  expect(await ask('u31')).toMatchObject({ code: invalid, height: null })
})

const row = (sequence: number, more: object = {}) => ({
  ...transactionRow(sequence, 7).json,
  ...more,
})

test('U27 a million records instead of twenty are an error within seconds', async () => {
  const many = `{"txs":[${'{},'.repeat(999_999)}{}],"pagination":{"next_key":null}}`
  own.u27 = answers(response(many))
  await withChain('u27', upstream.url('u27'), async (url) => {
    const { body } = await post(url, { query: records, variables: { id: 'u27' } })
    expect(body.data.chain.transactions).toBeNull()
    expect(body.errors).toContainEqual(
      expect.objectContaining({ extensions: expect.objectContaining({ code: invalid }) }),
    )
  })
})

/** The receipt of an EVM transaction, as an indexer sends it. */
const receipt = (hash: string) => ({
  tx: {
    ...{ transactionHash: hash, blockNumber: '0x7', transactionIndex: '0x1', type: '0x0' },
    ...{ gasUsed: '0x1', cumulativeGasUsed: '0x1', effectiveGasPrice: '0x0', status: '0x1' },
    logs: [],
  },
})

// Each part of a value that is read by zod takes up to 0.1 ms, and a million of them minutes.
test('U27 a record with a million unreadable parts is an error within seconds', async () => {
  const million = `${'{},'.repeat(999_999)}{}`
  const hash = `0x${'a'.repeat(64)}`
  const block = { chain_id: 'x', height: '7', hash: 'AB', timestamp: '2026-01-01T00:00:00Z' }
  const rest = { block_time: '0', gas_used: '0', gas_wanted: '0', tx_count: '0', total_fee: [] }
  const blockText = JSON.stringify({ block: { ...block, ...rest } })
  const cases: [field: string, query: string, body: string][] = [
    [
      'evmTransaction',
      `evmTransaction(hash: "${hash}") { hash }`,
      JSON.stringify(receipt(hash)).replace('[]', `[${million}]`),
    ],
    ['block', 'block(height: 7) { hash }', blockText.replace('[]', `[${million}]`)],
  ]
  await using other = await createGateway({
    chains: [{ chainId: 'u27-evm', url: upstream.url('u27-evm'), vm: 'evm' }],
  })
  for (const [field, query, body] of cases) {
    own['u27-evm'] = answers(response(body))
    const answer = await post(other.url, { query: `{ chain { ${query} } }` })
    expect([field, answer.body.data.chain[field]]).toEqual([field, null])
    expect(answer.body.errors).toMatchObject([{ extensions: { code: invalid } }])
  }
})

test('U36 a record other than the requested one is an error', async () => {
  const ask = async (query: string) =>
    (await post(gateway.url, { query: `{ chain(chainId: "u36") { ${query} } }` })).body
  const refused = (field: string, { data, errors }: Awaited<ReturnType<typeof ask>>) => {
    expect(data.chain[field]).toBeNull()
    expect(errors[0]).toMatchObject({
      path: ['chain', field],
      extensions: { code: invalid, service: 'u36' },
    })
  }
  const block = { height: '8', hash: 'AB'.repeat(32), block_time: '0', gas_used: '0' }
  const rest = { gas_wanted: '0', tx_count: '0', total_fee: [], timestamp: '2026-01-01T00:00:00Z' }
  own.u36 = answers(response(JSON.stringify({ block: { ...block, ...rest, chain_id: 'u36' } })))
  expect((await ask('block(height: 8) { hash }')).data.chain.block).toEqual({ hash: block.hash })
  refused('block', await ask('block(height: 9) { hash }'))
  own.u36 = answers(response(JSON.stringify({ tx: row(8) })))
  refused('transaction', await askRecords('u36'))
})

test('U36 a receipt of another EVM transaction is an error', async () => {
  const ask = async (digit: string) => {
    const query = `{ chain(chainId: "u36-evm") { evmTransaction(hash: "0x${digit.repeat(64)}") { hash } } }`
    return (await post(gateway.url, { query })).body
  }
  const hash = `0x${'b'.repeat(64)}`
  own['u36-evm'] = answers(response(JSON.stringify(receipt(hash))))
  const { data, errors } = await ask('a')
  expect(data.chain.evmTransaction).toBeNull()
  expect(errors).toMatchObject([
    {
      path: ['chain', 'evmTransaction'],
      extensions: { code: invalid, service: 'u36-evm' },
    },
  ])
  expect(await ask('b')).toEqual({
    data: { chain: { evmTransaction: { hash } } },
  })
})

test('U38 timestamps of 1970 and 2999 are returned', async () => {
  for (const timestamp of ['1970-01-01T00:00:00Z', '2999-12-31T23:59:59.999999999Z']) {
    const txs = [row(8, { timestamp })]
    own.u38 = answers(response(JSON.stringify({ txs, pagination: { next_key: null } })))
    const { body } = await post(gateway.url, {
      query: '{ chain(chainId: "u38") { transactions(first: 1) { nodes { timestamp } } } }',
    })
    expect(body).toEqual({ data: { chain: { transactions: { nodes: [{ timestamp }] } } } })
  }
})

test('U39 a certificate that is expired, for another host or of an unknown issuer is an error', async () => {
  const here = [127, 0, 0, 1]
  const good = makeCertificate({ address: here, years: [2020, 2999] })
  const expired = makeCertificate({ address: here, years: [2020, 2021] })
  const elsewhere = makeCertificate({ address: [192, 0, 2, 1], years: [2020, 2999] })
  const unknown = makeCertificate({ address: here, years: [2020, 2999] })
  const trusted = [good, expired, elsewhere].map(({ cert }) => cert)
  const connect = tls.connect
  vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) =>
    connect({ ...options, ca: trusted })) as typeof tls.connect)
  const codes: Code[] = []
  for (const certificate of [good, expired, elsewhere, unknown]) {
    const server = tls.createServer(certificate, (socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(fine))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await withChain('u39', `https://127.0.0.1:${port}`, async (url) => {
      codes.push((await ask('u39', url)).code)
    })
    await new Promise((resolve) => server.close(resolve))
  }
  expect(codes).toEqual([null, unavailable, unavailable, unavailable])
})

test('U40 a host name that is not found is an error, and is looked up again', async () => {
  let isKnown = false
  const { lookup } = dns
  vi.spyOn(dns, 'lookup').mockImplementation(((...args: unknown[]) => {
    const [name, , done] = args
    if (name !== 'upstream.example' || typeof done !== 'function') {
      Reflect.apply(lookup, dns, args)
    } else if (isKnown) done(null, [{ address: '127.0.0.1', family: 4 }])
    else done(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
  }) as typeof dns.lookup)
  await withChain('u40', `http://upstream.example:${upstream.port}/good`, async (url) => {
    expect(await ask('u40', url)).toMatchObject({ code: unavailable, height: null })
    isKnown = true
    expect(await ask('u40', url)).toMatchObject({ code: null, height: 7 })
  })
})
