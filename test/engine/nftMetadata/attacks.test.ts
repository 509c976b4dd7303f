import { describe, expect, test } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { answering, type Host, publicAddress } from '../../support/internet.ts'
import { jsonUri, startNftWorld } from '../../support/nftWorld.ts'

// What whoever writes the URI of an NFT can try, and the client that reads it.

describe('addresses that are not public', () => {
  test.each([
    ['http://127.0.0.1/a', 'NOT_PUBLIC'],
    ['http://127.1/a', 'NOT_PUBLIC'],
    ['http://2130706433/a', 'NOT_PUBLIC'],
    ['http://0x7f000001/a', 'NOT_PUBLIC'],
    ['http://0x7f.1/a', 'NOT_PUBLIC'],
    ['http://0177.0.0.1/a', 'NOT_PUBLIC'],
    ['http://127.0.0.1./a', 'NOT_PUBLIC'],
    ['http://①②⑦.0.0.1/a', 'NOT_PUBLIC'],
    ['http://0.0.0.0/a', 'NOT_PUBLIC'],
    ['http://0.1.2.3/a', 'NOT_PUBLIC'],
    ['http://169.254.169.254/latest/meta-data/', 'NOT_PUBLIC'],
    ['http://100.100.100.200/a', 'NOT_PUBLIC'],
    ['http://168.63.129.16/a', 'NOT_PUBLIC'],
    ['https://10.0.0.1/a', 'NOT_PUBLIC'],
    ['http://[::1]/a', 'NOT_PUBLIC'],
    ['http://[::]/a', 'NOT_PUBLIC'],
    ['http://[::ffff:127.0.0.1]/a', 'NOT_PUBLIC'],
    ['http://[::ffff:7f00:1]/a', 'NOT_PUBLIC'],
    ['http://[::127.0.0.1]/a', 'NOT_PUBLIC'],
    ['http://[64:ff9b::7f00:1]/a', 'NOT_PUBLIC'],
    ['http://[64:ff9b:1::a00:1]/a', 'NOT_PUBLIC'],
    ['http://[2002:7f00:1::]/a', 'NOT_PUBLIC'],
    ['http://[fd00:ec2::254]/a', 'NOT_PUBLIC'],
    ['http://[fe80::1]/a', 'NOT_PUBLIC'],
    ['http://user@public.example/a', 'UNSUPPORTED_URI'],
    ['http://public.example:pass@127.0.0.1/a', 'UNSUPPORTED_URI'],
    ['http://public.example:8080/a', 'UNSUPPORTED_URI'],
    ['http://public.example:22/a', 'UNSUPPORTED_URI'],
    ['http://256.256.256.256/a', 'UNSUPPORTED_URI'],
    ['ftp://public.example/a', 'UNSUPPORTED_URI'],
    ['file:///etc/passwd', 'UNSUPPORTED_URI'],
    ['javascript:alert(1)', 'UNSUPPORTED_URI'],
    ['//127.0.0.1/a', 'UNSUPPORTED_URI'],
    ['ipfs://cid/../../api/v0/config', 'UNSUPPORTED_URI'],
    ['ipfs://127.0.0.1/a', 'UNSUPPORTED_URI'],
    ['ar://id/%2e%2e/%2e%2e/wallet', 'UNSUPPORTED_URI'],
    [`http://public.example/${'a'.repeat(2_100)}`, 'UNSUPPORTED_URI'],
  ])('%s is refused as %s, and nothing is connected to', async (uri, reason) => {
    await using world = await startNftWorld({ host: answering('{}') })
    const metadata = await world.metadata(uri)
    expect(metadata).toMatchObject({ unavailableReason: reason, name: null, imageUrl: null })
    expect({ dialed: world.dialed, resolved: world.resolved }).toEqual({ dialed: [], resolved: [] })
  })

  test.each([
    ['a private address', ['10.1.2.3']],
    ['a private address beside a public one', [publicAddress, '192.168.1.1']],
    ['an IPv4 address in IPv6', ['::ffff:10.0.0.1']],
    ['a local address with a zone', ['fe80::1%eth0']],
    ['an invalid address', ['localhost']],
    ['no address', []],
  ])('a host name with %s is not connected to', async (_of, addresses) => {
    await using world = await startNftWorld({ resolve: async () => addresses })
    for (const uri of ['http://inner.example/a', 'https://inner.example./a']) {
      expect((await world.metadata(uri)).unavailableReason).toBe('NOT_PUBLIC')
    }
    expect(world.resolved).toEqual(['inner.example', 'inner.example.'])
    expect(world.dialed).toEqual([])
  })

  test('a host name rebound to loopback after the check is not connected to', async () => {
    const answers = [[publicAddress], ['127.0.0.1']]
    await using world = await startNftWorld({
      host: answering('{"name":"One"}'),
      resolve: async () => answers.shift() ?? ['127.0.0.1'],
    })
    // Each connection looks up once, and is made to what it found.
    expect((await world.metadata('http://rebinding.example/1')).name).toBe('One')
    expect((await world.metadata('http://rebinding.example/2')).unavailableReason).toBe('NOT_PUBLIC')
    expect(world.resolved).toHaveLength(2)
    expect(world.dialed).toEqual([`${publicAddress} 80`])
  })

  test('a redirect to a host name rebound to loopback is not followed', async () => {
    const answers = [[publicAddress], ['127.0.0.1']]
    await using world = await startNftWorld({
      host: answering('', { location: '/again' }, 302),
      resolve: async () => answers.shift() ?? ['127.0.0.1'],
    })
    const { unavailableReason } = await world.metadata('http://rebinding.example/1')
    expect(unavailableReason).toBe('NOT_PUBLIC')
    expect(world.dialed).toEqual([`${publicAddress} 80`])
  })
})

describe('redirects', () => {
  test.each([
    ['http://127.0.0.1/', 'NOT_PUBLIC'],
    ['//[::1]/', 'NOT_PUBLIC'],
    ['http://0x7f000001/', 'NOT_PUBLIC'],
    ['http://169.254.169.254/latest/meta-data/', 'NOT_PUBLIC'],
    ['http://inner.example/', 'NOT_PUBLIC'],
    ['http://public.example:6379/', 'UNSUPPORTED_URI'],
    ['http://user:pass@public.example/', 'UNSUPPORTED_URI'],
    ['file:///etc/passwd', 'UNSUPPORTED_URI'],
    ['data:application/json,{}', 'UNSUPPORTED_URI'],
    ['http://', 'UNSUPPORTED_URI'],
  ])('to %s are refused as %s', async (location, reason) => {
    await using world = await startNftWorld({
      host: answering('', { location }, 302),
      resolve: async (host) => (host === 'inner.example' ? ['10.0.0.1'] : [publicAddress]),
    })
    expect((await world.metadata('https://public.example/a')).unavailableReason).toBe(reason)
    expect(world.dialed).toEqual([`${publicAddress} 443`])
  })

  test.each([
    [3, null],
    [4, 'REJECTED'],
  ])('%s in a row end as %s', async (count, reason) => {
    const host: Host = ({ url }, response) => {
      const left = Number(url?.slice(1))
      if (left === 0) response.end('{"name":"Found"}')
      else response.writeHead(307, { location: `/${left - 1}` }).end()
    }
    await using world = await startNftWorld({ host })
    const metadata = await world.metadata(`http://public.example/${count}`)
    expect(metadata.unavailableReason).toBe(reason)
    expect(world.asked).toHaveLength(4)
  })
})

test('requests to media hosts have no headers of the client', async () => {
  await using world = await startNftWorld({ host: answering('{}', { 'set-cookie': 'id=1' }) })
  const headers = {
    authorization: 'Bearer secret',
    cookie: 'session=secret',
    'x-forwarded-for': '203.0.113.9',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    'x-request-id': 'request-1',
  }
  await world.metadata('http://public.example/1?a=b', headers)
  await world.metadata('http://public.example/2', headers)
  expect(world.asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /1?a=b', 'GET /2'])
  for (const request of world.asked) {
    expect(request.headers).toEqual({
      host: 'public.example',
      connection: 'keep-alive',
      accept: '*/*',
      'accept-encoding': 'gzip, br',
      'user-agent': 'Portolan',
    })
  }
})

test('a request is aborted when its only client leaves', async () => {
  const begun = deferred<void>()
  const closed = deferred<void>()
  await using world = await startNftWorld({
    host(_request, response) {
      begun.resolve()
      response.once('close', () => closed.resolve())
    },
  })
  const leaving = new AbortController()
  const left = world.metadata('http://public.example/slow', {}, leaving.signal).catch(() => 'left')
  await begun.promise
  leaving.abort()
  expect(await left).toBe('left')
  await closed.promise
})

test('a data: URI is read without a network request', async () => {
  await using world = await startNftWorld()
  const json = '{"name":"100% mine","attributes":[]}'
  for (const uri of [
    jsonUri(JSON.parse(json)),
    `data:application/json;utf8,${json}`,
    `data:,${encodeURIComponent(json)}`,
    `DATA:application/json;charset=utf-8;base64,${Buffer.from(json).toString('base64')}`,
  ]) {
    expect([uri, (await world.metadata(uri)).name]).toEqual([uri, '100% mine'])
  }
  expect((await world.metadata('data:nothing')).unavailableReason).toBe('UNSUPPORTED_URI')
  expect(world.resolved).toEqual([])
})
